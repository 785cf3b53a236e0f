import type { LedgerEntryView, LedgerPage } from '@countersign/contract'
import { expect, test } from 'vitest'
import { mostNewer, type Pages, withFresh, withNewer } from './newer-entries.ts'

const entry = (seq: number) => ({ seq }) as LedgerEntryView
const range = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => entry(from + index))
const shown = (size: number): Pages => {
  const page: LedgerPage = { entries: range(1, size).toReversed(), next: null, size, looked: size }
  return { pages: [page], pageParams: [null] }
}
const numbers = (pages: Pages | undefined) =>
  pages?.pages.flatMap(({ entries }) => entries.map(({ seq }) => seq))

test('entries that come are put before the others, newest first, each once', () => {
  const found = withFresh(withFresh(null, [entry(3), entry(4)], 4), [entry(5)], 5)
  expect(found).toMatchObject({ size: 5, looked: 3, next: null })
  expect(numbers(withNewer(shown(2), found))).toEqual([5, 4, 3, 2, 1])
  // A page that was read again meanwhile holds some of them.
  expect(numbers(withNewer(shown(4), found))).toEqual([5, 4, 3, 2, 1])
})

test('what does not match makes the ledger longer and the list not', () => {
  const after = withNewer(shown(2), withFresh(null, [], 9))
  expect(numbers(after)).toEqual([2, 1])
  expect(after?.pages[0]?.size).toBe(9)
})

test('too many begin the list anew, and older ones are asked for from there', () => {
  const found = withFresh(null, range(3, mostNewer + 10), mostNewer + 10)
  expect(found.entries).toHaveLength(mostNewer)
  const after = withNewer(shown(2), found)
  expect(after?.pages).toHaveLength(1)
  expect(after?.pages[0]?.next).toBe(11)
  expect(numbers(after)?.at(-1)).toBe(11)
  expect(withFresh(found, [entry(mostNewer + 11)], mostNewer + 11).next).toBe(12)
})
