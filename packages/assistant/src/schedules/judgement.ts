/**
 * Owns what becomes of a time or an event that a schedule was due for: it runs, or it does not and the reason is kept.
 * Pure: no clock, no rows.
 */
import {
  localText,
  type OccurrenceCause,
  type OccurrenceReason,
  type QuietHours,
  type StoredState,
} from '@countersign/contract'
import type { LockedSchedule } from './cursor.ts'

export type OccurrenceVerdict = {
  readonly state: Extract<StoredState, 'due' | 'missed' | 'skipped' | 'suppressed'>
  readonly reason: OccurrenceReason
}

/** An instant that is looked at so much later was missed: nobody was there, or the clock jumped. */
export const graceMs = 60_000

const runs: OccurrenceVerdict = { state: 'due', reason: 'none' }

/** What stands in the way of everything that would run now. */
export function obstacle(
  held: LockedSchedule,
  now: number,
  cause: OccurrenceCause,
): OccurrenceVerdict | undefined {
  const { schedule } = held
  // Whoever asks by hand has seen that it is paused and how late it is.
  const isAsked = cause === 'manual'
  if (schedule.status === 'paused' && !isAsked) return { state: 'suppressed', reason: 'paused' }
  if (held.goalHeld) return { state: 'suppressed', reason: 'goal_held' }
  if (held.spendingHeld) return { state: 'suppressed', reason: 'budget' }
  if (schedule.quiet && isQuiet(schedule.quiet, now) && !isAsked)
    return { state: 'skipped', reason: 'quiet_hours' }
  if (schedule.overlap === 'skip' && held.busy) return { state: 'skipped', reason: 'overlap' }
  return undefined
}

/** How many of the times that were missed are made up for. */
export function allowance({ schedule: { missed, most } }: Pick<LockedSchedule, 'schedule'>): number {
  return { skip: 0, once: 1, all: most }[missed]
}

/** For an instant: late ones before the line are missed, whatever else may stand in the way. */
export function judgeInstant(
  at: number,
  line: number,
  hindrance: OccurrenceVerdict | undefined,
): OccurrenceVerdict {
  if (hindrance?.reason === 'paused') return hindrance
  if (at < line) return { state: 'missed', reason: 'late' }
  return hindrance ?? runs
}

export function judgeEvent(hindrance: OccurrenceVerdict | undefined, remaining: number): OccurrenceVerdict {
  if (hindrance) return hindrance
  return remaining > 0 ? runs : { state: 'suppressed', reason: 'rate' }
}

/** The hours may go over midnight. */
export function isQuiet({ from, to, zone }: QuietHours, now: number): boolean {
  const time = localText(now, zone).slice(11)
  return from <= to ? time >= from && time < to : time >= from || time < to
}
