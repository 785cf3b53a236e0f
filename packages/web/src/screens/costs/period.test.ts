import { expect, test } from 'vitest'
import { daysToCome, periodOf, spanOf, usualDay } from './period.ts'

const now = new Date(2026, 10, 16, 15, 0)

test('periods begin where people expect them to', () => {
  expect(spanOf('today', now)).toEqual({ from: '2026-11-16' })
  expect(spanOf('week', new Date(2026, 10, 22))).toEqual({ from: '2026-11-16' })
  expect(spanOf('month', now)).toEqual({ from: '2026-11-01' })
  expect(spanOf('last-month', new Date(2026, 0, 5))).toEqual({ from: '2025-12-01', to: '2025-12-31' })
  expect(spanOf('30-days', now)).toEqual({ from: '2026-10-18' })
})

test('an address that names no period means this month', () => {
  expect(periodOf('yesteryear')).toBe('month')
  expect(periodOf(undefined)).toBe('month')
})

test('only a month and a week have days to come', () => {
  expect(daysToCome('month', '2026-11-28')).toEqual(['2026-11-29', '2026-11-30'])
  expect(daysToCome('week', '2026-11-22')).toEqual([])
  expect(daysToCome('week', '2026-11-20')).toEqual(['2026-11-21', '2026-11-22'])
  expect(daysToCome('30-days', '2026-11-16')).toEqual([])
})

test('the forecast leaves out the day that is not over, and says nothing after none', () => {
  const day = (name: string, usd: number) => ({ day: name, parts: [{ key: 'a', calls: 1, usd }] })
  expect(usualDay([day('2026-11-01', 2), { day: '2026-11-02', parts: [] }, day('2026-11-03', 90)])).toBe(1)
  expect(usualDay([day('2026-11-01', 2)])).toBeNull()
})
