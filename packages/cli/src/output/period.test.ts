import { expect, it } from 'vitest'
import { beginningOf, readMoment } from './period.ts'

const at = (iso: string, zone: string) => ({ now: new Date(iso), zone })

it('begins a day, a week and a month where the operator is', () => {
  const evening = at('2026-08-05T22:30:00Z', 'Europe/Berlin')
  expect(beginningOf('day', evening).toISOString()).toBe('2026-08-05T22:00:00.000Z')
  expect(beginningOf('week', evening).toISOString()).toBe('2026-08-02T22:00:00.000Z')
  expect(beginningOf('month', evening).toISOString()).toBe('2026-07-31T22:00:00.000Z')
  expect(beginningOf('day', at('2026-08-05T02:30:00Z', 'America/New_York')).toISOString()).toBe(
    '2026-08-04T04:00:00.000Z',
  )
})

it('begins a month before the clocks changed in it', () => {
  expect(beginningOf('month', at('2026-03-31T12:00:00Z', 'Europe/Berlin')).toISOString()).toBe(
    '2026-02-28T23:00:00.000Z',
  )
})

it('reads a date as a whole day and a moment as it is', () => {
  expect(readMoment('2026-07-01', 'from', 'UTC')?.toISOString()).toBe('2026-07-01T00:00:00.000Z')
  expect(readMoment('2026-07-31', 'to', 'UTC')?.toISOString()).toBe('2026-08-01T00:00:00.000Z')
  expect(readMoment('2026-07-01T12:00:00Z', 'to', 'UTC')?.toISOString()).toBe('2026-07-01T12:00:00.000Z')
})

it.each(['yesterday', '2026-02-30', '2026-13-01', '20260701', '2026-07-01T99:00'])('refuses %s', (text) => {
  expect(readMoment(text, 'from', 'UTC')).toBeUndefined()
})
