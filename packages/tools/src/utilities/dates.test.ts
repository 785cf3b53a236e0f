import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addToDate } from './add-to-date.ts'
import { convertTimeZone } from './convert-time-zone.ts'
import { dateAdd } from './date-add.ts'
import { dateDiff } from './date-diff.ts'
import { formatDate } from './format-date.ts'
import { getCurrentDatetime } from './get-current-datetime.ts'
import { tellNow } from './moment.ts'
import { answerOf, tryTool } from './trial.ts'
import { instantAt, isZone, wallAt } from './zone.ts'

const berlin = 'Europe/Berlin'
const localOf = async (...args: Parameters<typeof answerOf>) =>
  ((await answerOf(...args)) as { local: string }).local

describe('the present', () => {
  it('is told whole, in the zone', () => {
    expect(tellNow(new Date('2026-01-30T14:30:00.000Z'), 'Europe/Istanbul')).toEqual({
      iso: '2026-01-30T14:30:00.000Z',
      formatted: 'Friday, 01/30/2026, 17:30:00',
      unix: 1_769_783_400,
      unixMs: 1_769_783_400_000,
      timezone: 'Europe/Istanbul',
      date: '2026-01-30',
      time: '17:30:00',
      dayOfWeek: 'Friday',
      weekNumber: 5,
      quarter: 1,
      isWeekend: false,
    })
  })

  it('may be another day, week and year elsewhere', () => {
    const newYear = new Date('2026-12-31T23:30:00Z')
    expect(tellNow(newYear, 'UTC')).toMatchObject({ date: '2026-12-31', weekNumber: 53, quarter: 4 })
    expect(tellNow(newYear, 'Asia/Tokyo')).toMatchObject({ date: '2027-01-01', weekNumber: 53, quarter: 1 })
    expect(tellNow(new Date('2026-01-31T12:00:00Z'), 'UTC').isWeekend).toBe(true)
  })

  it('is refused for a zone that is none', async () => {
    expect((await tryTool(getCurrentDatetime, { timezone: 'Mars/Olympus' })).text).toContain('time zone')
  })
})

describe('when clocks go forward', () => {
  it('an hour later is two hours later on the wall', async () => {
    const args = { date: '2026-03-29T01:30', amount: 1, unit: 'hours', timezone: berlin }
    expect(await localOf(dateAdd, args)).toBe('2026-03-29T03:30:00+02:00')
  })

  it('a day later is the same time on the wall, 23 hours later', async () => {
    const args = { date: '2026-03-28T12:00', amount: 1, unit: 'days', timezone: berlin }
    expect(await localOf(dateAdd, args)).toBe('2026-03-29T12:00:00+02:00')
    const apart = await answerOf(dateDiff, { date1: '2026-03-29', date2: '2026-03-30', timezone: berlin })
    expect(apart).toMatchObject({ days: 1, hours: 23, words: '1 day' })
  })

  it('a time that is skipped is the one after', async () => {
    expect(
      await localOf(dateAdd, { date: '2026-03-28T02:30', amount: 1, unit: 'days', timezone: berlin }),
    ).toBe('2026-03-29T03:30:00+02:00')
  })
})

describe('when clocks go back', () => {
  it('a time that comes twice is the first of the two', async () => {
    const args = { date: '2026-10-25T02:30', from: berlin, to: 'UTC' }
    expect(await answerOf(convertTimeZone, args)).toMatchObject({ to: { iso: '2026-10-25T00:30:00.000Z' } })
  })

  it('adding nothing stays at the second', async () => {
    const second = { date: '2026-10-25T02:30:00+01:00', hours: 0, timezone: berlin }
    expect(await localOf(addToDate, second)).toBe('2026-10-25T02:30:00+01:00')
  })
})

describe('dates', () => {
  it('are refused unless they are written plainly and exist', async () => {
    for (const date of [
      '30.01.2026',
      '01/02/2026',
      '2026-02-29',
      '2026-13-01',
      '2026-01-01T24:00',
      'tomorrow',
      '',
      '0000-01-01',
    ])
      expect([date, (await tryTool(formatDate, { date })).kind]).toEqual([date, 'refused'])
    expect((await tryTool(formatDate, { date: '2024-02-29' })).kind).toBe('answer')
  })

  it('are refused beyond four digits of a year', async () => {
    const last = { date: '9999-12-29', amount: 1, unit: 'days' }
    expect((await tryTool(dateAdd, { ...last, amount: 2 })).kind).toBe('refused')
    expect((await tryTool(dateAdd, { ...last, date: '9999-12-28' })).kind).toBe('answer')
    expect((await tryTool(dateAdd, { ...last, amount: 1.5 })).kind).toBe('invalid')
    expect((await tryTool(dateAdd, { ...last, unit: 'fortnights' })).kind).toBe('invalid')
  })

  it('come back when what was added is taken away', async () => {
    const days = fc.integer({ min: -100_000, max: 100_000 })
    await fc.assert(
      fc.asyncProperty(days, async (amount) => {
        const there = (await answerOf(dateAdd, { date: '2026-06-15', amount, unit: 'days' })) as {
          date: string
        }
        const back = (await answerOf(dateAdd, { date: there.date, amount: -amount, unit: 'days' })) as {
          date: string
        }
        expect(back.date).toBe('2026-06-15')
        expect(await answerOf(dateDiff, { date1: '2026-06-15', date2: there.date, unit: 'days' })).toEqual({
          days: amount,
        })
      }),
      { numRuns: 50 },
    )
  })

  it('refuse a language that is none', async () => {
    expect((await tryTool(formatDate, { date: '2026-01-30', locale: 'no such' })).kind).toBe('invalid')
  })
})

describe('a zone', () => {
  it('shows a time on the wall that leads back to the instant, save where clocks go back', () => {
    const zones = [
      'UTC',
      berlin,
      'America/New_York',
      'Asia/Kathmandu',
      'Pacific/Apia',
      'Australia/Lord_Howe',
      '+05:30',
    ]
    expect(zones.filter((zone) => !isZone(zone))).toEqual([])
    fc.assert(
      fc.property(fc.constantFrom(...zones), fc.integer({ min: -2e12, max: 4e12 }), (zone, instant) => {
        const wall = wallAt(instant, zone)
        expect(wallAt(instantAt(wall, zone), zone)).toBe(wall)
      }),
      { numRuns: 300 },
    )
  })
})
