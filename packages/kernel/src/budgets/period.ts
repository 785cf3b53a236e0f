/** Owns the periods of budgets: which one a moment falls into, where it began and where the next begins. */
import type { BudgetPeriod } from '@countersign/contract'

export interface Span {
  readonly key: string
  readonly from: Date
  /** Null for the one that never ends. */
  readonly until: Date | null
}

const day = 24 * 60 * 60_000

/** Days begin where the operator lives; an hour is an hour anywhere. */
export function spanOf(period: BudgetPeriod, at: Date, zone: string): Span {
  if (period === 'ever') return { key: 'ever', from: new Date(0), until: null }
  if (period === 'hour') {
    const from = new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000)
    return { key: from.toISOString().slice(0, 13), from, until: new Date(from.getTime() + 3_600_000) }
  }
  const today = localDate(at, zone)
  if (period === 'day') return between(today, addDays(today, 1), today, zone)
  if (period === 'week') {
    const monday = addDays(today, -((new Date(today).getUTCDay() + 6) % 7))
    return between(monday, addDays(monday, 7), `week ${monday}`, zone)
  }
  const first = `${today.slice(0, 7)}-01`
  return between(first, `${addDays(first, 31).slice(0, 7)}-01`, today.slice(0, 7), zone)
}

function between(from: string, until: string, key: string, zone: string): Span {
  return { key, from: midnight(from, zone), until: midnight(until, zone) }
}

function localDate(at: Date, zone: string): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' }).format(at)
}

function addDays(date: string, days: number): string {
  return new Date(Date.parse(date) + days * day).toISOString().slice(0, 10)
}

/** The first moment of a date in its zone: found from both sides, since a zone's distance changes with the season. */
function midnight(date: string, zone: string): Date {
  let low = Date.parse(date) - day
  let high = Date.parse(date) + day
  while (high - low > 1_000) {
    const middle = Math.floor((low + high) / 2_000) * 1_000
    if (localDate(new Date(middle), zone) < date) low = middle
    else high = middle
  }
  return new Date(high)
}
