import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { amountText, minorDigits, readMoney } from './currency.ts'

describe('money', () => {
  it.each([
    ['12.10', 'EUR', 1210, '12.10'],
    [12.1, 'EUR', 1210, '12.10'],
    [1.005, 'KWD', 1005, '1.005'],
    ['1200', 'JPY', 1200, '1200'],
    ['1200.00', 'JPY', 1200, '1200'],
    ['-3.5', 'USD', -350, '-3.50'],
    ['0.07', 'GBP', 7, '0.07'],
    [4.35, 'EUR', 435, '4.35'],
    ['007', 'EUR', 700, '7.00'],
  ])('reads %s %s as %i of its smallest unit', (amount, currency, minor, text) => {
    expect(readMoney(amount, currency)).toEqual({ kind: 'money', minor, text })
  })

  it.each([
    ['12.105', 'EUR'],
    ['12.5', 'JPY'],
    [0.1 + 0.2, 'EUR'],
    ['1,234.50', 'EUR'],
    ['12,10', 'EUR'],
    ['€12', 'EUR'],
    ['1e3', 'EUR'],
    [1e21, 'EUR'],
    [Number.NaN, 'EUR'],
    [Number.POSITIVE_INFINITY, 'EUR'],
    ['', 'EUR'],
    ['.5', 'EUR'],
    ['0', 'EUR'],
    ['-0.00', 'EUR'],
    ['99999999999999', 'EUR'],
    ['12', 'eur'],
    ['12', 'XXX'],
    ['12', 'constructor'],
  ])('refuses %s %s', (amount, currency) => {
    expect(readMoney(amount, currency).kind).toBe('invalid')
  })

  it('knows the decimals of a currency by its own table', () => {
    expect(['EUR', 'JPY', 'KWD', 'TND', 'VND', 'XXX'].map(minorDigits)).toEqual([2, 0, 3, 3, 0, undefined])
  })

  it('tells sums that no number holds exactly', () => {
    expect(amountText(9_007_199_254_740_993n, 'EUR')).toBe('90071992547409.93')
    expect(amountText(-5, 'KWD')).toBe('-0.005')
  })

  it('reads what it tells, to the last unit', () => {
    const minor = fc.integer({ min: -(10 ** 15), max: 10 ** 15 }).filter((value) => value !== 0)
    fc.assert(
      fc.property(minor, fc.constantFrom('EUR', 'JPY', 'KWD'), (value, currency) => {
        const text = amountText(value, currency)
        expect(readMoney(text, currency)).toEqual({ kind: 'money', minor: value, text })
      }),
    )
  })
})
