/** Deletes one record of a table; an undo brings it back. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { tellingOf } from '../records/kept-label.ts'
import { recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { changeFacts, recordText, tableText } from './facts.ts'
import { findRow, rowEffects } from './find-row.ts'
import { rowsOf } from './table.ts'

export const deleteCustomRecord = defineTool({
  ...changeFacts,
  name: 'delete_custom_record',
  description: 'Delete a record of a custom table.',
  input: z.strictObject({ table: tableText, recordId: recordText }),
  tags: ['table', 'row', 'entry', 'remove', 'erase', 'database', 'last row', 'get rid'],
  runs: 'gateway',
  describe: ({ table, recordId }) => `Delete the record ${recordId} of the table ${table}`,
  preview: ({ table, recordId }) => ({ kind: 'text', title: `Delete record of ${table}`, text: recordId }),
  async effects({ table, recordId }, context) {
    const found = await findRow(table, recordId, context)
    return found.kind === 'row' ? rowEffects(found, 'delete') : found
  },
  async run({ table, recordId }, context) {
    const found = await findRow(table, recordId, context)
    if (found.kind === 'invalid') return failed(found.reason)
    const { record: before } = found
    await context.records.remove(rowsOf(table), before.id, before.version)
    const summary = `Deleted a record of the table ${table}`
    const undo = recordUndo([{ collection: rowsOf(table), id: before.id, before, after: null }])
    return tellingOf([before], succeeded(`${summary}. It can be undone.`, summary, undo))
  },
})
