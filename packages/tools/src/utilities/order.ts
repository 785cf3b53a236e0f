/**
 * Owns the order of values: nothing, then yes and no, numbers, texts, the rest. Texts go by their plain letters with
 * numbers inside by size. No collator is used: on long runs of combining marks its time grows with the square.
 */
import { canonicalText, type JsonValue } from '@countersign/contract'
import { foldCase, withoutMarks } from './letters.ts'

export function sortBy<Item>(
  items: readonly Item[],
  valueOf: (item: Item) => JsonValue,
  descending: boolean,
): Item[] {
  const keyed = items.map((item) => ({ item, key: keyOf(valueOf(item)) }))
  const sign = descending ? -1 : 1
  return keyed.toSorted((left, right) => sign * compareKeys(left.key, right.key)).map(({ item }) => item)
}

/** Says of values whether they are smaller than this one (negative), equal in order (zero) or greater. */
export function comparerWith(right: JsonValue): (left: JsonValue) => number {
  const key = keyOf(right)
  return (left) => compareKeys(keyOf(left), key)
}

/** Equal for equal values, whatever the order of their keys. */
export function identityOf(value: JsonValue, ignoreCase = false): string {
  if (typeof value === 'string') return `"${ignoreCase ? foldCase(value) : value}`
  return canonicalText(value)
}

/** The items whose value was not there before. */
export function firstOfEach<Item>(items: readonly Item[], identity: (item: Item) => string): Item[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = identity(item)
    return !seen.has(key) && seen.add(key)
  })
}

interface Key {
  readonly rank: number
  readonly number: number
  readonly plain: string
  readonly text: string
}

function keyOf(value: JsonValue): Key {
  const none = { number: 0, plain: '', text: '' }
  if (value === null) return { ...none, rank: 0 }
  if (typeof value === 'boolean') return { ...none, rank: 1, number: Number(value) }
  if (typeof value === 'number') return { ...none, rank: 2, number: value }
  if (typeof value === 'string') return { ...none, rank: 3, plain: plainOf(value), text: value }
  return { ...none, rank: 4, text: canonicalText(value) }
}

/** Numbers have their length before them, so that the order of letters is the order of size. */
function plainOf(text: string): string {
  return withoutMarks(foldCase(text)).replace(/\d+/g, (digits) => {
    const number = digits.replace(/^0+/, '')
    return `${String(number.length).padStart(6, '0')}${number}`
  })
}

function compareKeys(left: Key, right: Key): number {
  if (left.rank !== right.rank) return left.rank - right.rank
  if (left.number !== right.number) return left.number - right.number
  return compareText(left.plain, right.plain) || compareText(left.text, right.text)
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
