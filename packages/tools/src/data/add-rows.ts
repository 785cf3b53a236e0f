/** Owns adding records to a table, one or many: all of them or none. */
import type { JsonObject, StoredRecord, ToolResult } from '@countersign/contract'
import type { EffectsResult } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { newId } from '../records/collection.ts'
import { newRecord, recordEffect, recordResource } from '../records/effects.ts'
import { keptLabel } from '../records/kept-label.ts'
import { counted, lines } from '../records/record-lines.ts'
import { recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { tableResource } from './facts.ts'
import { newRow, takenIn } from './row.ts'
import { type DataTable, findTable, noTable, rowsOf } from './table.ts'

export async function rowsToAdd(
  name: string,
  items: readonly JsonObject[],
  context: RecordToolContext,
): Promise<EffectsResult> {
  const ready = await prepared(name, items, context)
  if (ready.kind === 'invalid') return ready
  return {
    kind: 'found',
    resources: [tableResource(ready.table), recordResource(rowsOf(name), newRecord, 'write', null)],
    effects: [
      recordEffect('write', `${counted(items.length, 'new record', 'new records')} in the table ${name}`),
    ],
  }
}

export async function addRows(
  name: string,
  items: readonly JsonObject[],
  context: RecordToolContext,
): Promise<ToolResult> {
  const ready = await prepared(name, items, context)
  if (ready.kind === 'invalid') return failed(ready.reason)
  const label = keptLabel(context)
  const added: StoredRecord[] = []
  for (const row of ready.rows) {
    added.push(await context.records.insert(rowsOf(name), newId('row', context.uuid()), row, label))
  }
  const summary = `Added ${counted(added.length, 'record', 'records')} to the table ${name}`
  const changes = added.map((after) => ({ collection: rowsOf(name), id: after.id, before: null, after }))
  return succeeded(`${summary}.\n${lines(added.map(({ id }) => ({ id })))}`, summary, recordUndo(changes))
}

type PreparedRows =
  | { readonly kind: 'ready'; readonly table: DataTable; readonly rows: readonly JsonObject[] }
  | { readonly kind: 'invalid'; readonly reason: string }

async function prepared(
  name: string,
  items: readonly JsonObject[],
  context: RecordToolContext,
): Promise<PreparedRows> {
  const table = await findTable(context.records, name)
  if (!table) return { kind: 'invalid', reason: noTable(name) }
  const rows: JsonObject[] = []
  for (const [index, item] of items.entries()) {
    const made = newRow(table, item)
    const reason =
      made.kind === 'invalid'
        ? made.reason
        : (twiceIn(table, made.row, rows) ?? (await takenIn(context.records, table, made.row, null)))
    if (reason !== undefined)
      return { kind: 'invalid', reason: items.length === 1 ? reason : `records.${index}: ${reason}` }
    if (made.kind === 'row') rows.push(made.row)
  }
  return { kind: 'ready', table, rows }
}

function twiceIn(table: DataTable, row: JsonObject, others: readonly JsonObject[]): string | undefined {
  const column = table.columns.find(
    ({ name, unique }) =>
      unique && row[name] !== undefined && others.some((other) => other[name] === row[name]),
  )
  return column && `Two of the records have the same ${column.name}, and it is unique.`
}
