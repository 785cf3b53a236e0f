/**
 * Owns what goes on by itself: for each schedule one transaction that finds what it was due for since it was last
 * looked at, writes an occurrence for each, posts the messages of those that run, and moves on. Nothing is due twice,
 * and what does not run is written down with its reason.
 */
import {
  idFrom,
  type Label,
  type OccurrenceCause,
  type OccurrenceReason,
  type Requester,
  type RunId,
  Schedule,
  type SessionId,
  type StopReason,
  type StoredState,
  schedulesCollection,
} from '@countersign/contract'
import { type Actor, originsOfRun, type RunRow } from '@countersign/kernel'
import type { AssistantContext, AssistantTransaction, PostMessage } from '../assistant-context.ts'
import { considerTime } from './consider-time.ts'
import {
  beginCursors,
  dueSchedules,
  holdSchedule,
  type LockedSchedule,
  moveCursor,
  nextDue,
} from './cursor.ts'
import { judgeEvent, type OccurrenceVerdict, obstacle } from './judgement.ts'
import { listen } from './ledger-events.ts'
import {
  endOccurrence,
  endStateOf,
  newOccurrenceId,
  type OccurrenceDraft,
  recentlySetOff,
  writeOccurrences,
} from './occurrences.ts'
import { eventText, messageFor, occurrenceOf, type ScheduledOrder, usualOrder } from './order.ts'
import { type OccurrenceRow, tablesOn } from './tables.ts'
import { createTimer } from './timer.ts'

export interface SchedulerOptions {
  readonly context: AssistantContext
  readonly post: PostMessage
  /** Looks at files of the workspace; without it nothing is watched. */
  readonly watcher?: FileWatcher
  /** What a plan or the feed is begun with, where somebody knows better than the usual words. */
  readonly order?: (
    tx: AssistantTransaction,
    schedule: Schedule,
    session: SessionId,
  ) => Promise<ScheduledOrder | undefined>
  /** Tells people of a failure, in the transaction of the end. */
  readonly tell?: (tx: AssistantTransaction, failure: ScheduleFailure) => Promise<void>
}

/** The state of one file or folder inside the workspace, by its path there. */
export interface FileWatcher {
  stat(path: string): Promise<{ readonly mtimeMs: number; readonly size: number } | null>
}

export interface ScheduleFailure {
  readonly schedule: string
  readonly name: string
  readonly occurrence: string
  readonly dueAt: string
  readonly run: RunId | null
  readonly reason: StopReason | 'undelivered'
  readonly message: string
  readonly feed: boolean
  readonly session: SessionId | null
  /** What led to the words of the message. */
  readonly label: Label | null
}

/** What sets a schedule off besides its times. */
export interface ScheduleImpulse {
  readonly key: string
  readonly cause: OccurrenceCause
  readonly words?: string
  readonly label?: Label
  /** Whoever it is done for, where that is not the operator. */
  readonly person?: Requester | null
  /** It is written down and begins nothing, for this reason. */
  readonly refused?: Extract<OccurrenceReason, 'unproven' | 'renewed'>
  /** The run that asks for it, if one does. */
  readonly run?: RunId
}

export interface FiredOccurrence {
  readonly occurrence: string
  readonly state: StoredState
  readonly reason: OccurrenceReason
  /** The same impulse came before; nothing was done now. */
  readonly repeated: boolean
}

export interface TickResult {
  readonly looked: number
  readonly written: number
  readonly begun: number
  readonly next: Date | null
}

export type Scheduler = ReturnType<typeof createScheduler>

/** A clock that was set back by more is believed; less is only drift. */
const slackMs = 60_000
export const mostPerMinute = 10
/** So many transactions at once leave connections for everything else. */
const mostAtOnce = 3

const clockActor: Actor = { kind: 'gateway', id: 'scheduler' }

