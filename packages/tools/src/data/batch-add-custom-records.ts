/** Adds many records to a table, all of them or none. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { largestBatch } from '../records/add.ts'
import { rowsCard } from '../records/cards.ts'
import { counted } from '../records/record-lines.ts'
import { addRows, rowsToAdd } from './add-rows.ts'
import { changeFacts, dataShape, tableText } from './facts.ts'

export const batchAddCustomRecords = defineTool({
  ...changeFacts,
  name: 'batch_add_custom_records',
  description: 'Add several records to a custom table at once, 100 at most.',
  input: z.strictObject({ table: tableText, records: z.array(dataShape).min(1).max(largestBatch) }),
  tags: [
    'table',
    'rows',
    'entries',
    'insert',
    'many',
    'bulk',
    'import',
    'database',
    'these rows',
    'several entries',
  ],
  runs: 'gateway',
  describe: ({ table, records }) =>
    `Add ${counted(records.length, 'record', 'records')} to the table ${table}`,
  preview: ({ table, records }) =>
    rowsCard(
      `New records of ${table}`,
      [...new Set(records.flatMap((record) => Object.keys(record)))],
      records,
    ),
  effects: ({ table, records }, context) => rowsToAdd(table, records, context),
  run: ({ table, records }, context) => addRows(table, records, context),
})
