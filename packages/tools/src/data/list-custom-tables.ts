/** Lists the operator's own tables. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { listing } from '../records/effects.ts'
import { tellingOf } from '../records/kept-label.ts'
import { lines } from '../records/record-lines.ts'
import { succeeded } from '../result.ts'
import { readFacts } from './facts.ts'
import { mostTables, rowsOf, tableFrom, tablesCollection } from './table.ts'

export const listCustomTables = defineTool({
  ...readFacts,
  name: 'list_custom_tables',
  description: 'List the custom data tables.',
  input: z.strictObject({}),
  tags: ['table', 'tables', 'what tables', 'database', 'schema', 'show', 'dataset', 'collection', 'trackers'],
  runs: 'gateway',
  describe: () => 'List custom tables',
  preview: () => ({ kind: 'text', title: 'List custom tables', text: '' }),
  effects: async () => listing(tablesCollection, 'custom tables'),
  async run(_, context) {
    const order = [{ field: 'createdAt', direction: 'up' } as const]
    const { records, total } = await context.records.list(tablesCollection, { order, limit: mostTables })
    const counts = await context.records.count(rowsOf(''))
    const tables = records.map(tableFrom).map(({ name, description, columns }) => ({
      table: name,
      ...(description === undefined ? {} : { description }),
      columns: columns.map((column) => column.name),
      records: counts.get(rowsOf(name)) ?? 0,
    }))
    const text = total === 0 ? 'There are no custom tables.' : `${total} custom tables:\n${lines(tables)}`
    return tellingOf(records, succeeded(text, `Found ${total} custom tables`))
  },
})
