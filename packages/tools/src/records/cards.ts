/** Owns what an approver is shown of a call on records. */
import type { JsonObject, JsonValue, Preview } from '@countersign/contract'

/** The fields of one record, or of one change. */
export function fieldsCard(title: string, data: JsonObject): Preview {
  const rows = Object.entries(data).map(([name, value]) => [name, cell(value)])
  return { kind: 'table', title, columns: ['Field', 'Value'], rows }
}

export function rowsCard(title: string, columns: readonly string[], items: readonly JsonObject[]): Preview {
  const used = columns.filter((name) => items.some((item) => name in item))
  const rows = items.map((item) => used.map((name) => cell(item[name])))
  return { kind: 'table', title, columns: used, rows }
}

function cell(value: JsonValue | undefined): string {
  if (value === undefined) return ''
  if (value === null) return '(removed)'
  return typeof value === 'string' ? value : JSON.stringify(value)
}
