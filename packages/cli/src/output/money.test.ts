import { expect, it } from 'vitest'
import { comparison, money, priceWords, tokens } from './money.ts'

it.each([
  [0, '$0.00'],
  [12.3, '$12.30'],
  [0.0042, '$0.004'],
  [0.042, '$0.042'],
  [0.0405, '$0.041'],
  [0.71, '$0.71'],
  [0.5, '$0.50'],
  [0.125, '$0.13'],
  [0.001, '$0.001'],
  [0.99999, '$1.00'],
  [1, '$1.00'],
  [1_234_567.891, '$1,234,567.89'],
  [-0.2, '-$0.20'],
])('says %d as %s', (usd, words) => {
  expect(money(usd)).toBe(words)
})

it.each([0.00009999, 1e-7, 4.2e-21])('says that %d is less than can be shown, not zero', (usd) => {
  expect(money(usd)).toBe('<$0.001')
})

it('never writes an exponent', () => {
  for (let power = -30; power <= 20; power += 1) expect(money(3.7 * 10 ** power)).toMatch(/^<?\$[\d,.]+$/)
})

it('tells a free price from one that is not known', () => {
  expect(priceWords({ input: 3, output: 15 })).toBe('$3.00 / $15.00')
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
