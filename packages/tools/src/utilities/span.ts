/**
 * Owns the time between two instants. Days and longer are counted on the calendar of a zone, so that a day is a day
 * when the clocks change; hours and shorter are counted as they pass.
 */
import type { JsonObject } from '@countersign/contract'
import { z } from 'zod'
import { answer, type ComputationResult } from './computing.ts'
import { daysIn, readDate, tellDate, withinYears } from './moment.ts'
import { instantAt, wallAt, wallOf } from './zone.ts'

export const units = ['years', 'months', 'weeks', 'days', 'hours', 'minutes', 'seconds'] as const
export type SpanUnit = (typeof units)[number]
export type Span = Partial<Record<SpanUnit, number>>

export const amount = z.int().min(-1_000_000_000).max(1_000_000_000)

/** Adds the calendar part first, the largest unit leading; a day that a month has not becomes its last. */
export function addSpan(date: string, span: Span, zone: string): ComputationResult<JsonObject> {
  const from = readDate(date, zone)
  if (from.kind === 'refused') return from
  const { years = 0, months = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0 } = span
  const onCalendar = years !== 0 || months !== 0 || weeks !== 0 || days !== 0
  const moved = onCalendar ? addOnCalendar(from.value, years * 12 + months, weeks * 7 + days, zone) : from
  if (moved.kind === 'refused') return moved
  const sum = withinYears(moved.value + (hours * 3600 + minutes * 60 + seconds) * 1000)
  return sum.kind === 'refused' ? sum : answer(tellDate(sum.value, zone))
}

/** From the first to the second; all figures are negative if the second is the earlier. */
export function spanBetween(first: string, second: string, zone: string): ComputationResult<SpanDescription> {
  const start = readDate(first, zone)
  if (start.kind === 'refused') return start
  const end = readDate(second, zone)
  if (end.kind === 'refused') return end
  const sign = end.value < start.value ? -1 : 1
  const [earlier, later] = sign < 0 ? [end.value, start.value] : [start.value, end.value]
  const [from, to] = [wallAt(earlier, zone), wallAt(later, zone)]
  const elapsed = (later - earlier) * sign
  const breakdown = breakdownOf(from, Math.max(from, to))
  const signed = (value: number) => (value === 0 ? 0 : value * sign)
  const round = (value: number) => (value === 0 ? 0 : Math.round(value * 1e6) / 1e6)
  const calendarDays = ((to - from) / day) * sign
  return answer({
    years: signed(breakdown.years),
    months: signed(breakdown.years * 12 + breakdown.months),
    weeks: round(calendarDays / 7),
    days: round(calendarDays),
    hours: round(elapsed / 3_600_000),
    minutes: round(elapsed / 60_000),
    seconds: round(elapsed / 1000),
    breakdown,
    words: `${wordsOf(breakdown)}${sign < 0 ? ' earlier' : ''}`,
  })
}

export type SpanDescription = Readonly<Record<SpanUnit, number>> & {
  readonly breakdown: Breakdown
  readonly words: string
}

type Breakdown = Record<'years' | 'months' | 'days' | 'hours' | 'minutes' | 'seconds', number>

const day = 86_400_000

function addOnCalendar(
  instant: number,
  months: number,
  days: number,
  zone: string,
): ComputationResult<number> {
  const wall = addMonths(wallAt(instant, zone), months) + days * day
  const bounded = withinYears(wall)
  return bounded.kind === 'refused' ? bounded : withinYears(instantAt(wall, zone))
}

function addMonths(wall: number, months: number): number {
  const date = new Date(wall)
  const count = date.getUTCFullYear() * 12 + date.getUTCMonth() + months
  const [year, month] = [Math.floor(count / 12), (((count % 12) + 12) % 12) + 1]
  const timeOfDay = ((wall % day) + day) % day
  return wallOf(year, month, Math.min(date.getUTCDate(), daysIn(year, month))) + timeOfDay
}

function breakdownOf(from: number, to: number): Breakdown {
  const [first, last] = [new Date(from), new Date(to)]
  const passed =
    (last.getUTCFullYear() - first.getUTCFullYear()) * 12 + last.getUTCMonth() - first.getUTCMonth()
  const months = addMonths(from, passed) > to ? passed - 1 : passed
  const rest = Math.floor((to - addMonths(from, months)) / 1000)
  return {
    years: Math.floor(months / 12),
    months: months % 12,
    days: Math.floor(rest / 86_400),
    hours: Math.floor(rest / 3600) % 24,
    minutes: Math.floor(rest / 60) % 60,
    seconds: rest % 60,
  }
}

function wordsOf(breakdown: Breakdown): string {
  const parts = Object.entries(breakdown)
    .filter(([, count]) => count > 0)
    .map(([unit, count]) => `${count} ${count === 1 ? unit.slice(0, -1) : unit}`)
  return parts.length > 0 ? parts.join(', ') : 'no time'
}
