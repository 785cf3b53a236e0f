/** Owns periods of time where the operator lives: which one a moment falls into, where it began and where the next begins. */
import type { BudgetPeriod } from './api-costs.ts'

export interface Span {
  readonly key: string
  readonly from: Date
  /** Null for the one that never ends. */
  readonly until: Date | null
}

const day = 24 * 60 * 60_000

/** Where the machine is, if it is not said. */
export type Zone = string | undefined

/** Days begin where the operator lives; an hour is an hour anywhere. */
export function spanOf(period: BudgetPeriod, at: Date, zone: Zone): Span {
  if (period === 'ever') return { key: 'ever', from: new Date(0), until: null }
  if (period === 'hour') {
    const from = new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000)
    return { key: from.toISOString().slice(0, 13), from, until: new Date(from.getTime() + 3_600_000) }
  }
  const dateAt = datesIn(zone)
  const today = dateAt(at)
  if (period === 'day') return dayOf(today, zone)
  if (period === 'week') {
    const monday = addDays(today, -((new Date(today).getUTCDay() + 6) % 7))
    return between(monday, addDays(monday, 7), `week ${monday}`, dateAt)
  }
  const first = `${today.slice(0, 7)}-01`
  return between(first, `${addDays(first, 31).slice(0, 7)}-01`, today.slice(0, 7), dateAt)
}

/** The whole of a date, such as `2026-08-01`. */
export function dayOf(date: string, zone: Zone): Span & { readonly until: Date } {
  return between(date, addDays(date, 1), date, datesIn(zone))
}

/** The date that a moment has where the operator lives. */
type DateAt = (moment: number | Date) => string

/** Making one takes long, and a search for midnight asks it often. */
function datesIn(zone: Zone): DateAt {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' })
  return (moment) => format.format(moment)
}

function between(from: string, until: string, key: string, dateAt: DateAt) {
  return { key, from: midnight(from, dateAt), until: midnight(until, dateAt) }
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * day).toISOString().slice(0, 10)
}

/** The first moment of a date: found from both sides, since a zone's distance changes with the season. */
function midnight(date: string, dateAt: DateAt): Date {
  let low = Date.parse(date) - day
  let high = Date.parse(date) + day
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2_000) * 1_000
    if (dateAt(middle) < date) low = middle
    else high = middle
  }
  return new Date(high)
}
