/** Owns finding one record of a table by its id. */
import type { RecordResource, StoredRecord } from '@countersign/contract'
import type { Found } from '../definition.ts'
import type { Desk } from '../desk.ts'
import { shortened } from '../records/collection.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { noRecord, tableResource } from './facts.ts'
import { rowTitle } from './row.ts'
import { findTable, noTable, rowsOf, type Table } from './table.ts'

export type FoundRow =
  | { readonly kind: 'row'; readonly table: Table; readonly record: StoredRecord }
  | { readonly kind: 'invalid'; readonly reason: string }

export async function findRow(name: string, id: string, desk: Desk): Promise<FoundRow> {
  const table = await findTable(desk.records, name)
  if (!table) return { kind: 'invalid', reason: noTable(name) }
  const record = await desk.records.get(rowsOf(name), id)
  return record ? { kind: 'row', table, record } : { kind: 'invalid', reason: noRecord(name, id) }
}

export function rowEffects(
  { table, record }: Extract<FoundRow, { kind: 'row' }>,
  op: RecordResource['op'],
): Found {
  const title = shortened(rowTitle(table, record.data), 80)
  return {
    kind: 'found',
    resources: [tableResource(table), recordResource(rowsOf(table.name), record.id, op, record.version)],
    effects: [recordEffect(op, `the record “${title}” of the table ${table.name}`)],
  }
}
