import { expect, test } from 'vitest'
import { amountIn } from './amount.ts'

test('reads dollars as people write them', () => {
  expect(['20', '$0.50', '0,5', ' 3 $'].map(amountIn)).toEqual([20, 0.5, 0.5, 3])
})

test('refuses what might be another amount', () => {
  for (const text of ['', '-1', '1,000.00', 'ten', '1e3', '9999999', '.'])
    expect(amountIn(text)).toBeUndefined()
})
