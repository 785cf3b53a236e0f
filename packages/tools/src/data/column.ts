/** Owns what a value of a column may be. Refuses a value of another type, and never guesses one. */
import { isDay, type JsonValue, type TableColumn, timeOf } from '@countersign/contract'

export type ColumnValue =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'invalid'; readonly reason: string }

/** A value in the one form in which it is kept and compared. */
export function valueIn(column: TableColumn, given: JsonValue): ColumnValue {
  const value = formOf(column, given)
  if (value !== undefined) return { kind: 'value', value }
  return { kind: 'invalid', reason: `${column.name} must be ${wanted[column.type]}, not ${wordFor(given)}.` }
}

const wanted: Readonly<Record<TableColumn['type'], string>> = {
  text: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  date: 'a date as 2026-03-31',
  datetime: 'a time as 2026-03-31T14:30:00',
  json: 'any value',
  select: 'one of its options, which describe_custom_table tells',
}

function formOf({ type, options }: TableColumn, given: JsonValue): JsonValue | undefined {
  switch (type) {
    case 'text':
      return typeof given === 'string' ? given : undefined
    case 'number':
      return typeof given === 'number' ? given : undefined
    case 'integer':
      return Number.isSafeInteger(given) ? given : undefined
    case 'boolean':
      return typeof given === 'boolean' ? given : undefined
    case 'date':
      return typeof given === 'string' && isDay(given) ? given : undefined
    case 'datetime': {
      const time = typeof given === 'string' ? timeOf(given) : undefined
      return time && time.kind !== 'day' ? time.text : undefined
    }
    case 'json':
      return given
    case 'select':
      return typeof given === 'string' && options?.includes(given) ? given : undefined
  }
}

function wordFor(value: JsonValue): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return value.length > 40 ? 'that text' : `the text ${JSON.stringify(value)}`
  return typeof value === 'object' ? 'an object' : String(value)
}
