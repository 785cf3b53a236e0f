/** Puts texts together. */
import { z } from 'zod'
import { longestText, scalarList } from './bounds.ts'
import { answer, brief, computing, refuse } from './computing.ts'

export const joinText = computing({
  name: 'join_text',
  version: '1',
  description: 'Join the items of a list into one text with a separator between them.',
  group: 'textUtils',
  tags: [
    'concatenate',
    'combine',
    'merge',
    'list',
    'delimiter',
    'implode',
    'put together',
    'commas between',
    'one line',
    'glue',
  ],
  input: z.strictObject({
    items: scalarList,
    separator: z.string().max(1000).default(', '),
    lastSeparator: z.string().max(1000).exactOptional().describe('Between the last two, such as " and "'),
  }),
  describe: ({ items, separator }) =>
    `Join ${items.length} texts with ${brief(JSON.stringify(separator), 30)}`,
  compute({ items, separator, lastSeparator }) {
    if (items.length * separator.length > longestText)
      return refuse(`The separators alone would have more than ${longestText} characters.`)
    if (lastSeparator === undefined || items.length < 2) return answer(items.join(separator))
    return answer(`${items.slice(0, -1).join(separator)}${lastSeparator}${items.at(-1) ?? ''}`)
  },
})
