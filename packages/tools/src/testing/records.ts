/** The port to records for tests: in memory, with the same answers as the database. Never for use outside tests. */
import {
  CountersignError,
  type JsonObject,
  type JsonValue,
  type Label,
  type RecordQuery,
  type Records,
  type StoredRecord,
} from '@countersign/contract'

export interface MemoryRecords extends Records {
  now: Date
}

export function createMemoryRecords(start = new Date('2026-03-01T12:00:00.000Z')): MemoryRecords {
  const collections = new Map<string, Map<string, StoredRecord>>()
  const at = (collection: string) => {
    const known = collections.get(collection) ?? new Map<string, StoredRecord>()
    collections.set(collection, known)
    return known
  }

  function keep(collection: string, record: StoredRecord): StoredRecord {
    const clean = { ...record, data: cleaned(record.data) as JsonObject, label: ownLabel(record.label) }
    at(collection).set(record.id, clean)
    return structuredClone(clean)
  }

  function present(collection: string, id: string, version: number): StoredRecord {
    const found = at(collection).get(id)
    if (!found) throw new CountersignError('not_found', `${id} is gone.`)
    if (found.version !== version) throw new CountersignError('conflict', `${id} has changed meanwhile.`)
    return found
  }

  const memory: MemoryRecords = {
    now: start,
    async get(collection, id) {
      const found = at(collection).get(id)
      return found && structuredClone(found)
    },
    async list(collection, query) {
      const found = [...at(collection).values()]
        .filter((record) => fits(record, query))
        .toSorted(orderOf(query))
      const first = query.offset ?? 0
      return { records: structuredClone(found.slice(first, first + query.limit)), total: found.length }
    },
    async insert(collection, id, data, label) {
      if (at(collection).has(id)) throw new CountersignError('conflict', `The id ${id} is taken.`)
      const now = memory.now.toISOString()
      return keep(collection, { id, data, label, version: 1, createdAt: now, updatedAt: now })
    },
    async replace(collection, id, version, data, label) {
      const found = present(collection, id, version)
      const updatedAt = memory.now.toISOString()
      return keep(collection, { ...found, data, label, version: version + 1, updatedAt })
    },
    async remove(collection, id, version) {
      present(collection, id, version)
      at(collection).delete(id)
    },
    async restore(collection, record) {
      const version = (at(collection).get(record.id)?.version ?? record.version) + 1
      return keep(collection, { ...record, version })
    },
    async clear(collection) {
      const { size } = at(collection)
      collections.delete(collection)
      return size
    },
    async count(prefix) {
      const found = [...collections].filter(([name, { size }]) => name.startsWith(prefix) && size > 0)
      return new Map(found.map(([name, { size }]) => [name, size]))
    },
  }
  return memory
}

/** Every record of the operator as it is, but for the versions, which only ever grow. */
export async function dumpOf(records: Records): Promise<JsonObject> {
  const dump: JsonObject = {}
  for (const name of [...(await records.count('')).keys()].toSorted()) {
    const { records: found } = await records.list(name, {
      order: [{ field: 'createdAt', direction: 'up' }],
      limit: 100_000,
    })
    const rows = found.map(({ id, data, label, createdAt, updatedAt }) => ({
      id,
      data,
      label: label && { ...label },
      createdAt,
      updatedAt,
    }))
    dump[name] = rows.toSorted((left, right) => compare(left.id, right.id)) as JsonValue
  }
  return dump
}

function fits({ data }: StoredRecord, { where, between, holds, search }: RecordQuery): boolean {
  const equal = Object.entries(where ?? {}).every(([field, value]) => data[cleaned(field)] === cleaned(value))
  const list = holds && data[holds.field]
  const held = !holds || (Array.isArray(list) && list.includes(cleaned(holds.value)))
  const value = between && textOf(data[between.field])
  const inside =
    !between ||
    ((between.from === undefined || (value != null && compare(value, between.from) >= 0)) &&
      (between.to === undefined || (value != null && compare(value, between.to) <= 0)))
  const words = search?.text.split(/\s+/).filter((word) => word !== '') ?? []
  const hay =
    search?.fields
      .flatMap((field) => textOf(data[field]) ?? [])
      .join(' ')
      .toLowerCase() ?? ''
  return equal && held && inside && words.every((word) => hay.includes(cleaned(word).toLowerCase()))
}

function orderOf({ order = [] }: RecordQuery): (left: StoredRecord, right: StoredRecord) => number {
  return (left, right) => {
    for (const { field, direction } of order) {
      const first = direction === 'up' ? 1 : -1
      if (field === 'createdAt' || field === 'updatedAt') {
        if (left[field] !== right[field]) return first * compare(left[field], right[field])
        continue
      }
      const [a, b] = [left.data[field], right.data[field]]
      const numbers = last(
        typeof a === 'number' ? a : null,
        typeof b === 'number' ? b : null,
        (x, y) => x - y,
        first,
      )
      if (numbers !== 0) return numbers
      const texts = last(textOf(a)?.toLowerCase() ?? null, textOf(b)?.toLowerCase() ?? null, compare, first)
      if (texts !== 0) return texts
    }
    return compare(right.createdAt, left.createdAt) || compare(right.id, left.id)
  }
}

/** What has no value is last in either direction. */
function last<T>(left: T | null, right: T | null, by: (left: T, right: T) => number, sign: number): number {
  if (left === null || right === null) return Number(left === null) - Number(right === null)
  return sign * by(left, right)
}

function textOf(value: JsonValue | undefined): string | null {
  if (value === undefined || value === null) return null
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** By code points, as bytes of UTF-8 compare. */
function compare(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

function ownLabel(label: Label | null): Label | null {
  return label && (cleaned({ ...label }) as unknown as Label)
}

function cleaned(value: string): string
function cleaned(value: JsonValue): JsonValue
function cleaned(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\uFFFD')
  if (Array.isArray(value)) return value.map((each) => cleaned(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [cleaned(key), cleaned(each)]))
}
