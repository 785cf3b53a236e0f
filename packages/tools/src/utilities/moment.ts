/** Owns how dates are read and told. Refuses what is not ISO 8601, since other forms mean different days to people. */
import { z } from 'zod'
import { answer, type ComputationResult, refuse } from './computing.ts'
import { instantAt, offsetAt, offsetText, wallAt, wallOf } from './zone.ts'

export const dateText = z
  .string()
  .max(60)
  .describe('ISO 8601, as 2026-01-30 or 2026-01-30T14:30:00+03:00, or "now"')

/** An instant in milliseconds. What has no offset of its own is a time in the zone. */
export function readDate(text: string, zone: string, now: Date = new Date()): ComputationResult<number> {
  const given = text.trim()
  if (given.toLowerCase() === 'now') return answer(now.getTime())
  const parts = shape.exec(given)?.slice(1)
  const [year = 0, month = 0, dayOfMonth = 0, hour = 0, minute = 0, second = 0] = (parts ?? []).map((part) =>
    Number(part ?? 0),
  )
  const isReal =
    parts !== undefined &&
    year >= 1 &&
    month >= 1 &&
    month <= 12 &&
    dayOfMonth >= 1 &&
    dayOfMonth <= daysIn(year, month) &&
    hour <= 23 &&
    minute <= 59 &&
    second <= 59
  if (!isReal) return refuse(`${given} is not a date. Write it as 2026-01-30 or 2026-01-30T14:30:00+03:00.`)
  const milliseconds = Number((parts[6] ?? '').padEnd(3, '0').slice(0, 3))
  const wall = wallOf(year, month, dayOfMonth, hour, minute, second) + milliseconds
  const offset = parts[7] === undefined ? undefined : readOffset(parts[7])
  return withinYears(offset === undefined ? instantAt(wall, zone) : wall - offset)
}

/** Refuses what lies so far away that its year has not four digits everywhere. */
export function withinYears(instant: number): ComputationResult<number> {
  if (instant > wallOf(1, 1, 2) && instant < wallOf(9999, 12, 30)) return answer(instant)
  return refuse('The date is outside the years 1 to 9999.')
}

export function daysIn(year: number, month: number): number {
  return new Date(wallOf(year, month + 1, 0)).getUTCDate()
}

/** One instant, for a reader in the zone. */
export function tellDate(instant: number, zone: string) {
  const wall = new Date(wallAt(instant, zone))
  return {
    iso: new Date(instant).toISOString(),
    local: `${wall.toISOString().slice(0, 19)}${offsetText(offsetAt(instant, zone))}`,
    date: wall.toISOString().slice(0, 10),
    time: wall.toISOString().slice(11, 19),
    dayOfWeek: dayNames[wall.getUTCDay()] ?? '',
    timezone: zone,
  }
}

/** Everything that is asked about the present. */
export function tellNow(now: Date, zone: string) {
  const wall = new Date(wallAt(now.getTime(), zone))
  const [date = '', rest = ''] = wall.toISOString().split('T')
  const [year = '', month = '', dayOfMonth = ''] = date.split('-')
  const time = rest.slice(0, 8)
  const dayOfWeek = dayNames[wall.getUTCDay()] ?? ''
  return {
    iso: now.toISOString(),
    formatted: `${dayOfWeek}, ${month}/${dayOfMonth}/${year}, ${time}`,
    unix: Math.floor(now.getTime() / 1000),
    unixMs: now.getTime(),
    timezone: zone,
    date,
    time,
    dayOfWeek,
    weekNumber: weekOf(wall),
    quarter: Math.floor(wall.getUTCMonth() / 3) + 1,
    isWeekend: wall.getUTCDay() % 6 === 0,
  }
}

const shape =
  /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?)? ?(Z|[+-]\d{2}:?\d{2})?$/i

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

function readOffset(text: string): number {
  if (/^z$/i.test(text)) return 0
  const [hours, minutes] = [Number(text.slice(1, 3)), Number(text.slice(-2))]
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

/** ISO 8601: the week belongs to the year that has its Thursday. */
function weekOf(wall: Date): number {
  const thursday = new Date(wall)
  thursday.setUTCDate(thursday.getUTCDate() + 4 - (thursday.getUTCDay() || 7))
  const newYear = wallOf(thursday.getUTCFullYear(), 1, 1)
  return Math.floor((thursday.getTime() - newYear) / 86_400_000 / 7) + 1
}
