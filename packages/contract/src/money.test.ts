import { expect, test } from 'vitest'
import { dollarText, moneyText, priceText } from './money.ts'

test.each([
  [0, '$0.00'],
  [12.3, '$12.30'],
  [0.71, '$0.71'],
  [0.049, '$0.05'],
  [0.0405, '$0.04'],
  [0.0099, '<$0.01'],
  [1e-12, '<$0.01'],
  [-0.2, '-$0.20'],
  [1_234_567.891, '$1,234,567.89'],
  [Number.NaN, '$?'],
])('what %d dollars are', (usd, text) => {
  expect(moneyText(usd)).toBe(text)
})

test('a price has the parts of a cent that it has, and no others', () => {
  expect([3, 0.075, 0.5, 0.0375, 1.25].map(priceText)).toEqual([
    '$3.00',
    '$0.075',
    '$0.50',
    '$0.0375',
    '$1.25',
  ])
  expect(priceText(0.00001)).toBe('<$0.0001')
})

test('what a person allows is not rounded to a cent while it is small', () => {
  expect([710_000_000, 44_000_000, 140_300_000, 1_234_000_000, 0].map(dollarText)).toEqual([
    '$0.71',
    '$0.044',
    '$0.1403',
    '$1.23',
    '$0.00',
  ])
})
