/** Lists what a pattern finds. */
import { z } from 'zod'
import { text } from './bounds.ts'
import { answer, brief, computing } from './computing.ts'
import { compilePattern, matchesOf, patternFlags, patternText } from './pattern.ts'

export const extractFromText = computing({
  name: 'extract_from_text',
  version: '1',
  description:
    'Extract everything in a text that matches a regular expression, or one group of it, as a list.',
  group: 'extraction',
  tags: [
    'pattern',
    'regular expression',
    'find',
    'scrape',
    'capture',
    'match',
    'grab',
    'pull out',
    'looks like',
    'every',
  ],
  input: z.strictObject({
    text,
    pattern: patternText,
    flags: patternFlags,
    group: z.int().min(0).max(50).default(0),
    limit: z.int().min(1).max(1000).default(200),
  }),
  describe: ({ pattern }) => `Extract /${brief(pattern, 40)}/`,
  async compute({ text: given, pattern, flags, group, limit }) {
    const compiled = await compilePattern(pattern, flags, given)
    if (compiled.kind === 'refused') return compiled
    const found = matchesOf(compiled.value, given, limit)
    if (found.kind === 'refused') return found
    const { matches, truncated } = found.value
    const values = matches.flatMap(({ match, groups }) => (group === 0 ? match : (groups[group - 1] ?? [])))
    return answer({ values, truncated })
  },
})
