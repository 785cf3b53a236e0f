/** Replaces one piece of text by another. */
import { z } from 'zod'
import { longestText, needle, text } from './bounds.ts'
import { answer, brief, computing, refuse } from './computing.ts'
import { foldCase } from './letters.ts'

export const replaceText = computing({
  name: 'replace_text',
  version: '1',
  description: 'Replace every occurrence of a piece of text by another. For patterns use regex.',
  group: 'textUtils',
  tags: ['substitute', 'swap', 'find and replace', 'change', 'instead of', 'every', 'change all', 'turn all'],
  input: z.strictObject({
    text,
    find: needle,
    replacement: z.string().max(10_000),
    ignoreCase: z.boolean().default(false),
    firstOnly: z.boolean().default(false),
  }),
  describe: ({ find, replacement }) => `Replace “${brief(find, 30)}” by “${brief(replacement, 30)}”`,
  compute({ text: given, find, replacement, ignoreCase, firstOnly }) {
    const [where, what] = ignoreCase ? [foldCase(given), foldCase(find)] : [given, find]
    const pieces: string[] = []
    let from = 0
    for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, from)) {
      pieces.push(given.slice(from, at))
      from = at + what.length
      if (firstOnly) break
    }
    if (given.length + pieces.length * replacement.length > longestText * 2)
      return refuse(`The new text would have more than ${longestText * 2} characters.`)
    const result = [...pieces, given.slice(from)].join(replacement)
    return answer({ text: result, replaced: pieces.length })
  },
})
