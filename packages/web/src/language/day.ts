/** Owns how a date without a time is written: `Nov 3`. */
import { formats } from './current.ts'

/** A date has no zone; it is read and written as one of UTC so that it stays the day that it is. */
export function dayWords(day: string): string {
  const at = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(at.getTime())) return day
  return formats().date({ day: 'numeric', month: 'short', timeZone: 'UTC' }).format(at)
}
