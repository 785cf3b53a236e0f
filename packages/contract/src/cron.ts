/**
 * Owns which cron expressions are understood: five fields with numbers, names, lists, ranges and steps. Refuses what
 * other programs read in different ways, and days that no year has.
 */

export interface Cron {
  /** As it is kept: upper case, one space between fields. */
  readonly text: string
  readonly minutes: readonly number[]
  readonly hours: readonly number[]
  readonly days: readonly number[]
  readonly months: readonly number[]
  /** Sunday is 0. */
  readonly weekdays: readonly number[]
  /** The hours are named, so each time is one of the civil day; otherwise the hands of the clock decide. */
  readonly namesHours: boolean
  /** Where days and weekdays are both named, one of them is enough. */
  readonly everyDay: boolean
  readonly everyWeekday: boolean
}

export type ReadCron =
  | { readonly kind: 'cron'; readonly cron: Cron }
  | { readonly kind: 'problem'; readonly reason: string }

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']
const shorthands: Readonly<Record<string, string>> = {
  '@HOURLY': '0 * * * *',
  '@DAILY': '0 0 * * *',
  '@WEEKLY': '0 0 * * 0',
  '@MONTHLY': '0 0 1 * *',
  '@YEARLY': '0 0 1 1 *',
}

const fields: readonly Field[] = [
  { name: 'minute', from: 0, to: 59, names: [] },
  { name: 'hour', from: 0, to: 23, names: [] },
  { name: 'day', from: 1, to: 31, names: [] },
  { name: 'month', from: 1, to: 12, names: monthNames },
  { name: 'weekday', from: 0, to: 7, names: dayNames },
]

export function readCron(expression: string): ReadCron {
  const given = expression.trim().toUpperCase().replaceAll(/\s+/g, ' ')
  const text = shorthands[given] ?? given
  const parts = text.split(' ')
  if (parts.length !== fields.length)
    return problem('has five fields: minute, hour, day of the month, month and weekday, as 0 8 * * 1-5')
  const sets: (readonly number[])[] = []
  for (const [place, field] of fields.entries()) {
    const values = valuesOf(parts[place] ?? '', field)
    if (values === undefined)
      return problem(
        `has the ${field.name} “${parts[place]}”, which is not made of numbers from ${field.from} to ${field.to}`,
      )
    sets.push(values)
  }
  const [minutes = [], hours = [], days = [], months = [], weekdayNumbers = []] = sets
  const weekdays = [...new Set(weekdayNumbers.map((day) => day % 7))].toSorted((a, b) => a - b)
  const cron: Cron = {
    text,
    minutes,
    hours,
    days,
    months,
    weekdays,
    namesHours: !(parts[1] ?? '').startsWith('*'),
    everyDay: days.length === 31,
    everyWeekday: weekdays.length === 7,
  }
  if (cron.everyWeekday && !months.some((month) => (days[0] ?? 1) <= longestMonth(month)))
    return problem('names a day that none of its months has')
  return { kind: 'cron', cron }
}

interface Field {
  readonly name: string
  readonly from: number
  readonly to: number
  readonly names: readonly string[]
}

function problem(what: string): ReadCron {
  return { kind: 'problem', reason: `The cron expression ${what}.` }
}

function valuesOf(text: string, field: Field): readonly number[] | undefined {
  const values = new Set<number>()
  for (const part of text.split(',')) {
    const range = rangeOf(part, field)
    if (!range) return undefined
    for (let value = range.from; value <= range.to; value += range.step) values.add(value)
  }
  return [...values].toSorted((a, b) => a - b)
}

function rangeOf(part: string, field: Field): { from: number; to: number; step: number } | undefined {
  const [, every, first, last, by] =
    /^(?:(\*)|([A-Z0-9]+)(?:-([A-Z0-9]+))?)(?:\/(\d{1,2}))?$/.exec(part) ?? []
  const step = by === undefined ? 1 : Number(by)
  if (step < 1) return undefined
  // A weekday goes to 7 only where somebody writes it.
  if (every !== undefined) return { from: field.from, to: field.name === 'weekday' ? 6 : field.to, step }
  if (first === undefined || (by !== undefined && last === undefined)) return undefined
  const from = numberOf(first, field)
  const to = last === undefined ? from : numberOf(last, field)
  return from === undefined || to === undefined || from > to ? undefined : { from, to, step }
}

function numberOf(text: string, { from, to, names }: Field): number | undefined {
  const named = names.indexOf(text)
  const value = named >= 0 ? named + from : /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN
  return value >= from && value <= to ? value : undefined
}

function longestMonth(month: number): number {
  if (month === 2) return 29
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}
