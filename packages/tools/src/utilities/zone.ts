/**
 * Owns what clocks on the wall show in a time zone. A wall time is counted in milliseconds as if it were UTC, so
 * that reckoning with it is plain arithmetic.
 */
import { z } from 'zod'

export const zoneName = z.string().max(60).refine(isZone, 'is not a time zone such as Europe/Istanbul or UTC')

/** The zone of this machine. */
export function homeZone(): string {
  return new Intl.DateTimeFormat('en-US').resolvedOptions().timeZone
}

export function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }).format(0) !== ''
  } catch {
    return false
  }
}

/** What a clock in the zone shows at an instant. */
export function wallAt(instant: number, zone: string): number {
  return instant + offsetAt(instant, zone)
}

/**
 * When a clock in the zone shows this. A time that comes twice, when clocks go back, is the first of the two; one
 * that is skipped, when they go forward, is as much later as was skipped.
 */
export function instantAt(wall: number, zone: string): number {
  const before = offsetAt(wall - day, zone)
  const after = offsetAt(wall + day, zone)
  const real = [before, after]
    .map((offset) => wall - offset)
    .filter((instant) => wallAt(instant, zone) === wall)
  return real.length > 0 ? Math.min(...real) : wall - before
}

/** By how much the clocks of the zone are ahead of UTC. */
export function offsetAt(instant: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  }).formatToParts(instant)
  const of = (type: Intl.DateTimeFormatPartTypes) =>
    Number(parts.find((part) => part.type === type)?.value ?? 0)
  const shown = wallOf(of('year'), of('month'), of('day'), of('hour'), of('minute'), of('second'))
  return shown - Math.floor(instant / 1000) * 1000
}

/** Not `Date.UTC`, which takes the first hundred years for those of the twentieth century. */
export function wallOf(year: number, month: number, dayOfMonth: number, hour = 0, minute = 0, second = 0) {
  return (
    new Date(0).setUTCFullYear(year, month - 1, dayOfMonth) +
    hour * 3_600_000 +
    minute * 60_000 +
    second * 1000
  )
}

/** `+03:00`, and `Z` where the clocks show UTC. */
export function offsetText(offset: number): string {
  if (offset === 0) return 'Z'
  const minutes = Math.round(Math.abs(offset) / 60_000)
  const pad = (value: number) => String(value).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60))}:${pad(minutes % 60)}`
}

const day = 86_400_000
