/** Owns how times, lengths of time, money and sizes are written in the language of the page. */
import { isAmount, minorDigits, smallestUsd } from '@countersign/contract'
import { words } from '../words/common.ts'
import { formats } from './current.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** `just now`, `4 min ago`, `in 28 min`, `22 hr ago`; after a day the date, with the year if it is another. */
export function relativeWords(at: Date, now: Date): string {
  const gap = at.getTime() - now.getTime()
  const length = Math.abs(gap)
  if (Number.isNaN(length)) return words.time.unknown
  if (length >= day) return dateWords(at, now)
  if (length < 45_000) return gap > 0 ? words.time.inAMoment : words.time.justNow
  const format = formats().relative()
  return length < hour
    ? format.format(Math.round(gap / minute), 'minute')
    : format.format(Math.round(gap / hour), 'hour')
}

function dateWords(at: Date, now: Date): string {
  const sameYear = at.getFullYear() === now.getFullYear()
  return momentWords(at, {
    day: 'numeric',
    month: 'short',
    ...(sameYear ? { hour: '2-digit', minute: '2-digit' } : { year: 'numeric' }),
  })
}

/** A formatter throws at what is no moment; a page says so instead. */
function momentWords(at: Date, options: Intl.DateTimeFormatOptions): string {
  return Number.isNaN(at.getTime()) ? String(at) : formats().date(options).format(at)
}

/** Everything about a moment: its day, its time and its zone. */
export function exactWords(at: Date): string {
  return momentWords(at, { dateStyle: 'full', timeStyle: 'long' })
}

/** `16 Nov, 14:05`. */
export function dayTimeWords(at: Date): string {
  return momentWords(at, { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' })
}

/** `14:05`. */
export function clockWords(at: Date): string {
  return momentWords(at, { timeStyle: 'short' })
}

/** When something comes, as people say it: `in 20 min`, `today at 18:00`, `tomorrow at 08:00`, `Friday at 17:00`. */
export function comingWords(at: Date, now: Date): string {
  if (at.getTime() - now.getTime() < hour) return relativeWords(at, now)
  const dayOf = (date: Date) => new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime()
  const days = Math.round((dayOf(at) - dayOf(now)) / day)
  const clock = clockWords(at)
  if (days === 0) return words.time.todayAt(clock)
  if (days === 1) return words.time.tomorrowAt(clock)
  if (days < 7) return words.time.dayAt(momentWords(at, { weekday: 'long' }), clock)
  const date: Intl.DateTimeFormatOptions = { day: 'numeric', month: 'short' }
  if (at.getFullYear() !== now.getFullYear()) date.year = 'numeric'
  return words.time.dayAt(momentWords(at, date), clock)
}

/** A day that somebody set, such as `31 Dec`, with the year if it is another; a moment with its time. */
export function dueWords(due: string, now: Date): string {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(due)
  const at = new Date(due)
  return momentWords(at, {
    day: 'numeric',
    month: 'short',
    ...(at.getFullYear() === now.getFullYear() ? {} : { year: 'numeric' }),
    ...(isDay ? { timeZone: 'UTC' } : { hour: '2-digit', minute: '2-digit' }),
  })
}

/** How long is left: `28 min`, `22 hr`, `3 days`, and less than a minute in words. */
export function leftWords(until: string, now: Date): string {
  const left = Date.parse(until) - now.getTime()
  if (left <= 0) return words.time.ended
  if (left < minute) return words.time.underAMinute
  if (left < 2 * hour) return unitWords(Math.floor(left / minute), 'minute')
  if (left < 2 * day) return unitWords(Math.floor(left / hour), 'hour')
  return unitWords(Math.floor(left / day), 'day', 'long')
}

/** `24 ms`, `0.8 s`, `12 s`, `3:07`, `1:02:09`. */
export function lengthWords(ms: number): string {
  if (ms > 0 && ms < 100) return `${figures(Math.max(1, ms), 0)} ms`
  if (ms < 10_000) return `${figures(ms / 1000, 1)} s`
  if (ms < minute) return `${figures(ms / 1000, 0)} s`
  const seconds = Math.floor(ms / 1000)
  const two = (count: number) => String(count).padStart(2, '0')
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

/** What was or may be spent: `$12.30`, `$0.71`, `<$0.01`. */
export function moneyWords(usd: number): string {
  return usd > 0 && usd < smallestUsd ? `<${dollars(smallestUsd, 2)}` : dollars(usd, 2)
}

/** `€12.10`, of an amount that is exact as text; a number could not hold every one. */
export function amountWords(amount: string, currency: string): string {
  const digits = minorDigits(currency)
  if (digits === undefined || !isAmount(amount)) return `${amount} ${currency}`
  const figures = { minimumFractionDigits: digits, maximumFractionDigits: digits }
  return formats()
    .number({ style: 'currency', currency, currencyDisplay: 'narrowSymbol', ...figures })
    .format(amount as Intl.StringNumericLiteral)
}

/** A price, with the parts of a cent that it has: `$3.00`, `$0.075`. */
export function priceWords(usd: number): string {
  return dollars(usd, 4)
}

const sizes = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** `840 B`, `1.5 kB`, `14 kB`, `2.3 GB`. */
export function sizeWords(bytes: number): string {
  const power = bytes < 1_000 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1_000 ** power
  return `${figures(value, power > 0 && value < 10 ? 1 : 0)} ${sizes[power] ?? 'B'}`
}

/** `43%`, of a share between 0 and 1. */
export function percentWords(share: number): string {
  return formats().number({ style: 'percent' }).format(share)
}

function dollars(usd: number, most: number): string {
  const figures = { minimumFractionDigits: 2, maximumFractionDigits: most }
  const currency = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const
  return formats()
    .number({ ...currency, ...figures })
    .format(usd)
}

function figures(value: number, decimals: number): string {
  return formats().number({ minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value)
}

function unitWords(value: number, unit: string, unitDisplay: 'short' | 'long' = 'short'): string {
  return formats().number({ style: 'unit', unit, unitDisplay }).format(value)
}

/** `Monday, 16 November 2026`. */
export function dayWords(at: Date): string {
  return momentWords(at, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })
}

/** `November 2026`. */
export function monthWords(at: Date): string {
  return momentWords(at, { month: 'long', year: 'numeric' })
}

/** `Mon`. */
export function weekdayWords(at: Date): string {
  return momentWords(at, { weekday: 'short' })
}
