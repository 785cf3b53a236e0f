/** Owns what all tools for tables have in common. */
import type { JsonObject, RecordResource, StoredRecord } from '@countersign/contract'
import { z } from 'zod'
import { recordResource } from '../records/effects.ts'
import { recordLabel } from '../records/kept-label.ts'
import { recordLines } from '../records/record-lines.ts'
import { restoring } from '../records/undo.ts'
import { type DataTable, tablesCollection } from './table.ts'

export const tableText = z.string().max(63)
export const recordText = z.string().max(100)
export const dataShape = z.record(z.string(), z.unknown()) as unknown as z.ZodType<JsonObject>

export const dataFacts = { version: '1', category: 'data', group: 'customData', output: recordLabel } as const
export const readFacts = { ...dataFacts, effect: 'pure', floor: 0 } as const
export const changeFacts = { ...dataFacts, effect: 'idempotent', floor: 1, undo: restoring } as const

/** The columns that a decision was made on. */
export function tableResource(
  { name, record }: DataTable,
  op: RecordResource['op'] = 'read',
): RecordResource {
  return recordResource(tablesCollection, name, op, record.version)
}

export function noRecord(table: string, id: string): string {
  return `The table ${table} has no record ${id}. Look its id up with list_custom_records.`
}

export function tellRows(table: DataTable, rows: readonly StoredRecord[]): string {
  const names = table.columns.map(({ name }) => name)
  const long = table.columns.flatMap(({ name, type }) => (type === 'text' || type === 'json' ? [name] : []))
  return recordLines(rows, names, long)
}
