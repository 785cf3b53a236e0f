/** Owns how records are told to a model: a line of JSON each, with ids, and long texts cut when there are many. */
import type { JsonObject, JsonValue, StoredRecord } from '@countersign/contract'
import { type Collection, shortened, titleOf } from './collection.ts'

/** What the long texts of one answer may have together. */
const mostText = 20_000
const leastText = 200

export function lines(values: readonly JsonObject[]): string {
  return values.map((value) => JSON.stringify(value)).join('\n')
}

export function counted(count: number, singular: string, plural: string): string {
  return count === 1 ? `1 ${singular}` : `${count} ${plural}`
}

/** Enough to know them by. */
export function named(collection: Collection, records: readonly StoredRecord[]): string {
  return lines(records.map(({ id, data }) => ({ id, [collection.title]: titleOf(collection, data) })))
}

/** All of them; the fields stand in the order of the shape, whatever order the store gives. */
export function whole(collection: Collection, records: readonly StoredRecord[]): string {
  const order = Object.keys(collection.shape.shape)
  return recordLines(records, order, collection.long)
}

export function recordLines(
  records: readonly Pick<StoredRecord, 'id' | 'data'>[],
  order: readonly string[],
  long: readonly string[],
): string {
  const share = Math.max(leastText, Math.floor(mostText / Math.max(1, records.length)))
  let cut = false
  const shorter = (name: string, value: JsonValue): JsonValue => {
    if (!long.includes(name)) return value
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    if (text.length <= share) return value
    cut = true
    return shortened(text, share)
  }
  const values = records.map(({ id, data }) => {
    const names = [
      ...order.filter((name) => name in data),
      ...Object.keys(data).filter((name) => !order.includes(name)),
    ]
    return { id, ...Object.fromEntries(names.map((name) => [name, shorter(name, data[name] ?? null)])) }
  })
  const text = lines(values)
  return cut ? `${text}\nTexts that end with … are cut; ask for fewer to read more of each.` : text
}
