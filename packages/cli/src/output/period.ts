/** Owns where a day, a week and a month begin in the operator's time zone. */
import type { Moment } from './time.ts'

export type Period = 'day' | 'week' | 'month'

/** The beginning of the period that this moment lies in. A week begins on Monday. */
export function beginningOf(period: Period, { now, zone }: Moment): Date {
  const wall = new Date(now.getTime() + offsetAt(now, zone))
  const [year, month, day] = [wall.getUTCFullYear(), wall.getUTCMonth(), wall.getUTCDate()]
  if (period === 'month') return midnight(year, month, 1, zone)
  if (period === 'week') return midnight(year, month, day - ((wall.getUTCDay() + 6) % 7), zone)
  return midnight(year, month, day, zone)
}

/** A date such as 2026-08-01, or a moment with its time. A date as an end means the whole of that day. */
export function readMoment(text: string, edge: 'from' | 'to', zone: string | undefined): Date | undefined {
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text)
  if (date) {
    const [year, month, day] = date.slice(1).map(Number) as [number, number, number]
    const check = new Date(Date.UTC(year, month - 1, day))
    if (check.getUTCMonth() !== month - 1 || check.getUTCDate() !== day) return undefined
    return midnight(year, month - 1, edge === 'to' ? day + 1 : day, zone)
  }
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return undefined
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at
}

function midnight(year: number, month: number, day: number, zone: string | undefined): Date {
  const wall = Date.UTC(year, month, day)
  // The offset is asked twice, since the guess may lie on the other side of a change of the clocks.
  const guess = new Date(wall - offsetAt(new Date(wall), zone))
  return new Date(wall - offsetAt(guess, zone))
}

/** What has to be added to universal time to get the wall clock of the zone. */
function offsetAt(at: Date, zone: string | undefined): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(at)
  const of = (type: Intl.DateTimeFormatPartTypes) => Number(parts.find((part) => part.type === type)?.value)
  const wall = Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'))
  return wall - Math.floor(at.getTime() / 1_000) * 1_000
}
