/** Owns what a record of a table may hold: a fitting value for each column, and nothing that has no column. */
import { Buffer } from 'node:buffer'
import {
  canonicalText,
  type JsonObject,
  type RecordQuery,
  type Records,
  type Scalar,
} from '@countersign/contract'
import { valueIn } from './column.ts'
import { columnsInWords, type DataTable, largestRow, rowsOf } from './table.ts'

export type RowResult =
  | { readonly kind: 'row'; readonly row: JsonObject }
  | { readonly kind: 'invalid'; readonly reason: string }

export function newRow(table: DataTable, given: JsonObject): RowResult {
  const defaults = table.columns.flatMap((column) =>
    column.default === undefined ? [] : [[column.name, column.default] as const],
  )
  return rowFrom(table, { ...Object.fromEntries(defaults), ...withoutNulls(given) }, given)
}

export function changedRow(table: DataTable, before: JsonObject, changes: JsonObject): RowResult {
  return rowFrom(table, withoutNulls({ ...before, ...changes }), changes)
}

/** Says which column already has the value somewhere else. */
export async function takenIn(
  records: Records,
  table: DataTable,
  row: JsonObject,
  own: string | null,
): Promise<string | undefined> {
  for (const { name, unique } of table.columns) {
    const value = row[name]
    if (!unique || value === undefined) continue
    const { records: found } = await records.list(rowsOf(table.name), {
      where: { [name]: value as Scalar },
      limit: 2,
    })
    if (found.some(({ id }) => id !== own))
      return `Another record has this ${name} already, and it is unique.`
  }
  return undefined
}

export interface RowQuery {
  readonly filter?: JsonObject
  readonly sortBy?: string
  readonly sortOrder?: 'asc' | 'desc'
  readonly search?: string
  readonly limit: number
  readonly offset?: number
}

export function rowsQuery(
  table: DataTable,
  asked: RowQuery,
):
  | { readonly kind: 'query'; readonly query: RecordQuery }
  | { readonly kind: 'invalid'; readonly reason: string } {
  const where: Record<string, Scalar> = {}
  for (const [name, given] of Object.entries(asked.filter ?? {})) {
    const column = table.columns.find((each) => each.name === name)
    if (!column) return unknown(table, name)
    if (column.type === 'json')
      return { kind: 'invalid', reason: `${name} is json; it cannot be filtered by.` }
    const value = valueIn(column, given)
    if (value.kind === 'invalid') return value
    where[name] = value.value as Scalar
  }
  const { sortBy, sortOrder = 'asc', search, limit, offset = 0 } = asked
  const sortable = ['createdAt', 'updatedAt', ...table.columns.map(({ name }) => name)]
  if (sortBy !== undefined && !sortable.includes(sortBy)) return unknown(table, sortBy)
  const order =
    sortBy === undefined ? [] : [{ field: sortBy, direction: sortOrder === 'asc' ? 'up' : 'down' } as const]
  const fields = table.columns.map(({ name }) => name)
  const query = {
    where,
    order,
    limit,
    offset,
    ...(search === undefined ? {} : { search: { text: search, fields } }),
  }
  return { kind: 'query', query }
}

/** The value of the first column that has one: what a person knows a row by. */
export function rowTitle(table: DataTable, row: JsonObject): string {
  const value = table.columns.map(({ name }) => row[name]).find((each) => each !== undefined)
  return value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
}

function rowFrom(table: DataTable, merged: JsonObject, given: JsonObject): RowResult {
  const stranger = Object.keys(given).find((name) => table.columns.every((column) => column.name !== name))
  if (stranger !== undefined) return unknown(table, stranger)
  const row: JsonObject = {}
  for (const column of table.columns) {
    const value = merged[column.name]
    if (value !== undefined) {
      const kept = valueIn(column, value)
      if (kept.kind === 'invalid') return kept
      row[column.name] = kept.value
    } else if (column.required) {
      return { kind: 'invalid', reason: `${column.name} is required.` }
    }
  }
  const bytes = Buffer.byteLength(canonicalText(row))
  if (bytes > largestRow)
    return { kind: 'invalid', reason: `The record has ${bytes} bytes; ${largestRow} is the most.` }
  return { kind: 'row', row }
}

function unknown(table: DataTable, name: string): { kind: 'invalid'; reason: string } {
  return {
    kind: 'invalid',
    reason: `The table ${table.name} has no column ${name}. Its columns: ${columnsInWords(table.columns)}.`,
  }
}

function withoutNulls(data: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
}
