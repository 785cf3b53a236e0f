import { expect, it } from 'vitest'
import { clockTime } from './time.ts'

it('says the same time with and without the name of the zone of this machine', () => {
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const now = new Date('2026-11-15T12:00:00Z')
  for (const iso of [
    '2026-11-15T00:00:00Z',
    '2026-11-15T09:05:00Z',
    '2026-03-29T01:30:00Z',
    '0800-01-02T03:04:05Z',
    'no time',
  ])
    expect(clockTime(iso, { now, zone: undefined })).toBe(clockTime(iso, { now, zone }))
})

it('names the day before and the day after', () => {
  const moment = { now: new Date('2026-11-15T12:00:00Z'), zone: 'UTC' }
  expect(clockTime('2026-11-15T09:05:00Z', moment)).toBe('09:05')
  expect(clockTime('2026-11-16T19:41:00Z', moment)).toBe('tomorrow 19:41')
  expect(clockTime('2026-11-14T23:59:00Z', moment)).toBe('yesterday 23:59')
  expect(clockTime('2026-11-17T00:00:00Z', moment)).toBe('2026-11-17 00:00')
})
