/** Deletes a table with its records. Only a small one can be brought back. */
import { Buffer } from 'node:buffer'
import { CountersignError, canonicalText, type StoredRecord } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { tellingOf } from '../records/kept-label.ts'
import { counted } from '../records/record-lines.ts'
import { recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { changeFacts, tableResource, tableText } from './facts.ts'
import { findTable, noTable, rowsOf, tablesCollection } from './table.ts'

/** What an undo carries at most. */
export const mostRestored = { records: 200, bytes: 512 * 1024 } as const

export const deleteCustomTable = defineTool({
  ...changeFacts,
  name: 'delete_custom_table',
  description: 'Delete a custom table and all its records.',
  input: z.strictObject({ table: tableText }),
  tags: ['table', 'database', 'drop', 'remove', 'erase', 'dataset', 'whole table', 'get rid'],
  runs: 'gateway',
  describe: ({ table }) => `Delete the table ${table} and all its records`,
  preview: ({ table }) => ({ kind: 'text', title: 'Delete table', text: table }),
  async effects({ table }, context) {
    const found = await findTable(context.records, table)
    if (!found) return { kind: 'invalid', reason: noTable(table) }
    const { total, restorable } = await holdingsOf(table, context)
    return {
      kind: 'found',
      resources: [
        tableResource(found, 'delete'),
        // So many were decided on, and no more.
        recordResource(rowsOf(table), '*', 'delete', total),
      ],
      effects: [
        recordEffect('delete', `the table ${table} with ${counted(total, 'record', 'records')}`, restorable),
      ],
    }
  },
  async run({ table }, context) {
    const found = await findTable(context.records, table)
    if (!found) return failed(noTable(table))
    const { total, restorable, rows } = await holdingsOf(table, context)
    const removed = await context.records.clear(rowsOf(table))
    if (removed !== total) throw new CountersignError('conflict', `The table ${table} has changed meanwhile.`)
    await context.records.remove(tablesCollection, table, found.record.version)
    const gone = [
      { collection: tablesCollection, before: found.record },
      ...rows.map((before) => ({ collection: rowsOf(table), before })),
    ]
    const undo = recordUndo(gone.map((each) => ({ ...each, id: each.before.id, after: null })))
    const summary = `Deleted the table ${table} with ${counted(total, 'record', 'records')}`
    const text = restorable ? `${summary}. It can be undone.` : `${summary}.`
    return tellingOf([found.record], succeeded(text, summary, restorable ? undo : undefined))
  },
})

async function holdingsOf(
  table: string,
  context: RecordToolContext,
): Promise<{ total: number; restorable: boolean; rows: readonly StoredRecord[] }> {
  const { records: rows, total } = await context.records.list(rowsOf(table), { limit: mostRestored.records })
  const bytes = rows.reduce((sum, { data }) => sum + Buffer.byteLength(canonicalText(data)), 0)
  return { total, rows, restorable: total <= mostRestored.records && bytes <= mostRestored.bytes }
}
