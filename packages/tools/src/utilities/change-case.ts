/** Writes a name in another case. */
import { z } from 'zod'
import { answer, brief, computing } from './computing.ts'

const cases = ['camel', 'pascal', 'snake', 'kebab', 'constant', 'sentence', 'title', 'dot'] as const

export const changeCase = computing({
  name: 'change_case',
  version: '1',
  description:
    'Write a name in camelCase, PascalCase, snake_case, kebab-case, CONSTANT_CASE, dot.case or as a sentence.',
  group: 'textUtils',
  tags: [
    'camelcase',
    'snake_case',
    'kebab-case',
    'identifier',
    'variable',
    'naming',
    'title case',
    'snake case',
    'camel case',
    'pascal',
    'programming',
  ],
  input: z.strictObject({ text: z.string().max(10_000), case: z.enum(cases) }),
  describe: ({ text, case: wanted }) => `“${brief(text, 40)}” in ${wanted} case`,
  compute: ({ text, case: wanted }) => answer(writers[wanted](partsOf(text))),
})

const capital = ([first = '', ...rest]: string) => first.toUpperCase() + rest.join('')

const writers: Record<(typeof cases)[number], (parts: string[]) => string> = {
  camel: (parts) => parts.map((part, index) => (index === 0 ? part : capital(part))).join(''),
  pascal: (parts) => parts.map(capital).join(''),
  snake: (parts) => parts.join('_'),
  kebab: (parts) => parts.join('-'),
  constant: (parts) => parts.join('_').toUpperCase(),
  sentence: (parts) => capital(parts.join(' ')),
  title: (parts) => parts.map(capital).join(' '),
  dot: (parts) => parts.join('.'),
}

/** In small letters, cut where the writing changes: `parseHTTPResponse2` has three parts and a number. */
function partsOf(text: string): string[] {
  const parts =
    text.match(/\p{Lu}+(?!\p{Ll})\p{M}*|\p{Lu}?[\p{Ll}\p{Lo}\p{Lm}\p{Lt}\p{M}]+|\p{Lu}|\p{N}+/gu) ?? []
  return parts.map((part) => part.toLowerCase())
}
