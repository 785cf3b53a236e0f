/**
 * Owns which instants a schedule was due for since it was last looked at, and from where it is looked at next. Pure but
 * for the ids.
 */
import { isTimeTrigger, type TimeTrigger } from '@countersign/contract'
import type { CursorMove, LockedSchedule } from './cursor.ts'
import { instantsOf } from './instants.ts'
import { allowance, graceMs, judgeInstant, type OccurrenceVerdict, obstacle } from './judgement.ts'
import { newOccurrenceId, type OccurrenceDraft } from './occurrences.ts'

export interface DueTimes {
  readonly drafts: readonly OccurrenceDraft[]
  readonly moved: Pick<CursorMove, 'consideredAt' | 'nextAt'>
  /** There are more than one transaction should hold. */
  readonly more: boolean
}

/** So that one transaction stays short, and the process answers in between. */
const mostAtOnce = 2_000
/** An edit is made while somebody looks, so that next to nothing is left. */
const mostLeft = 100_000

export function considerTime(held: LockedSchedule, now: Date, slackMs: number, uuid: () => string): DueTimes {
  const { schedule, cursor } = held
  const until = now.getTime()
  const isEdited = cursor.version !== 0 && cursor.version !== schedule.version
  const draft = (at: number, verdict: OccurrenceVerdict): OccurrenceDraft => ({
    id: newOccurrenceId(uuid()),
    key: keyOf(at),
    cause: 'time',
    dueAt: at,
    verdict,
    session: null,
  })

  // What an earlier version was due for until the edit, and nobody looked at, is that version's.
  const edit = Math.min(held.updatedAt.getTime(), until)
  const before = isEdited && cursor.trigger && isTimeTrigger(cursor.trigger) ? cursor.trigger : undefined
  const left = before ? timesBetween(before, held, cursor.consideredAt.getTime(), edit, mostLeft) : []
  const drafts = left.map((at) => draft(at, { state: 'suppressed', reason: 'edited' }))

  const { trigger } = schedule
  if (!isTimeTrigger(trigger)) return { drafts, moved: { consideredAt: now, nextAt: null }, more: false }

  const considered = cursor.consideredAt.getTime()
  const isSetBack = considered > until + slackMs
  const from = isSetBack ? until : isEdited ? Math.max(considered, edit) : considered
  const times = timesBetween(trigger, held, from, until, mostAtOnce)
  const last = times.at(-1)
  const more = times.length === mostAtOnce && last !== undefined
  const line = lineOf(trigger, held, until)
  const hindrance = times.length > 0 ? obstacle(held, until, 'time') : undefined
  for (const at of times) drafts.push(draft(at, judgeInstant(at, line, hindrance)))
  const reached = more ? last : Math.max(from, until)
  const next = more ? last : instantsOf(trigger, held.createdAt.getTime()).after(reached)
  return {
    drafts,
    moved: { consideredAt: new Date(reached), nextAt: next === null ? null : new Date(next) },
    more,
  }
}

/** An instant has one name, so that it has one occurrence. */
function keyOf(at: number): string {
  return new Date(at).toISOString()
}

function timesBetween(
  trigger: TimeTrigger,
  held: LockedSchedule,
  from: number,
  to: number,
  most: number,
): readonly number[] {
  return instantsOf(trigger, held.createdAt.getTime()).between(from, to, most)
}

/** From here on instants run: those that are on time, and as many late ones as are made up for. */
function lineOf(trigger: TimeTrigger, held: LockedSchedule, now: number): number {
  const onTime = now - graceMs
  const count = allowance(held)
  if (count === 0) return onTime
  const earliest = instantsOf(trigger, held.createdAt.getTime()).upTo(now, count).at(-1)
  return earliest === undefined ? onTime : Math.min(onTime, earliest)
}
