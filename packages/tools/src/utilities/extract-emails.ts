/** Finds the mail addresses of a text. */
import { z } from 'zod'
import { emailsIn } from './address.ts'
import { text } from './bounds.ts'
import { answer, computing } from './computing.ts'

export const extractEmails = computing({
  name: 'extract_emails',
  version: '1',
  description: 'Extract the email addresses of a text, each once.',
  group: 'extraction',
  tags: ['mail', 'address', 'contact', 'email', 'find emails', 'parse', 'pull out', 'email addresses'],
  input: z.strictObject({ text }),
  describe: () => 'Find email addresses in a text',
  compute: ({ text: given }) => answer([...new Set(emailsIn(given))]),
})
