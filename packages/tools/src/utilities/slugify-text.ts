/** Makes a text fit for an address or a file name. */
import { z } from 'zod'
import { answer, brief, computing } from './computing.ts'
import { withoutMarks } from './letters.ts'

export const slugifyText = computing({
  name: 'slugify_text',
  version: '1',
  description:
    'Turn a text into a slug for an address or a file name: small Latin letters, digits and hyphens.',
  group: 'textUtils',
  tags: ['slug', 'url', 'url friendly', 'filename', 'permalink', 'kebab', 'clean'],
  input: z.strictObject({ text: z.string().max(10_000), maxLength: z.int().min(1).max(500).default(100) }),
  describe: ({ text }) => `Slug of “${brief(text, 40)}”`,
  compute: ({ text, maxLength }) => answer(slugOf(text, maxLength)),
})

function slugOf(text: string, longest: number): string {
  const plain = withoutMarks(text)
    .toLowerCase()
    .replace(/['’]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
  return plain.replace(/^-/, '').slice(0, longest).replace(/-$/, '')
}
