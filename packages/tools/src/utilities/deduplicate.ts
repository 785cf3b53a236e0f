/** Takes out what comes again. */
import { z } from 'zod'
import { scalarList } from './bounds.ts'
import { answer, computing } from './computing.ts'
import { firstOfEach, identityOf } from './order.ts'

export const deduplicate = computing({
  name: 'deduplicate',
  version: '1',
  description:
    'Remove repeated items from a list of texts or numbers, keeping the first of each. For objects use array_operations.',
  group: 'listOps',
  tags: ['unique', 'distinct', 'duplicates', 'repeated', 'doubles', 'twice', 'clean'],
  input: z.strictObject({
    items: scalarList,
    ignoreCase: z.boolean().default(false),
    trim: z.boolean().default(false),
  }),
  describe: ({ items }) => `Remove repeated items of ${items.length}`,
  compute({ items, ignoreCase, trim }) {
    const trimmed = trim ? items.map((item) => (typeof item === 'string' ? item.trim() : item)) : items
    const kept = firstOfEach(trimmed, (item) => identityOf(item, ignoreCase))
    return answer({ items: kept, removed: items.length - kept.length })
  },
})
