/** Owns which fields of events and contacts both sides have, and when two states of them are the same. */
import type { JsonObject, SyncKind } from '@countersign/contract'
import { type Collection, newRecordData, recordResources, type SyncedFields } from '@countersign/tools'

const names: Readonly<Record<SyncKind, readonly string[]>> = {
  event: ['title', 'startTime', 'endTime', 'isAllDay', 'location', 'description', 'category', 'reminder'],
  contact: ['name', 'email', 'phone', 'company', 'jobTitle', 'birthday', 'address', 'notes'],
}
const times = ['startTime', 'endTime', 'isAllDay']
const paths: Readonly<Record<SyncKind, string>> = { event: 'calendar', contact: 'contacts' }

export const kinds: readonly SyncKind[] = ['event', 'contact']

export function collectionOf(kind: SyncKind): Collection {
  const found = recordResources.find(({ path }) => path === paths[kind])
  if (!found) throw new TypeError(`no collection for ${kind}`)
  return found.collection
}

/** What of a record goes to a server. */
export function fieldsOf(kind: SyncKind, data: JsonObject): SyncedFields {
  const fields: SyncedFields = {}
  for (const name of names[kind]) {
    const value = data[name]
    if (typeof value === 'string' && value !== '') fields[name] = value.replaceAll('\r\n', '\n')
    else if (typeof value === 'number' || typeof value === 'boolean') fields[name] = value
  }
  return fields
}

/** What the record holds besides stays; nothing where the fields make no record. */
export function dataWith(
  kind: SyncKind,
  before: JsonObject,
  fields: SyncedFields,
  now: Date,
): JsonObject | undefined {
  const own = Object.fromEntries(Object.entries(before).filter(([name]) => !names[kind].includes(name)))
  const made = newRecordData(collectionOf(kind), { ...own, ...fields }, now)
  return made.kind === 'data' ? made.data : undefined
}

export function isSame(left: SyncedFields, right: SyncedFields): boolean {
  const all = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...all].every((name) => left[name] === right[name])
}

/** What must be set and taken away to get from one state to the other. Times go together. */
export function difference(
  from: SyncedFields,
  to: SyncedFields,
): { readonly set: SyncedFields; readonly unset: string[] } {
  const changed = new Set(
    [...Object.keys(from), ...Object.keys(to)].filter((name) => from[name] !== to[name]),
  )
  if (times.some((name) => changed.has(name))) for (const name of times) changed.add(name)
  const set: SyncedFields = {}
  const unset: string[] = []
  for (const name of changed) {
    const value = to[name]
    if (value !== undefined) set[name] = value
    else if (from[name] !== undefined) unset.push(name)
  }
  return { set, unset }
}

export function titleOf(kind: SyncKind, fields: Readonly<Record<string, unknown>>): string {
  const title = fields[kind === 'event' ? 'title' : 'name']
  return typeof title === 'string' ? title.slice(0, 300) : ''
}
