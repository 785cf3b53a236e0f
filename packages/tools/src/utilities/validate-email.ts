/** Says whether a text is an email address. */
import { z } from 'zod'
import { isEmail } from './address.ts'
import { answer, brief, computing } from './computing.ts'

export const validateEmail = computing({
  name: 'validate_email',
  version: '1',
  description:
    'Check that an email address is well formed; whether anybody reads it stays unknown. For other kinds of values use validate.',
  group: 'validation',
  tags: ['mail', 'address', 'check', 'valid', 'format', 'correct', 'proper', 'real', 'typo'],
  input: z.strictObject({ email: z.string().max(1000) }),
  describe: ({ email }) => `Check the email address ${brief(email)}`,
  compute({ email }) {
    if (!isEmail(email)) return answer({ valid: false })
    const at = email.lastIndexOf('@')
    const [local, domain] = [email.slice(0, at), email.slice(at + 1)]
    return answer({ valid: local.length <= 64, local, domain: domain.toLowerCase() })
  },
})
