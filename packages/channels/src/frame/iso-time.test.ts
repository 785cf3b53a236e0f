import { expect, it } from 'vitest'
import { isoTime } from './iso-time.ts'

it('reads a time with a zone', () => {
  expect(isoTime('2026-11-18T21:00:00+01:00')).toBe('2026-11-18T20:00:00.000Z')
  expect(isoTime('2026-11-18T20:00:00Z')).toBe('2026-11-18T20:00:00.000Z')
})

it.each([
  undefined,
  7,
  '',
  'yesterday',
  '2026-11-18',
  '2026-11-18T20:00:00',
  '2026-02-30T20:00:00Z',
  '0000-01-01T00:00:00+01:00',
  '9999-12-31T23:59:59-01:00',
])('does not read %j', (written) => {
  expect(isoTime(written)).toBeUndefined()
})
