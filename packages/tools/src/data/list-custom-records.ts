/** Lists records of a table, filtered and sorted by its columns. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { listLimit } from '../records/list.ts'
import { dataShape, readFacts, tableText } from './facts.ts'
import { findRows, rowsToFind } from './find-rows.ts'

export const listCustomRecords = defineTool({
  ...readFacts,
  name: 'list_custom_records',
  description: 'List records of a custom table, the newest first, or filtered and sorted by columns.',
  input: z.strictObject({
    table: tableText,
    filter: dataShape.describe('Column: value, all of which must be equal').exactOptional(),
    sortBy: z.string().max(63).exactOptional(),
    sortOrder: z.enum(['asc', 'desc']).exactOptional(),
    limit: z.int().min(1).default(listLimit.default),
    offset: z.int().min(0).exactOptional(),
  }),
  tags: [
    'table',
    'rows',
    'entries',
    'show',
    'show all',
    'log',
    'query',
    'select',
    'filter',
    'sort',
    'database',
    'expenses',
    'workouts',
    'tracker',
    'my log',
    'in my table',
    'last entries',
  ],
  limit: listLimit,
  runs: 'gateway',
  describe: ({ table, filter }) =>
    filter
      ? `List records of the table ${table}, filtered by ${Object.keys(filter).join(', ')}`
      : `List records of the table ${table}`,
  preview: ({ table, ...asked }) => fieldsCard(`Records of ${table}`, asked),
  effects: ({ table, ...asked }, context) => rowsToFind(table, asked, context),
  run: ({ table, ...asked }, context) => findRows(table, asked, context),
})
