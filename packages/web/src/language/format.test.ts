import { afterEach, expect, test } from 'vitest'
import { speak } from './current.ts'
import {
  amountWords,
  clockWords,
  exactWords,
  leftWords,
  lengthWords,
  moneyWords,
  priceWords,
  relativeWords,
  sizeWords,
} from './format.ts'
import { numberWords, plural } from './plural.ts'

const now = new Date('2026-03-10T12:00:00Z')
const after = (ms: number) => new Date(now.getTime() + ms)
const minute = 60_000

afterEach(() => speak({ locale: 'en', catalogues: {} }))

test('times are relative up to a day', () => {
  expect(relativeWords(after(-10_000), now)).toBe('just now')
  expect(relativeWords(after(-4 * minute), now)).toBe('4 min. ago')
  expect(relativeWords(after(28 * minute), now)).toBe('in 28 min.')
  expect(relativeWords(after(-22 * 60 * minute), now)).toBe('22 hr. ago')
})

test('after a day they are dates', () => {
  expect(relativeWords(after(-25 * 60 * minute), now)).not.toMatch(/ago/)
  expect(relativeWords(new Date('nonsense'), now)).toBe('unknown')
})

test('what is no moment is said to be none', () => {
  expect(exactWords(new Date('nonsense'))).toBe('Invalid Date')
  expect(clockWords(new Date('nonsense'))).toBe('Invalid Date')
  expect(exactWords(now)).toContain('March 10, 2026')
})

test('what is left is never more than there is', () => {
  expect(leftWords(after(28.9 * minute).toISOString(), now)).toBe('28 min')
  expect(leftWords(after(72.5 * 60 * minute).toISOString(), now)).toBe('3 days')
  expect(leftWords(after(30_000).toISOString(), now)).toBe('under a minute')
  expect(leftWords(after(-1).toISOString(), now)).toBe('expired')
})

test('lengths, money, sizes and counts have units', () => {
  expect(lengthWords(24)).toBe('24 ms')
  expect(lengthWords(0.3)).toBe('1 ms')
  expect(lengthWords(800)).toBe('0.8 s')
  expect(lengthWords(187_000)).toBe('3:07')
  expect(lengthWords(3_729_000)).toBe('1:02:09')
  expect(moneyWords(0)).toBe('$0.00')
  expect(moneyWords(0.031)).toBe('$0.03')
  expect(moneyWords(12.3)).toBe('$12.30')
  expect(moneyWords(0.05)).toBe('$0.05')
  expect(moneyWords(0.42)).toBe('$0.42')
  expect(moneyWords(0.0002)).toBe('<$0.01')
  expect(priceWords(0.075)).toBe('$0.075')
  expect(priceWords(3)).toBe('$3.00')
  expect([840, 1_500, 14_200, 2_340_000, 61_000_000_000].map(sizeWords)).toEqual([
    '840 B',
    '1.5 kB',
    '14 kB',
    '2.3 MB',
    '61 GB',
  ])
  expect(plural(1, { one: '# event', other: '# events' })).toBe('1 event')
  expect(plural(1_204, { one: '# event', other: '# events' })).toBe('1,204 events')
})

test('numbers, money and times follow the language', () => {
  speak({ locale: 'de-DE', catalogues: {} })
  expect(numberWords(1_204)).toBe('1.204')
  expect(moneyWords(0.42)).toBe('0,42\u00a0$')
  expect(sizeWords(1_500)).toBe('1,5 kB')
  expect(relativeWords(after(-4 * minute), now)).toBe('vor 4 Min.')
})

test.each([
  ['12.10', 'EUR', '€12.10'],
  ['900', 'JPY', '¥900'],
  ['90071992547409.93', 'USD', '$90,071,992,547,409.93'],
  ['5', 'XXX', '5 XXX'],
])('writes %s %s exactly', (amount, currency, written) => {
  expect(amountWords(amount, currency)).toBe(written)
})
