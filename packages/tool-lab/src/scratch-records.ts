/**
 * Owns records that last for one trial, in memory, and what was done to them. They answer as the operator's own do:
 * a change names the version it was made on, and text is stored well formed.
 */
import {
  CountersignError,
  type JsonObject,
  type JsonValue,
  type RecordQuery,
  type Records,
  type StoredRecord,
} from '@countersign/contract'

export interface RecordUse {
  readonly collection: string
  readonly id: string
  readonly op: 'read' | 'list' | 'write' | 'delete'
  /** It was not there before. */
  readonly isNew: boolean
}

export interface ScratchRecords {
  readonly records: Records
  readonly uses: readonly RecordUse[]
  /** Everything there is, but for versions, which only ever grow. */
  dump(): JsonObject
  /** Empties everything, the memory of uses too, and puts these in. */
  furnish(records: InitialRecords, now: Date): void
}

/** Collections, each with its records by id. */
export type InitialRecords = Readonly<Record<string, Readonly<Record<string, JsonObject>>>>

export function createScratchRecords(clock: () => Date): ScratchRecords {
  const collections = new Map<string, Map<string, StoredRecord>>()
  const uses: RecordUse[] = []
  const at = (collection: string) => {
    const known = collections.get(collection) ?? new Map<string, StoredRecord>()
    collections.set(collection, known)
    return known
  }
  const use = (op: RecordUse['op'], collection: string, id: string, isNew = false) =>
    void uses.push({ collection, id, op, isNew })
  const keep = (collection: string, record: StoredRecord): StoredRecord => {
    const kept = { ...record, data: wellFormed(record.data) as JsonObject }
    at(collection).set(record.id, kept)
    return structuredClone(kept)
  }
  const present = (collection: string, id: string, version: number): StoredRecord => {
    const found = at(collection).get(id)
    if (!found) throw new CountersignError('not_found', `${id} is gone.`)
    if (found.version !== version) throw new CountersignError('conflict', `${id} has changed meanwhile.`)
    return found
  }
  const records: Records = {
    async get(collection, id) {
      use('read', collection, id)
      return structuredClone(at(collection).get(id))
    },
    async list(collection, query) {
      use('list', collection, '*')
      const found = [...at(collection).values()]
        .filter((record) => fits(record, query))
        .toSorted(orderOf(query))
      const first = query.offset ?? 0
      return { records: structuredClone(found.slice(first, first + query.limit)), total: found.length }
    },
    async insert(collection, id, data, label) {
      if (at(collection).has(id)) throw new CountersignError('conflict', `The id ${id} is taken.`)
      use('write', collection, id, true)
      const now = clock().toISOString()
      return keep(collection, { id, data, label, version: 1, createdAt: now, updatedAt: now })
    },
    async replace(collection, id, version, data, label) {
      const found = present(collection, id, version)
      use('write', collection, id)
      return keep(collection, {
        ...found,
        data,
        label,
        version: version + 1,
        updatedAt: clock().toISOString(),
      })
    },
    async remove(collection, id, version) {
      present(collection, id, version)
      use('delete', collection, id)
      at(collection).delete(id)
    },
    async restore(collection, record) {
      const found = at(collection).get(record.id)
      use('write', collection, record.id, !found)
      return keep(collection, { ...record, version: (found?.version ?? record.version) + 1 })
    },
    async clear(collection) {
      const { size } = at(collection)
      if (size > 0) use('delete', collection, '*')
      collections.delete(collection)
      return size
    },
    async count(prefix) {
      const found = [...collections].filter(([name, { size }]) => name.startsWith(prefix) && size > 0)
      return new Map(found.map(([name, { size }]) => [name, size]))
    },
  }
  return {
    records,
    uses,
    dump() {
      const rows = [...collections].flatMap(([name, kept]) =>
        [...kept.values()].map((record) => [`${name}/${record.id}`, { ...record, version: 0 }] as const),
      )
      const sorted = rows.toSorted(([left], [right]) => (left < right ? -1 : 1))
      return JSON.parse(JSON.stringify(Object.fromEntries(sorted))) as JsonObject
    },
    furnish(given, now) {
      collections.clear()
      const time = now.toISOString()
      for (const [collection, kept] of Object.entries(given))
        for (const [id, data] of Object.entries(kept))
          keep(collection, { id, data, label: null, version: 1, createdAt: time, updatedAt: time })
      uses.length = 0
    },
  }
}

function fits({ data }: StoredRecord, { where, between, holds, search }: RecordQuery): boolean {
  const equal = Object.entries(where ?? {}).every(([field, value]) => data[field] === value)
  const list = holds && data[holds.field]
  const isHeld = !holds || (Array.isArray(list) && list.includes(holds.value))
  return equal && isHeld && liesBetween(data, between) && holdsWords(data, search)
}

function liesBetween(data: JsonObject, between: RecordQuery['between']): boolean {
  if (!between) return true
  const value = textOf(data[between.field])
  const { from, to } = between
  return (
    (from === undefined || (value !== null && value >= from)) &&
    (to === undefined || (value !== null && value <= to))
  )
}

function holdsWords(data: JsonObject, search: RecordQuery['search']): boolean {
  if (!search) return true
  const hay = search.fields
    .map((field) => textOf(data[field]) ?? '')
    .join(' ')
    .toLowerCase()
  return search.text.split(/\s+/).every((word) => hay.includes(word.toLowerCase()))
}

function orderOf({ order = [] }: RecordQuery): (left: StoredRecord, right: StoredRecord) => number {
  const valueOf = (record: StoredRecord, field: string) =>
    field === 'createdAt' || field === 'updatedAt' ? record[field] : (record.data[field] ?? null)
  return (left, right) => {
    for (const { field, direction } of order) {
      const [a, b] = [valueOf(left, field), valueOf(right, field)]
      // What has no value is last in either direction.
      if (a === null || b === null) {
        if (a !== b) return a === null ? 1 : -1
        continue
      }
      const compared = compare(a, b)
      if (compared !== 0) return direction === 'up' ? compared : -compared
    }
    return left.createdAt === right.createdAt
      ? compare(right.id, left.id)
      : compare(right.createdAt, left.createdAt)
  }
}

/** Numbers come before texts, and texts whatever their case. */
function compare(left: JsonValue, right: JsonValue): number {
  if (typeof left === 'number' && typeof right === 'number') return left - right
  if (typeof left !== typeof right) return typeof left === 'number' ? -1 : 1
  const [a, b] = [textOf(left)?.toLowerCase() ?? '', textOf(right)?.toLowerCase() ?? '']
  if (a === b) return 0
  return a < b ? -1 : 1
}

function textOf(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function wellFormed(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\uFFFD')
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, wellFormed(each)]))
}
