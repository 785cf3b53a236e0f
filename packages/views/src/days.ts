/**
 * Owns the days where the operator lives. The database counts by quarters of an hour, since the days and
 * hours of every zone begin at one; here they are gathered into days.
 */
import { sql } from 'kysely'

/** What was asked for: the last days, today among them. */
export interface DaysAsked {
  readonly now: Date
  readonly days: number
  readonly zone: string
}

/** From the first moment up to the second, without it. */
export interface TimeSpan {
  readonly from: Date
  readonly to: Date
}

const mostDays = 400
const dayMs = 24 * 60 * 60_000
const quarterMs = 15 * 60_000

/** The days of a span where the operator lives, oldest first; of a very long one the last. */
export function daysIn({ from, to }: TimeSpan, zone: string): readonly string[] {
  const dayAt = (at: number) => nameOf('day', zone)(String(Math.floor(at / quarterMs)))
  const last = dayAt(to.getTime() - 1)
  const days: string[] = []
  // A date has no zone: a day more is a day more, also when the clocks change.
  for (
    let day = dayAt(Math.max(from.getTime(), to.getTime() - mostDays * dayMs));
    day <= last;
    day = after(day)
  )
    days.push(day)
  return days
}

function after(day: string): string {
  return new Date(Date.parse(day) + dayMs).toISOString().slice(0, 10)
}

/** A day as `2026-11-03`, an hour as `2026-11-03T14:00+01:00`: the hour that comes twice in autumn has two names. */
export function nameOf(by: 'day' | 'hour', zone: string): (key: string) => string {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    timeZoneName: 'longOffset',
  })
  return (key) => {
    const parts = new Map(
      format.formatToParts(Number(key) * quarterMs).map(({ type, value }) => [type, value]),
    )
    const day = `${parts.get('year')}-${parts.get('month')}-${parts.get('day')}`
    if (by === 'day') return day
    return `${day}T${parts.get('hour')}:00${parts.get('timeZoneName')?.slice('GMT'.length) || '+00:00'}`
  }
}

/** The quarter of an hour in which something was, as `nameOf` takes it. */
export function quarterOf(column: string) {
  return sql<string>`floor(extract(epoch from ${sql.ref(column)}) / 900)::bigint::text`
}

/** Each of the last days, with the rows that fell on it. */
export function lastDays({ now, days, zone }: DaysAsked) {
  const from = new Date(now.getTime() - (days - 1) * dayMs)
  const dayOf = nameOf('day', zone)
  return {
    /** Not later than the first day begins, in whichever zone. */
    since: new Date(from.getTime() - dayMs),
    days: daysIn({ from, to: new Date(now.getTime() + 1) }, zone).map((day) => ({
      day,
      of: <Row extends { readonly quarter: string }>(rows: readonly Row[]): Row[] =>
        rows.filter(({ quarter }) => dayOf(quarter) === day),
    })),
  }
}
