/** Sorts texts and numbers. */
import { z } from 'zod'
import { scalarList } from './bounds.ts'
import { answer, computing } from './computing.ts'
import { sortBy } from './order.ts'

export const sortList = computing({
  name: 'sort_list',
  version: '1',
  description:
    'Sort a list of texts or numbers; numbers inside texts count by their size. To sort objects use array_operations.',
  group: 'listOps',
  tags: [
    'order',
    'alphabetical',
    'alphabetically',
    'ascending',
    'descending',
    'rank',
    'natural sort',
    'small to large',
    'smallest',
    'largest',
    'highest',
    'lowest',
    'from a to z',
  ],
  input: z.strictObject({
    items: scalarList,
    order: z.enum(['ascending', 'descending']).default('ascending'),
    by: z.enum(['value', 'length']).default('value'),
  }),
  describe: ({ items, order }) => `Sort ${items.length} items, ${order}`,
  compute: ({ items, order, by }) =>
    answer(sortBy(items, (item) => (by === 'length' ? String(item).length : item), order === 'descending')),
})
