/** Owns what a person means by a day, a week, a month or a date, in the operator's time zone. */
import { dayOf, spanOf } from '@countersign/contract'
import type { Moment } from './time.ts'

export type Period = 'day' | 'week' | 'month'

/** The beginning of the period that this moment lies in. A week begins on Monday. */
export function beginningOf(period: Period, { now, zone }: Moment): Date {
  return spanOf(period, now, zone).from
}

/** A date such as 2026-08-01, or a moment with its time. A date as an end means the whole of that day. */
export function readMoment(text: string, edge: 'from' | 'to', zone: string | undefined): Date | undefined {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) {
    const date = new Date(text)
    // A day that its month does not have would be taken for one of the next.
    if (Number.isNaN(date.getTime()) || date.toISOString().slice(0, 10) !== text) return undefined
    const day = dayOf(text, zone)
    return edge === 'to' ? day.until : day.from
  }
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/.test(text)) return undefined
  const at = new Date(text)
  return Number.isNaN(at.getTime()) ? undefined : at
}
