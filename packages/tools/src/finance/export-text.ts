/** Owns expenses as a file: a table for a spreadsheet, or JSON. Refuses to hand a spreadsheet a formula. */
import { type JsonObject, type StoredRecord, spreadsheetText } from '@countersign/contract'
import { textIn } from '../records/collection.ts'
import { csvLine } from '../utilities/csv.ts'

export type ExportFormat = 'csv' | 'json'

const columns = [
  'date',
  'amount',
  'currency',
  'category',
  'description',
  'payee',
  'paymentMethod',
  'tags',
  'notes',
  'id',
] as const

export function exportText(
  found: readonly Pick<StoredRecord, 'id' | 'data'>[],
  format: ExportFormat,
): string {
  if (format === 'json')
    return `${JSON.stringify(
      found.map(({ id, data }) => ({ id, ...inOrder(data) })),
      null,
      2,
    )}\n`
  const rows = found.map(({ id, data }) => columns.map((name) => cellOf(name, { ...data, id })))
  return [columns, ...rows].map((row) => `${csvLine(row, ',')}\n`).join('')
}

function inOrder(data: JsonObject): JsonObject {
  const first = columns.filter((name) => name in data)
  return { ...Object.fromEntries(first.map((name) => [name, data[name] ?? null])), ...data }
}

function cellOf(name: (typeof columns)[number], data: JsonObject): string {
  const { tags } = data
  if (name === 'tags')
    return spreadsheetText(
      Array.isArray(tags) ? tags.map((tag) => (typeof tag === 'string' ? tag : '')).join('; ') : '',
    )
  const text = textIn(data, name)
  // Our own decimal, whose minus is a sign.
  return name === 'amount' ? text : spreadsheetText(text)
}
