/** Searches all columns of a table for words. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { listLimit } from '../records/list.ts'
import { readFacts, tableText } from './facts.ts'
import { findRows, rowsToFind } from './find-rows.ts'

export const searchCustomRecords = defineTool({
  ...readFacts,
  name: 'search_custom_records',
  description: 'Find records of a custom table that hold all of the given words in any column.',
  input: z.strictObject({
    table: tableText,
    query: z.string().min(1).max(500),
    limit: z.int().min(1).default(listLimit.default),
  }),
  tags: ['table', 'rows', 'entries', 'find', 'lookup', 'text', 'contains', 'database', 'in my table'],
  limit: listLimit,
  runs: 'gateway',
  describe: ({ table, query }) => `Search the table ${table} for ${query}`,
  preview: ({ table, query }) => ({ kind: 'text', title: `Search ${table}`, text: query }),
  effects: ({ table, query, limit }, context) => rowsToFind(table, { search: query, limit }, context),
  run: ({ table, query, limit }, context) => findRows(table, { search: query, limit }, context),
})