export function createScheduler(options: SchedulerOptions) {
  const { context } = options
  const { operator, records } = context
  const timer = createTimer({ context, beat: () => tick(context.clock()) })

  /** Looks at everything that is due. A schedule that cannot be looked at keeps no other waiting. */
  async function tick(now: Date): Promise<TickResult> {
    const { value: due } = await records.change(operator, async (tx) => {
      await timer.note(tx, now)
      await beginCursors(tx)
      return dueSchedules(tx, now, slackMs)
    })
    let written = 0
    let begun = 0
    const waiting = [...due]
    const work = async () => {
      for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
        const done = await considerAll(id, now)
        written += done.written
        begun += done.begun
      }
    }
    await Promise.all(Array.from({ length: Math.min(mostAtOnce, waiting.length) }, work))
    const next = await records.single(operator, nextDue)
    return { looked: due.length, written, begun, next }
  }

  async function considerAll(id: string, now: Date) {
    let written = 0
    let begun = 0
    try {
      for (let more = true; more; ) {
        const { value } = await records.change(operator, (tx) => consider(tx, id, now))
        written += value.written
        begun += value.begun
        more = value.more
      }
    } catch (problem) {
      context.onProblem(problem)
    }
    return { written, begun }
  }

  async function consider(tx: AssistantTransaction, id: string, now: Date) {
    const held = await holdSchedule(tx, id)
    if (!held) return { written: 0, begun: 0, more: false }
    const time = considerTime(held, now, slackMs, context.uuid)
    const heard = await considerEvents(tx, held, now)
    const drafts = [...time.drafts, ...heard.drafts]
    const done = await write(tx, held, drafts)
    await moveCursor(tx, held, { ...time.moved, ledgerSeq: heard.ledgerSeq, seen: heard.seen })
    return { ...done, more: time.more || heard.more }
  }

  async function considerEvents(tx: AssistantTransaction, held: LockedSchedule, now: Date) {
    const { schedule, cursor } = held
    const { trigger } = schedule
    // What was said before this version was made is none of its business.
    const isNew = cursor.version !== schedule.version
    const still = {
      drafts: [] as OccurrenceDraft[],
      ledgerSeq: held.ledgerSize,
      seen: cursor.seen,
      more: false,
    }
    if (trigger.kind === 'event') {
      if (isNew) return still
      const { heard, seq } = await listen(tx, held, trigger)
      const drafts = await judged(
        tx,
        held,
        now,
        heard.map((each) => ({ ...each, cause: 'event' })),
      )
      return { ...still, drafts, ledgerSeq: seq, more: seq < held.ledgerSize }
    }
    if (trigger.kind !== 'watch' || !options.watcher) return still
    const found = await options.watcher.stat(trigger.path)
    const seen = found ? `${found.mtimeMs}/${found.size}` : 'gone'
    if (isNew || cursor.seen === null || seen === cursor.seen || !found) return { ...still, seen }
    const label: Label = {
      integrity: 'untrusted',
      confidentiality: 'private',
      sources: [`file:${trigger.path}`],
    }
    const change = { key: `file/${trigger.path}/${seen}`, at: now.getTime(), label }
    const words = `The file ${trigger.path} changed: ${found.size} bytes at ${new Date(found.mtimeMs).toISOString()}.`
    return { ...still, seen, drafts: await judged(tx, held, now, [{ ...change, words, cause: 'watch' }]) }
  }

  async function judged(
    tx: AssistantTransaction,
    held: LockedSchedule,
    now: Date,
    impulses: readonly (ScheduleImpulse & { at: number })[],
  ) {
    if (impulses.length === 0) return []
    const recent = await recentlySetOff(tx, held.id)
    return impulses.map(({ key, cause, at, words, label, person, refused }, place): OccurrenceDraft => {
      const hindrance = obstacle(held, now.getTime(), cause)
      // One look tells of a bounded number of e-mails.
      const isBounded = cause === 'manual' || cause === 'mail'
      const verdict: OccurrenceVerdict = refused
        ? { state: 'suppressed', reason: refused }
        : judgeEvent(hindrance, isBounded ? 1 : mostPerMinute - recent - place)
      const told = {
        ...(words === undefined ? {} : { words }),
        ...(label ? { label } : {}),
        ...(person ? { person } : {}),
      }
      return { id: newOccurrenceId(context.uuid()), key, cause, dueAt: at, verdict, session: null, ...told }
    })
  }

  /** The rows before the messages, and both before the cursor moves: in one transaction, or not at all. */
  async function write(tx: AssistantTransaction, held: LockedSchedule, drafts: readonly OccurrenceDraft[]) {
    const placed = placeDrafts(held, drafts)
    const written = await writeOccurrences(tx, held.id, held.schedule.version, placed)
    const fresh = new Map(written.map((row) => [row.key, row]))
    const begun = placed.filter(({ key }) => fresh.get(key)?.state === 'due')
    for (const draft of begun) await begin(tx, held, { ...draft, id: fresh.get(draft.key)?.id ?? draft.id })
    for (const entry of notesOf(
      placed.filter(({ key, verdict }) => fresh.has(key) && verdict.state !== 'due'),
    ))
      tx.record({
        type: `schedule.${entry.state}`,
        actor: clockActor,
        data: { schedule: held.id, ...entry },
      })
    return { written: written.length, begun: begun.length }
  }

  /**
   * One conversation for each version; what runs beside another occurrence has one of its own, and so has each run of a
   * plan, which knows from its conversation how far it is.
   */
  function placeDrafts(
    { schedule, busy }: LockedSchedule,
    drafts: readonly OccurrenceDraft[],
  ): readonly OccurrenceDraft[] {
    let isTaken = busy
    return drafts.map((draft) => {
      if (draft.verdict.state !== 'due') return draft
      const isBeside = schedule.does.kind === 'plan' || (schedule.overlap === 'parallel' && isTaken)
      isTaken = true
      return { ...draft, session: isBeside ? idFrom('ses', context.uuid()) : schedule.session }
    })
  }

  async function begin(
    tx: AssistantTransaction,
    held: LockedSchedule,
    draft: OccurrenceDraft,
  ): Promise<void> {
    const { id, schedule, label } = held
    const session = draft.session ?? schedule.session
    const order = (await options.order?.(tx, schedule, session)) ?? usualOrder(schedule, draft.id)
    const due = {
      occurrence: draft.id,
      session,
      words: draft.words,
      label: draft.label ?? null,
      origins: draft.origins ?? [],
      person: draft.person ?? null,
    }
    await options.post(tx, messageFor({ id, schedule, label, operator }, due, order))
    tx.record({
      type: 'schedule.started',
      actor: clockActor,
      session: due.session,
      data: {
        schedule: id,
        occurrence: draft.id,
        version: schedule.version,
        cause: draft.cause,
        due: new Date(draft.dueAt).toISOString(),
      },
    })
  }

  /** Sets a schedule off once, in the transaction of whoever asks. */
  async function fire(
    tx: AssistantTransaction,
    id: string,
    impulse: ScheduleImpulse,
  ): Promise<FiredOccurrence | undefined> {
    await beginCursors(tx)
    const asker = impulse.run && (await scheduleOfRun(tx, impulse.run))
    const held = await holdSchedule(tx, id)
    if (!held) return undefined
    const known = await tablesOn(tx.db)
      .selectFrom('occurrences')
      .select(['id', 'state', 'reason'])
      .where('operator_id', '=', operator)
      .where('schedule', '=', id)
      .where('key', '=', impulse.key)
      .executeTakeFirst()
    if (known) return { occurrence: known.id, state: known.state, reason: known.reason, repeated: true }
    const loop: OccurrenceVerdict = { state: 'suppressed', reason: 'loop' }
    const origins = impulse.run ? await originsOfRun(tx.db, impulse.run) : []
    const drafts = (await judged(tx, held, tx.now, [{ ...impulse, at: tx.now.getTime() }])).map((each) => ({
      ...each,
      ...(asker === id ? { verdict: loop } : {}),
      origins,
    }))
    await write(tx, held, drafts)
    const [draft] = drafts
    if (!draft) return undefined
    return { occurrence: draft.id, ...draft.verdict, repeated: false }
  }

  /** In the transaction that ends a run. */
  async function ended(
    tx: AssistantTransaction,
    run: Pick<RunRow, 'id' | 'input_id' | 'schedule' | 'parent' | 'about' | 'label'>,
    end: { readonly reason: StopReason; readonly message: string },
  ): Promise<void> {
    const occurrence = await occurrenceOfRun(tx, run)
    if (occurrence === undefined) return
    const state = endStateOf(end.reason)
    const row = await endOccurrence(tx, occurrence, {
      state,
      reason: 'run',
      message: end.message.slice(0, 2_000),
      run: run.id,
    })
    if (!row) return
    note(tx, row, `schedule.${state}`, end.reason)
    if (state === 'failed') await deliver(tx, row, end, run.label)
  }

  /** What its lane refused for good cannot end by itself. */
  async function undelivered(tx: AssistantTransaction, key: string, message: string): Promise<void> {
    const occurrence = occurrenceOf(key)
    if (occurrence === undefined) return
    const row = await endOccurrence(tx, occurrence, { state: 'failed', reason: 'run', message, run: null })
    if (!row) return
    note(tx, row, 'schedule.failed', 'undelivered')
    await deliver(tx, row, { reason: 'undelivered', message }, null)
  }

  function note(tx: AssistantTransaction, row: OccurrenceRow, type: string, reason: string): void {
    tx.record({
      type,
      actor: clockActor,
      ...(row.run_id ? { run: row.run_id } : {}),
      ...(row.session_id ? { session: row.session_id } : {}),
      data: { schedule: row.schedule, occurrence: row.id, due: row.due_at.toISOString(), reason },
    })
  }

  async function deliver(
    tx: AssistantTransaction,
    row: OccurrenceRow,
    { reason, message }: { reason: ScheduleFailure['reason']; message: string },
    label: Label | null,
  ): Promise<void> {
    const kept = Schedule.safeParse((await tx.records.get(schedulesCollection, row.schedule))?.data)
    const gone = { name: row.schedule, onFailure: { feed: true, session: null }, origins: [] }
    const { name, onFailure, origins } = kept.data ?? gone
    const failure: ScheduleFailure = {
      schedule: row.schedule,
      name,
      occurrence: row.id,
      dueAt: row.due_at.toISOString(),
      run: row.run_id,
      reason,
      message,
      ...onFailure,
      label,
    }
    if (onFailure.session) {
      const told = await tx.db
        .selectFrom('sessions')
        .select('work')
        .where('id', '=', onFailure.session)
        .executeTakeFirst()
      await options.post(tx, {
        key: `occ/${row.id}/failed`,
        session: onFailure.session,
        text: `The automation “${name}” failed (${reason}).\n${eventText(message)}`,
        mode: 'queue',
        requester: { kind: 'schedule', id: row.schedule },
        by: clockActor,
        ...(label ? { label } : {}),
        // Nobody asked just now, so whoever answers spends what unattended work may.
        work: {
          agent: told?.work?.agent ?? 'assistant',
          goal: told?.work?.goal ?? null,
          schedule: row.schedule,
          unattended: true,
          parent: null,
          about: null,
          origins,
        },
      })
    }
    await options.tell?.(tx, failure)
  }

  return { tick, fire, ended, undelivered, start: timer.start, nudge: timer.nudge, close: timer.close }
}

