/** Owns finding one record of a table by its id. */
import type { RecordResource, StoredRecord } from '@countersign/contract'
import type { EffectsResult } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { shortened } from '../records/collection.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { noRecord, tableResource } from './facts.ts'
import { rowTitle } from './row.ts'
import { type DataTable, findTable, noTable, rowsOf } from './table.ts'

export type RowLookup =
  | { readonly kind: 'row'; readonly table: DataTable; readonly record: StoredRecord }
  | { readonly kind: 'invalid'; readonly reason: string }

export async function findRow(name: string, id: string, context: RecordToolContext): Promise<RowLookup> {
  const table = await findTable(context.records, name)
  if (!table) return { kind: 'invalid', reason: noTable(name) }
  const record = await context.records.get(rowsOf(name), id)
  return record ? { kind: 'row', table, record } : { kind: 'invalid', reason: noRecord(name, id) }
}

export function rowEffects(
  { table, record }: Extract<RowLookup, { kind: 'row' }>,
  op: RecordResource['op'],
): EffectsResult {
  const title = shortened(rowTitle(table, record.data), 80)
  return {
    kind: 'found',
    resources: [tableResource(table), recordResource(rowsOf(table.name), record.id, op, record.version)],
    effects: [recordEffect(op, `the record “${title}” of the table ${table.name}`)],
  }
}
