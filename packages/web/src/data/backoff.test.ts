import { expect, test } from 'vitest'
import { backoffMs } from './backoff.ts'

test('waits longer each time, up to eight seconds', () => {
  const waits = Array.from({ length: 8 }, (_, attempt) => backoffMs(attempt, 1))
  expect(waits).toEqual([400, 800, 1_600, 3_200, 6_400, 8_000, 8_000, 8_000])
})

test('chance takes away half of it at most', () => {
  expect(backoffMs(2, 0)).toBe(800)
  expect(backoffMs(2, 0.5)).toBe(1_200)
})