/** By what the run is done for; a plan is done for itself, and is known by the message that began it. */
async function occurrenceOfRun(
  tx: AssistantTransaction,
  run: Pick<RunRow, 'input_id' | 'schedule' | 'parent' | 'about'>,
): Promise<string | undefined> {
  if (run.schedule === null || run.parent !== null) return undefined
  if (run.about?.startsWith('occ_')) return run.about
  const input = await tx.db
    .selectFrom('inputs')
    .select('key')
    .where('id', '=', run.input_id)
    .executeTakeFirst()
  return input && occurrenceOf(input.key)
}

async function scheduleOfRun(tx: AssistantTransaction, run: RunId): Promise<string | null> {
  const row = await tx.db.selectFrom('runs').select('schedule').where('id', '=', run).executeTakeFirst()
  return row?.schedule ?? null
}

/** One entry for all that share a reason: how many, and between which times. */
function notesOf(drafts: readonly OccurrenceDraft[]) {
  const groups = Map.groupBy(drafts, ({ verdict }) => `${verdict.state}/${verdict.reason}`)
  return [...groups.values()].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const times = group.map(({ dueAt }) => dueAt)
    const at = (moment: number) => new Date(moment).toISOString()
    return [
      {
        state: first.verdict.state,
        reason: first.verdict.reason,
        count: group.length,
        first: at(Math.min(...times)),
        last: at(Math.max(...times)),
      },
    ]
  })
}
