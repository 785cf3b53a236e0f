import fc from 'fast-check'
import { expect, test } from 'vitest'
import { spanOf } from './period.ts'

const at = (text: string) => new Date(text)

test('a day begins at midnight where the operator lives, also when clocks change', () => {
  const before = spanOf('day', at('2026-03-28T23:30:00Z'), 'Europe/Vienna')
  expect(before).toEqual({
    key: '2026-03-29',
    from: at('2026-03-28T23:00:00Z'),
    until: at('2026-03-29T22:00:00Z'),
  })
  expect(spanOf('day', at('2026-03-29T22:00:00Z'), 'Europe/Vienna').key).toBe('2026-03-30')
})

test('weeks begin on Monday and months on the first', () => {
  expect(spanOf('week', at('2026-11-15T12:00:00Z'), 'UTC')).toEqual({
    key: 'week 2026-11-09',
    from: at('2026-11-09T00:00:00Z'),
    until: at('2026-11-16T00:00:00Z'),
  })
  expect(spanOf('month', at('2026-12-31T23:59:59Z'), 'UTC')).toEqual({
    key: '2026-12',
    from: at('2026-12-01T00:00:00Z'),
    until: at('2027-01-01T00:00:00Z'),
  })
})

test('every moment lies in its period, and the next period begins where it ends', () => {
  const periods = fc.constantFrom('hour' as const, 'day' as const, 'week' as const, 'month' as const)
  const zones = fc.constantFrom('UTC', 'Europe/Vienna', 'America/St_Johns', 'Pacific/Apia', 'Asia/Kathmandu')
  const moments = fc.date({ min: at('2024-01-01'), max: at('2030-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(periods, zones, moments, (period, zone, moment) => {
      const span = spanOf(period, moment, zone)
      expect(span.from.getTime()).toBeLessThanOrEqual(moment.getTime())
      expect(span.until?.getTime()).toBeGreaterThan(moment.getTime())
      const next = spanOf(period, span.until ?? moment, zone)
      expect(next.from).toEqual(span.until)
      expect(next.key).not.toBe(span.key)
    }),
    { numRuns: 300 },
  )
})
