import { expect, it } from 'vitest'
import { comparison, priceWords, tokens } from './money.ts'

it('tells a free price from one that is not known', () => {
  expect(priceWords({ input: 3, output: 15 })).toBe('$3.00 / $15.00')
  expect(priceWords({ input: 0.075, output: 0.3 })).toBe('$0.075 / $0.30')
  expect(priceWords({ input: 0, output: 0 })).toBe('free')
  expect(priceWords(null)).toBe('unknown')
})

it('compares with what was before', () => {
  expect(comparison(1.12, 1)).toBe('12 % more than before')
  expect(comparison(0.7, 1)).toBe('30 % less than before')
  expect(comparison(1, 1)).toBe('as before')
  expect(comparison(1, 0)).toBe('nothing before')
  expect(comparison(0, 0)).toBe('')
})

it.each([
  [0, '0'],
  [999, '999'],
  [1_000, '1k'],
  [12_410, '12.4k'],
  [200_000, '200k'],
  [999_499, '999k'],
  [999_999, '1M'],
  [1_048_576, '1M'],
  [2_500_000, '2.5M'],
])('shortens %d tokens to %s', (count, words) => {
  expect(tokens(count)).toBe(words)
})
