/** Owns how a call on records is described before it is decided on: resources with their versions, and effects. */
import type { Effect, RecordResource, StoredRecord } from '@countersign/contract'
import type { EffectsResult } from '../definition.ts'
import { type Collection, titleOf } from './collection.ts'

/** Stands for records that have no id yet. */
export const newRecord = 'new'

export function recordResource(
  collection: string,
  id: string,
  op: RecordResource['op'],
  version: number | null,
): RecordResource {
  return { type: 'record', collection, id, op, version }
}

export function recordEffect(verb: RecordResource['op'], object: string, reversible = true): Effect {
  return { verb, object, scope: 'inside', reversible, outward: false, leaves: [] }
}

export function adding(collection: Collection, count: number): EffectsResult {
  const object = count === 1 ? `a new ${collection.singular}` : `${count} new ${collection.name}`
  return {
    kind: 'found',
    resources: [recordResource(collection.name, newRecord, 'write', null)],
    effects: [recordEffect('write', object)],
  }
}

export function listing(collection: string, object: string): EffectsResult {
  return {
    kind: 'found',
    resources: [recordResource(collection, '*', 'list', null)],
    effects: [recordEffect('list', object)],
  }
}

export function touching(
  collection: Collection,
  op: 'write' | 'delete',
  record: StoredRecord,
): EffectsResult {
  const title = titleOf(collection, record.data)
  return {
    kind: 'found',
    resources: [{ ...recordResource(collection.name, record.id, op, record.version), title }],
    effects: [recordEffect(op, `the ${collection.singular} “${title}”`)],
  }
}

export function missing(collection: Collection, id: string): string {
  return `There is no ${collection.singular} ${id}. Look its id up with ${listName(collection)}.`
}

/** The calendar's tools speak of calendar events, and those for money query. */
function listName({ name, category }: Collection): string {
  if (category === 'finance') return `query_${name}`
  return category === 'calendar' ? 'list_calendar_events' : `list_${name}`
}
