/** Reads one record of a table. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { tellingOf } from '../records/kept-label.ts'
import { failed, succeeded } from '../result.ts'
import { readFacts, recordText, tableText, tellRows } from './facts.ts'
import { findRow, rowEffects } from './find-row.ts'

export const getCustomRecord = defineTool({
  ...readFacts,
  name: 'get_custom_record',
  description: 'Read one record of a custom table by its id.',
  input: z.strictObject({ table: tableText, recordId: recordText }),
  tags: ['table', 'row', 'entry', 'show', 'read', 'fetch', 'database', 'one entry'],
  runs: 'gateway',
  describe: ({ table, recordId }) => `Read the record ${recordId} of the table ${table}`,
  preview: ({ table, recordId }) => ({ kind: 'text', title: `Record of ${table}`, text: recordId }),
  async effects({ table, recordId }, context) {
    const found = await findRow(table, recordId, context)
    return found.kind === 'row' ? rowEffects(found, 'read') : found
  },
  async run({ table, recordId }, context) {
    const found = await findRow(table, recordId, context)
    if (found.kind === 'invalid') return failed(found.reason)
    const { record } = found
    const times = `Added ${record.createdAt}, changed ${record.updatedAt}.`
    return tellingOf(
      [record, found.table.record],
      succeeded(`${tellRows(found.table, [record])}\n${times}`, `Read a record of the table ${table}`),
    )
  },
})
