/** Finds a piece of text in another. */
import { z } from 'zod'
import { needle, text } from './bounds.ts'
import { answer, brief, computing } from './computing.ts'
import { foldCase } from './letters.ts'

export const findInText = computing({
  name: 'find_in_text',
  version: '1',
  description: 'Find a piece of text: how often it occurs, and in which lines. For patterns use regex.',
  group: 'textUtils',
  tags: [
    'search',
    'locate',
    'contains',
    'occurrences',
    'how often',
    'appear',
    'position',
    'grep',
    'mentioned',
    'occur',
  ],
  input: z.strictObject({
    text,
    find: needle,
    ignoreCase: z.boolean().default(true),
    limit: z.int().min(1).max(1000).default(20),
  }),
  describe: ({ find }) => `Find “${brief(find, 40)}”`,
  compute({ text: given, find, ignoreCase, limit }) {
    const [where, what] = ignoreCase ? [foldCase(given), foldCase(find)] : [given, find]
    const places: { index: number; line: number; column: number; excerpt: string }[] = []
    let count = 0
    let line = 1
    let lineStart = 0
    for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + what.length)) {
      count += 1
      if (places.length === limit) continue
      for (
        let end = given.indexOf('\n', lineStart);
        end >= 0 && end < at;
        end = given.indexOf('\n', lineStart)
      ) {
        line += 1
        lineStart = end + 1
      }
      const excerpt = given.slice(Math.max(lineStart, at - 40), at + what.length + 40).split('\n')[0] ?? ''
      places.push({ index: at, line, column: at - lineStart + 1, excerpt })
    }
    return answer({ count, places })
  },
})
