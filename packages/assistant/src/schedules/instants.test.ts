import type { TimeTrigger } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { instantsOf, upcoming } from './instants.ts'

const day = 24 * 60 * 60_000
const zagreb = 'Europe/Zagreb'
const cron = (expression: string, zone = zagreb): TimeTrigger => ({ kind: 'cron', expression, zone })
const between = (trigger: TimeTrigger, from: string, to: string) =>
  instantsOf(trigger, 0)
    .between(Date.parse(from), Date.parse(to), 10_000)
    .map((at) => new Date(at).toISOString().slice(0, 16))

describe('the instants of an expression that names its hours', () => {
  it('are one on every civil day, also where the clock is changed', () => {
    const zones = [
      'Europe/Zagreb',
      'America/New_York',
      'America/Santiago',
      'Australia/Lord_Howe',
      'Asia/Kolkata',
    ]
    for (const zone of zones) {
      const date = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
      for (const time of ['30 2', '0 0', '15 1', '30 23', '0 3']) {
        const from = Date.parse('2026-01-01T12:00:00Z')
        const found = instantsOf(cron(`${time} * * *`, zone), 0).between(from, from + 365 * day, 1_000)
        const days = found.map((at) => date.format(at))
        expect(new Set(days).size, `${zone} ${time}`).toBe(days.length)
        expect(days.length, `${zone} ${time}`).toBe(365)
      }
    }
  })

  it('are at the moment of the change for a time that the day does not have', () => {
    expect(between(cron('30 2 * * *'), '2026-03-28T12:00Z', '2026-03-30T12:00Z')).toEqual([
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ])
    expect(between(cron('*/30 2 * * *'), '2026-03-28T12:00Z', '2026-03-29T12:00Z')).toEqual([
      '2026-03-29T01:00',
    ])
    expect(between(cron('30 2,14 * * *'), '2026-03-28T22:00Z', '2026-03-29T22:00Z')).toEqual([
      '2026-03-29T01:00',
      '2026-03-29T12:30',
    ])
  })

  it('are at the first of two for a time that the day has twice', () => {
    expect(between(cron('30 2,14 * * *'), '2026-10-24T22:00Z', '2026-10-25T22:00Z')).toEqual([
      '2026-10-25T00:30',
      '2026-10-25T13:30',
    ])
    expect(between(cron('30 2 * * *'), '2026-10-25T00:30Z', '2026-10-26T12:00Z')).toEqual([
      '2026-10-26T01:30',
    ])
  })
})

describe('the instants of an expression for every hour', () => {
  it('follow the hands of the clock: none in an hour that is left out, two sets in one that is repeated', () => {
    expect(between(cron('0 * * * *'), '2026-03-28T23:30Z', '2026-03-29T02:30Z')).toEqual([
      '2026-03-29T00:00',
      '2026-03-29T01:00',
      '2026-03-29T02:00',
    ])
    expect(between(cron('0 */2 * * *'), '2026-03-28T22:30Z', '2026-03-29T02:30Z')).toEqual([
      '2026-03-28T23:00',
      '2026-03-29T02:00',
    ])
    expect(between(cron('0 */2 * * *'), '2026-10-24T22:30Z', '2026-10-25T03:30Z')).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T03:00',
    ])
  })
})

describe('the instants of a trigger', () => {
  it('include the end of a stretch and not its beginning', () => {
    const daily = cron('0 8 * * *', 'UTC')
    expect(between(daily, '2026-05-01T08:00Z', '2026-05-02T08:00Z')).toEqual(['2026-05-02T08:00'])
    const hourly: TimeTrigger = { kind: 'every', seconds: 3_600, from: '2026-05-01T00:10:00Z' }
    expect(between(hourly, '2026-05-01T00:10Z', '2026-05-01T02:10Z')).toEqual([
      '2026-05-01T01:10',
      '2026-05-01T02:10',
    ])
    const once: TimeTrigger = { kind: 'once', at: '2026-05-01T08:00:00Z' }
    expect(between(once, '2026-05-01T07:00Z', '2026-05-01T08:00Z')).toEqual(['2026-05-01T08:00'])
    expect(between(once, '2026-05-01T08:00Z', '2026-05-01T09:00Z')).toEqual([])
  })

  it('begin one interval after the moment from which they are counted', () => {
    const hourly: TimeTrigger = { kind: 'every', seconds: 3_600 }
    const made = Date.parse('2026-05-01T00:10:00Z')
    expect(upcoming(hourly, made, made - 5 * day, 1)).toEqual([made + 3_600_000])
    expect(instantsOf(hourly, made).upTo(made + 3_600_000 * 2, 5)).toEqual([
      made + 7_200_000,
      made + 3_600_000,
    ])
    expect(instantsOf(hourly, made).upTo(made, 5)).toEqual([])
  })

  it('are found backwards as forwards', () => {
    const triggers = [cron('30 2,14 * * *'), cron('0 */2 * * *'), cron('0 8 * * 1-5'), cron('0 9 1 * *')]
    for (const trigger of triggers) {
      const instants = instantsOf(trigger, 0)
      for (const end of ['2026-03-29T12:00Z', '2026-10-25T13:30Z', '2026-06-01T07:00Z']) {
        const to = Date.parse(end)
        const forwards = instants
          .between(to - 90 * day, to, 100_000)
          .slice(-3)
          .toReversed()
        expect(instants.upTo(to, 3), `${JSON.stringify(trigger)} ${end}`).toEqual(forwards)
      }
    }
  })

  it('are on the days and on the weekdays where both are named, also behind February', () => {
    expect(between(cron('0 3 1,2 * 2', 'UTC'), '2026-02-22T00:00Z', '2026-03-04T00:00Z')).toEqual([
      '2026-02-24T03:00',
      '2026-03-01T03:00',
      '2026-03-02T03:00',
      '2026-03-03T03:00',
    ])
    expect(between(cron('0 */12 */15 * 1', 'UTC'), '2026-02-28T23:00Z', '2026-03-03T00:00Z')).toEqual([
      '2026-03-01T00:00',
      '2026-03-01T12:00',
      '2026-03-02T00:00',
      '2026-03-02T12:00',
    ])
    expect(between(cron('0 3 1,29-31 * *', 'UTC'), '2026-02-02T00:00Z', '2026-04-02T00:00Z')).toEqual([
      '2026-03-01T03:00',
      '2026-03-29T03:00',
      '2026-03-30T03:00',
      '2026-03-31T03:00',
      '2026-04-01T03:00',
    ])
    expect(between(cron('0 3 29 2 *', 'UTC'), '2026-02-02T00:00Z', '2028-12-01T00:00Z')).toEqual([
      '2028-02-29T03:00',
    ])
    expect(instantsOf(cron('0 3 1 * 2', 'UTC'), 0).upTo(Date.parse('2026-03-04'), 2)).toEqual([
      Date.parse('2026-03-03T03:00Z'),
      Date.parse('2026-03-01T03:00Z'),
    ])
  })

  it('end with a single time, and never with an expression that can come', () => {
    expect(upcoming({ kind: 'once', at: '2026-05-01T08:00:00Z' }, 0, Date.parse('2026-05-02'), 3)).toEqual([])
    expect(
      upcoming(cron('0 9 29 2 *'), 0, Date.parse('2026-05-02'), 2).map((at) => new Date(at).getUTCFullYear()),
    ).toEqual([2028, 2032])
  })
})
