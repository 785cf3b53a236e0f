/** Owns how the fields of a record are written in a form, and read from it again. */
import { dayWords } from '../../language/day.ts'
import type { RecordField } from './kinds.ts'

export type RecordValues = Record<string, string | boolean>
type Data = Readonly<Record<string, unknown>>

export function formValues(fields: readonly RecordField[], data: Data): RecordValues {
  return Object.fromEntries(fields.map((field) => [field.name, formValue(field, data[field.name])]))
}

function formValue({ kind }: RecordField, value: unknown): string | boolean {
  if (kind === 'truth') return value === true
  if (kind === 'tags') return Array.isArray(value) ? value.join(', ') : ''
  if (typeof kind === 'object') return typeof value === 'string' ? value : (kind[1] ?? kind[0] ?? '')
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return kind === 'day' ? text.slice(0, 10) : kind === 'time' ? localInput(text) : text
}

/** A value as text; nothing where there is none. */
export function textIn(data: Data, name: string): string {
  const value = data[name]
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** The day of a date, as people write it. */
export function dayInWords(text: string): string {
  return dayWords(text.slice(0, 10))
}

/** What a control for a date and a time takes: without a zone, to the minute. */
export function localInput(text: string): string {
  if (text.length <= 10) return `${text}T00:00`
  if (!/Z|[+-]\d{2}:?\d{2}$/.test(text.slice(10))) return text.slice(0, 16)
  const at = new Date(text)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** Only what was filled in, for a new record. */
export function addedArgs(fields: readonly RecordField[], values: RecordValues): Data {
  return Object.fromEntries(
    fields.flatMap((field) => {
      const value = recordValue(field, values)
      return value === null || value === undefined ? [] : [[field.name, value] as const]
    }),
  )
}

/** Only what differs; what was emptied is null. */
export function changedArgs(fields: readonly RecordField[], before: Data, values: RecordValues): Data {
  const began = formValues(fields, before)
  const other = fields.filter(({ name }) => began[name] !== values[name])
  const times = fields.filter(
    ({ kind, name }) =>
      kind === 'time' &&
      other.some((each) => each.kind === 'time' || each.name === 'isAllDay') &&
      values[name] !== '',
  )
  return Object.fromEntries(
    [...new Set([...other, ...times])].map((field) => [field.name, recordValue(field, values)]),
  )
}

function recordValue(field: RecordField, values: RecordValues): unknown {
  const { name, kind } = field
  const value = values[name]
  if (typeof value === 'boolean') return value
  const text = (value ?? '').trim()
  if (kind === 'tags') return text.split(',').flatMap((tag) => (tag.trim() === '' ? [] : tag.trim()))
  if (kind === 'markdown') return value ?? ''
  if (text === '') return null
  if (kind === 'number') return Number(text)
  // Where people write a comma for the point.
  if (kind === 'amount') return text.replace(/^(-?\d+),(\d+)$/, '$1.$2')
  if (kind !== 'time') return text
  return values['isAllDay'] === true ? text.slice(0, 10) : `${text}:00`
}
