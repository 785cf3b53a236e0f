/** Changes columns of one record of a table. */
import type { JsonObject } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { fieldsCard } from '../records/cards.ts'
import { keptLabel, tellingOf } from '../records/kept-label.ts'
import { recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { changeFacts, dataShape, recordText, tableText, tellRows } from './facts.ts'
import { findRow, type RowLookup, rowEffects } from './find-row.ts'
import { changedRow, takenIn } from './row.ts'
import { rowsOf } from './table.ts'

export const updateCustomRecord = defineTool({
  ...changeFacts,
  name: 'update_custom_record',
  description: 'Change columns of a record of a custom table; null removes a value.',
  input: z.strictObject({
    table: tableText,
    recordId: recordText,
    data: dataShape.refine((data) => Object.keys(data).length > 0, 'Give at least one column to change.'),
  }),
  tags: ['table', 'row', 'entry', 'edit', 'modify', 'change', 'correct', 'set', 'database'],
  runs: 'gateway',
  describe: ({ table, recordId, data }) =>
    `Change the record ${recordId} of the table ${table}: ${Object.keys(data).join(', ')}`,
  preview: ({ table, recordId, data }) => fieldsCard(`Changes to ${recordId} of ${table}`, data),
  async effects({ table, recordId, data }, context) {
    const changed = await changedBy(table, recordId, data, context)
    return changed.kind === 'changed' ? rowEffects(changed.found, 'write') : changed
  },
  async run({ table, recordId, data }, context) {
    const changed = await changedBy(table, recordId, data, context)
    if (changed.kind === 'invalid') return failed(changed.reason)
    const before = changed.found.record
    const label = keptLabel(context, before.label)
    const after = await context.records.replace(rowsOf(table), before.id, before.version, changed.row, label)
    const summary = `Changed a record of the table ${table}`
    const undo = recordUndo([{ collection: rowsOf(table), id: before.id, before, after }])
    return tellingOf(
      [after, changed.found.table.record],
      succeeded(`${summary}.\n${tellRows(changed.found.table, [after])}`, summary, undo),
    )
  },
})

type RowChange =
  | {
      readonly kind: 'changed'
      readonly found: Extract<RowLookup, { kind: 'row' }>
      readonly row: JsonObject
    }
  | { readonly kind: 'invalid'; readonly reason: string }

async function changedBy(
  table: string,
  id: string,
  data: JsonObject,
  context: RecordToolContext,
): Promise<RowChange> {
  const found = await findRow(table, id, context)
  if (found.kind === 'invalid') return found
  const made = changedRow(found.table, found.record.data, data)
  if (made.kind === 'invalid') return made
  const reason = await takenIn(context.records, found.table, made.row, id)
  return reason === undefined ? { kind: 'changed', found, row: made.row } : { kind: 'invalid', reason }
}
