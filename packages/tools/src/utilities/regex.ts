/** Works on a text with a pattern. */
import { z } from 'zod'
import { text } from './bounds.ts'
import { answer, brief, type ComputationResult, computing } from './computing.ts'
import {
  compilePattern,
  matchesOf,
  patternFlags,
  patternText,
  replaceMatches,
  splitAtMatches,
} from './pattern.ts'

export const regex = computing({
  name: 'regex',
  version: '1',
  description:
    'Run a regular expression on a text: match (with groups), test, replace or split. To only list matches use extract_from_text.',
  group: 'textUtils',
  tags: ['regular expression', 'pattern', 'match', 'replace', 'search', 'groups', 'split'],
  input: z.strictObject({
    pattern: patternText,
    text,
    operation: z.enum(['match', 'test', 'replace', 'split']).default('match'),
    replacement: z.string().max(10_000).default('').describe('$1, $<name>, $& and $$ are understood'),
    flags: patternFlags,
    limit: z.int().min(1).max(1000).default(100),
  }),
  describe: ({ pattern, operation }) => `Regular expression /${brief(pattern, 40)}/: ${operation}`,
  async compute({ pattern, text: given, operation, replacement, flags, limit }): Promise<ComputationResult> {
    const compiled = await compilePattern(pattern, flags, given)
    if (compiled.kind === 'refused') return compiled
    if (operation === 'replace') return replaceMatches(compiled.value, given, replacement)
    if (operation === 'split') return splitAtMatches(compiled.value, given, limit)
    const found = matchesOf(compiled.value, given, operation === 'test' ? 1 : limit)
    if (found.kind === 'refused') return found
    const { matches, truncated } = found.value
    if (operation === 'test') return answer({ matches: matches.length > 0 })
    return answer({ count: matches.length, matches: matches.map((match) => ({ ...match })), truncated })
  },
})
