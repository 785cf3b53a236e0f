/** Makes a random text. */
import { z } from 'zod'
import { answer, computing } from './computing.ts'
import { randomText } from './random.ts'

const alphabets = {
  alphanumeric: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  lowercase: 'abcdefghijklmnopqrstuvwxyz',
  digits: '0123456789',
  hex: '0123456789abcdef',
} as const

export const generateRandomString = computing({
  name: 'generate_random_string',
  version: '1',
  description:
    'Generate a random string of letters, digits or characters of your own. For passwords use generate_password.',
  group: 'generation',
  tags: ['token', 'code', 'nonce', 'characters', 'hex', 'random text', 'random letters', 'voucher'],
  input: z.strictObject({
    length: z.int().min(1).max(1000).default(16),
    alphabet: z.enum(['alphanumeric', 'letters', 'lowercase', 'digits', 'hex']).default('alphanumeric'),
    characters: z.string().min(1).max(200).exactOptional().describe('Instead of an alphabet'),
  }),
  describe: ({ length }) => `Make a random text of ${length} characters`,
  compute: ({ length, alphabet, characters }) =>
    answer(randomText(length, characters ?? alphabets[alphabet])),
})
