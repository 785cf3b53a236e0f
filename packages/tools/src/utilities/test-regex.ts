/** Says whether a pattern is valid and what it would find. */
import { z } from 'zod'
import { answer, brief, computing } from './computing.ts'
import { compilePattern, matchesOf, patternFlags, patternText } from './pattern.ts'

export const testRegex = computing({
  name: 'test_regex',
  version: '1',
  description:
    'Test a regular expression on samples: is it valid, and which samples match. To work on a text use regex.',
  group: 'validation',
  tags: ['pattern', 'regular expression', 'check', 'match', 'try', 'debug', 'strings'],
  input: z.strictObject({
    pattern: patternText,
    samples: z.array(z.string().max(2000)).min(1).max(20),
    flags: patternFlags,
  }),
  describe: ({ pattern }) => `Test /${brief(pattern, 40)}/`,
  async compute({ pattern, samples, flags }) {
    const compiled = await compilePattern(pattern, flags, samples.join(''))
    if (compiled.kind === 'refused') return answer({ valid: false, problem: compiled.reason })
    const results = samples.map((sample) => {
      const found = matchesOf(compiled.value, sample, 1)
      const first = found.kind === 'refused' ? undefined : found.value.matches[0]
      return { matches: first !== undefined, whole: first?.match === sample, found: first?.match ?? null }
    })
    return answer({ valid: true, results })
  },
})
