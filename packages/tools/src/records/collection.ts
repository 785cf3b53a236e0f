/**
 * Owns the one shape of a kind of record, from which its tools and its HTTP resource are made. Refuses data that does
 * not fit it, whoever brings the data.
 */
import { type JsonObject, type RecordQuery, type Scalar, timeOf } from '@countersign/contract'
import { z } from 'zod'
import type { GroupName } from '../groups.ts'

export interface CollectionParts {
  /** Its name in the store, and the plural in words. */
  readonly name: string
  readonly singular: string
  /** What ids begin with, before the underscore. */
  readonly prefix: string
  readonly category: string
  readonly group: GroupName
  /** What a caller may set, with defaults. */
  readonly shape: z.ZodObject
  /** Fields that have their default when a record is added, and are set by a change. */
  readonly later?: readonly string[]
  /** The field that a person knows a record by. */
  readonly title: string
  /** The fields that a list of new records is shown with. */
  readonly columns: readonly string[]
  /** The fields that may be long, and are cut where many are told. */
  readonly long: readonly string[]
  readonly search: readonly string[]
  /** Parameters that narrow a list down, by name. */
  readonly filters: Readonly<Record<string, Filter>>
  readonly order: NonNullable<RecordQuery['order']>
  /** What no single field can say: checks between fields, and fields that follow from others. */
  readonly settle?: (data: JsonObject, now: Date) => RecordData
}

export interface Filter {
  readonly field: string
  /** `from` and `to` are ends of a stretch of time, which are inside it. */
  readonly how: 'equal' | 'holds' | 'from' | 'to'
}

export type RecordData =
  | { readonly kind: 'data'; readonly data: JsonObject }
  | { readonly kind: 'invalid'; readonly reason: string }

export interface Collection extends CollectionParts {
  /** What may be given when a record is added. */
  readonly added: z.ZodObject
  /** What may be given when a record is changed: any field, and null for one that is to go. */
  readonly changed: z.ZodObject
  /** What a list may be narrowed down by. */
  readonly narrowed: z.ZodObject
}

export function defineCollection(parts: CollectionParts): Collection {
  const fields = Object.entries(parts.shape.shape).map(([name, field]) => ({ name, ...openField(field) }))
  const open = new Map(fields.map((field) => [field.name, field]))
  const typeOf = ({ field, how }: Filter) => {
    if (how === 'from' || how === 'to') return time
    return (how === 'equal' ? open.get(field)?.type : undefined) ?? z.string()
  }
  return {
    ...parts,
    added: z.strictObject(
      Object.fromEntries(Object.entries(parts.shape.shape).filter(([name]) => !parts.later?.includes(name))),
    ),
    changed: z.strictObject(
      Object.fromEntries(
        fields.map(({ name, type, mayGo }) => [name, (mayGo ? type.nullable() : type).exactOptional()]),
      ),
    ),
    narrowed: z.strictObject(
      Object.fromEntries(
        Object.entries(parts.filters).map(([name, filter]) => [name, typeOf(filter).exactOptional()]),
      ),
    ),
  }
}

/** The data of a new record. */
export function make(collection: Collection, given: JsonObject, now: Date): RecordData {
  const parsed = collection.shape.safeParse(given)
  if (!parsed.success) return { kind: 'invalid', reason: problemsOf(parsed.error) }
  return settle(collection, parsed.data as JsonObject, now)
}

/** The data of a record after a change. */
export function change(
  collection: Collection,
  before: JsonObject,
  changes: JsonObject,
  now: Date,
): RecordData {
  const merged = Object.entries({ ...before, ...changes }).filter(([, value]) => value !== null)
  const own = Object.fromEntries(merged.filter(([name]) => name in collection.shape.shape))
  const follows = Object.fromEntries(merged.filter(([name]) => !(name in collection.shape.shape)))
  const parsed = collection.shape.safeParse(own)
  if (!parsed.success) return { kind: 'invalid', reason: problemsOf(parsed.error) }
  return settle(collection, { ...follows, ...(parsed.data as JsonObject) }, now)
}

/** What a list asks for, from the parameters of a tool or a request. */
export function queryOf(
  collection: Collection,
  given: Readonly<Record<string, unknown>>,
  page: { readonly limit: number; readonly offset?: number },
): RecordQuery {
  const where: Record<string, Scalar> = {}
  const between: { field: string; from?: string; to?: string } = { field: '' }
  const query: { -readonly [Key in keyof RecordQuery]: RecordQuery[Key] } = {
    ...page,
    order: collection.order,
  }
  for (const [name, { field, how }] of Object.entries(collection.filters)) {
    const value = given[name] as Scalar | undefined
    if (value === undefined) continue
    if (how === 'equal') where[field] = value
    else if (how === 'holds') query.holds = { field, value: String(value) }
    else Object.assign(between, { field, [how]: endOf(String(value), how) })
  }
  if (Object.keys(where).length > 0) query.where = where
  if (between.field !== '') query.between = between
  const { search } = given
  if (typeof search === 'string' && search !== '') query.search = { text: search, fields: collection.search }
  return query
}

export function titleOf(collection: Collection, data: JsonObject): string {
  return shortened(textIn(data, collection.title), 80)
}

export function textIn(data: JsonObject, name: string): string {
  const value = data[name]
  if (value === undefined) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

export function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text
}

export function newId(prefix: string, uuid: string): string {
  return `${prefix}_${uuid.replaceAll('-', '')}`
}

export function problemsOf(error: z.ZodError): string {
  return error.issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`))
    .join('; ')
}

function settle(collection: Collection, data: JsonObject, now: Date): RecordData {
  return collection.settle ? collection.settle(data, now) : { kind: 'data', data }
}

/** As times are kept; a day that ends a stretch is wholly inside it. */
function endOf(text: string, how: 'from' | 'to'): string {
  const found = timeOf(text)
  if (how === 'to' && found?.kind === 'day') return `${found.text}T24`
  return found?.text ?? text
}

const time = z
  .string()
  .refine((text) => timeOf(text) !== undefined, 'must be a date or a time, as 2026-03-31')

function openField(field: unknown): { type: z.ZodType; mayGo: boolean } {
  if (field instanceof z.ZodOptional || field instanceof z.ZodExactOptional)
    return { type: field.unwrap() as z.ZodType, mayGo: true }
  if (field instanceof z.ZodDefault) return { type: field.unwrap() as z.ZodType, mayGo: false }
  return { type: field as z.ZodType, mayGo: false }
}
