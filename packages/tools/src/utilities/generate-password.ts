/** Makes a password that nobody can guess. */
import { z } from 'zod'
import { answer, computing, refuse } from './computing.ts'
import { randomOf, randomText, shuffled } from './random.ts'

export const generatePassword = computing({
  name: 'generate_password',
  version: '2',
  description: 'Generate a secure random password with at least one character of each chosen kind.',
  group: 'generation',
  tags: ['secret', 'passphrase', 'secure', 'strong', 'credentials', 'random', 'login', 'account'],
  input: z.strictObject({
    length: z.int().min(8).max(128).default(20),
    uppercase: z.boolean().default(true),
    lowercase: z.boolean().default(true),
    digits: z.boolean().default(true),
    symbols: z.boolean().default(true),
    avoidAmbiguous: z.boolean().default(true).describe('Leaves out 0 O 1 l I and the like'),
  }),
  discreet: true,
  output: { integrity: 'operator', confidentiality: 'secret', sources: [] },
  describe: ({ length }) => `Make a password of ${length} characters`,
  compute({ length, avoidAmbiguous, ...chosen }) {
    const kinds = Object.entries(alphabets)
      .filter(([kind]) => chosen[kind as keyof typeof alphabets])
      .map(([, letters]) => (avoidAmbiguous ? letters.replace(/[0O1lI|]/g, '') : letters))
    if (kinds.length === 0) return refuse('Choose at least one kind of characters.')
    const needed = kinds.map((letters) => randomOf(Array.from(letters)) ?? '')
    const rest = randomText(length - needed.length, kinds.join(''))
    return answer(shuffled([...needed, ...Array.from(rest)]).join(''))
  },
})

const alphabets = {
  uppercase: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
  lowercase: 'abcdefghijklmnopqrstuvwxyz',
  digits: '0123456789',
  symbols: '!#$%&*+-=?@^_|~',
}
