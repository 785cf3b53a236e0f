/**
 * Owns sessions and their lanes: one run at a time per session, in arrival order, over all processes. A run starts in
 * the process that admitted it, at once; what a crash left unstarted is found by the sweep.
 */

import type { Control } from '@countersign/agent'
import {
  CountersignError,
  type InputId,
  type InputMode,
  idFrom,
  joinLabels,
  type Label,
  type OperatorId,
  operatorLabel,
  type ParkReason,
  type Requester,
  type RetryWait,
  type RunId,
  type SessionId,
  type StopReason,
} from '@countersign/contract'
import type { SegmentRef } from '@countersign/engine'
import { sql } from 'kysely'
import { countUndecided, mostUndecided } from '../approvals/inbox.ts'
import {
  type HeldRun,
  type Holdable,
  hasWords,
  heldBy,
  lockRun,
  type PendingControls,
  type RunRow,
  type SeenPauses,
  type SeenControls,
} from '../store/run-row.ts'
import type { SettingsState } from '../store/settings-state.ts'
import { type Actor, type Db, json, type Store, storable, type Unit } from '../store/store.ts'
import type { Work } from '../store/tables.ts'

/** Whoever sends it from outside of the kernel is given less than a unit of the kernel. */
export interface LaneMessage<Given = Unit> {
  readonly key: string
  readonly session: SessionId | null
  readonly text: string
  readonly mode: InputMode
  readonly requester: Requester
  /** What it is worked on for; left out, what the session is for. */
  readonly work?: Work
  /** Says for whom it is, where that is known only when it is admitted. */
  readonly answeredBy?: (unit: Given) => Promise<Work | undefined>
  /** The id of the session that is opened for it, where none is named. */
  readonly opens?: SessionId
  readonly title?: string
  /** What the words are worth, where they are not the operator's own. */
  readonly label?: Label
  /** Who brings them, where that is not the requester. */
  readonly by?: Actor
}

export interface AdmittedInput {
  readonly input: InputId
  readonly session: SessionId
  readonly run: RunId | null
  readonly steered: boolean
  readonly ledger: number
  readonly seq: number
}

export interface LanesOptions {
  readonly store: Store
  readonly settings: SettingsState
  readonly uuid: () => string
  readonly redact: (text: string) => string
  readonly start: (ref: SegmentRef) => void
  /** Offers the words to a parked run. False leaves them in the lane. */
  readonly steer: (unit: Unit, run: RunRow, words: string, actor: Actor) => Promise<boolean>
  /** Told of every end, in its transaction. */
  readonly ended: (
    unit: Unit,
    run: RunRow,
    end: { readonly reason: StopReason; readonly message: string },
    /** The tools that the run called, also by way of another. */
    called: ReadonlySet<string>,
  ) => Promise<void>
}

export interface ClaimedRun {
  readonly run: RunRow
  readonly requester: Requester
  /** Of the message that it answers. */
  readonly key: string
  /** The state of the operator's settings. */
  readonly settings: string
  /** Something waits for it: words, a pause, or a model call whose end nobody saw. */
  readonly hasWaiting: boolean
}

export type Lanes = ReturnType<typeof createLanes>

const longestLane = 1_000
/** Written into the statement, so that a plan made once can use the index of what is queued. */
const queued = sql.lit('queued' as const)

/** The lane's run changed between the look and the lock; the admission begins again. */
class LaneMoved extends Error {}

/** The message was admitted before; what this unit did is taken back. */
class AlreadyAdmitted extends Error {}

export function createLanes(options: LanesOptions) {
  const { store } = options

  async function admit(operator: OperatorId, message: LaneMessage): Promise<AdmittedInput> {
    const clean = { ...message, text: storable(options.redact(message.text)) }
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { value, ledger, seq } = await store.transact(operator, (unit) => admitInto(unit, clean))
        return { ...value, ledger, seq }
      } catch (error) {
        if (error instanceof AlreadyAdmitted) return inputByKey(operator, message.key)
        if (!(error instanceof LaneMoved) || attempt >= 10) throw error
      }
    }
  }

  async function admitInto(unit: Unit, inbound: LaneMessage) {
    const work = inbound.work ?? (await inbound.answeredBy?.(unit))
    const message = work ? { ...inbound, work } : inbound
    const input = idFrom('inp', options.uuid())
    const { session, active, pauses } =
      message.session === null && message.opens === undefined
        ? await beginSession(unit, input, message)
        : await joinLane(unit, input, message)
    const later = postponed(unit)
    const placed = await placeMessage(later.unit, session, active, input, message, pauses)
    unit.record({
      type: 'input.admitted',
      actor: message.by ?? { kind: 'operator', id: message.requester.id },
      session: session.id,
      ...(placed.run ? { run: placed.run } : {}),
      data: { input, text: message.text.slice(0, 500), length: message.text.length, mode: message.mode },
    })
    const { text, mode } = message
    unit.emit({ type: 'input.admitted', session: session.id, input, run: placed.run, text, mode })
    later.release()
    return { input, session: session.id, ...placed }
  }

  /** One statement: nobody else knows the session yet, so there is nothing to lock. */
  async function beginSession(unit: Unit, input: InputId, message: LaneMessage) {
    const id = idFrom('ses', options.uuid())
    const { row, usual } = sessionRow(unit, id, message)
    const { isNew, ...pauses } = await unit.db
      .with('opened', (db) => db.insertInto('sessions').values(row))
      .with('admitted', (db) => inputInsert(unit, db as Db, input, id, message))
      .selectFrom('operators')
      .select('paused_at')
      .select(heldBy(message.work).as('held'))
      .select(sql<boolean>`exists (select 1 from admitted)`.as('isNew'))
      .executeTakeFirstOrThrow()
    if (!isNew) throw new AlreadyAdmitted()
    return { session: { id, label: operatorLabel, work: usual }, active: undefined, pauses }
  }

  async function joinLane(unit: Unit, input: InputId, message: LaneMessage) {
    const { session, active } = await lockLane(unit, message)
    const inserted = await inputInsert(unit, unit.db, input, session.id, message).executeTakeFirst()
    if (!inserted) throw new AlreadyAdmitted()
    return { session, active, pauses: undefined }
  }

  async function inputByKey(operator: OperatorId, key: string): Promise<AdmittedInput> {
    return store.single(operator, async (db) => {
      const row = await db.selectFrom('inputs').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
      return { input: row.id, session: row.session_id, run: row.run_id, steered: false, ledger: 0, seq: 0 }
    })
  }

  /** Locks the lane: its run first, then its session, the order that every unit keeps. */
  async function lockLane(unit: Unit, message: LaneMessage) {
    const opened = message.session === null ? await openSession(unit, message) : undefined
    if (opened?.isNew) return { session: opened, active: undefined }
    const named = message.session ?? opened?.id
    const sessions = unit.db
      .selectFrom('sessions')
      .select(['id', 'active_run_id', 'label', 'work'])
      .where('id', '=', named as SessionId)
    const seen = await sessions.executeTakeFirst()
    if (!seen) throw new CountersignError('not_found', `There is no session ${named}.`)
    const active = seen.active_run_id === null ? undefined : await lockRun(unit, seen.active_run_id)
    const session = await sessions.forUpdate().executeTakeFirstOrThrow()
    if (session.active_run_id !== seen.active_run_id) throw new LaneMoved()
    return { session, active }
  }

  async function openSession(unit: Unit, message: LaneMessage) {
    const id = message.opens ?? idFrom('ses', options.uuid())
    const { row, usual } = sessionRow(unit, id, message)
    const inserted = await unit.db
      .insertInto('sessions')
      .values(row)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst()
    return { id, label: operatorLabel, work: usual, isNew: inserted !== undefined }
  }

  /** Decides where a message goes: into the parked run, into the running one, into a new run, or into the lane. */
  async function placeMessage(
    unit: Unit,
    session: { id: SessionId; label: Label; work: Work | null },
    run: RunRow | undefined,
    input: InputId,
    message: LaneMessage,
    pauses: SeenPauses | undefined,
  ): Promise<{ run: RunId | null; steered: boolean }> {
    if (!run) {
      const { text, label } = message
      const work = message.work ?? session.work
      if (await isPaused(unit, work, pauses)) return { run: null, steered: false }
      return {
        run: await createRun(unit, session, { id: input, text, work, label }, 'agent'),
        steered: false,
      }
    }
    // Words that are not the operator's own steer nothing: a run takes the label of what it began with.
    if (message.mode !== 'queue' && message.requester.kind === 'operator' && !message.label) {
      const actor: Actor = { kind: 'operator', id: message.requester.id }
      if (run.state === 'parked' && (await options.steer(unit, run, message.text, actor))) {
        await insertUserMessage(unit, run, message.text)
        await unit.db
          .updateTable('inputs')
          .set({ run_id: run.id, state: 'done' })
          .where('id', '=', input)
          .execute()
        await resume(unit, run)
        return { run: run.id, steered: true }
      }
      if (run.state === 'running' && message.mode === 'steer') {
        await unit.db
          .updateTable('inputs')
          .set({ run_id: run.id, state: 'steering' })
          .where('id', '=', input)
          .execute()
        return { run: run.id, steered: true }
      }
    }
    const { waiting } = await unit.db
      .selectFrom('inputs')
      .select(sql<number>`count(*)`.as('waiting'))
      .where('session_id', '=', session.id)
      .where('state', '=', queued)
      .executeTakeFirstOrThrow()
    if (waiting > longestLane)
      throw new CountersignError(
        'limit_reached',
        `More than ${longestLane} messages are queued in this session.`,
      )
    return { run: null, steered: false }
  }

  /** One statement: the run, its place in the session, its input, the first message and the segment to execute. */
  async function createRun(
    unit: Unit,
    session: { id: SessionId; label: Label },
    input: { id: InputId; text: string; work?: Work | null; label?: Label | null | undefined },
    kind: RunRow['kind'],
  ): Promise<RunId> {
    const own = input.label ?? operatorLabel
    const id = idFrom('run', options.uuid())
    const run = {
      operator_id: unit.operator,
      id,
      session_id: session.id,
      input_id: input.id,
      kind,
      state: 'running' as const,
      label: json(joinLabels(session.label, own)),
      started_at: unit.now,
      ...input.work,
    }
    await unit.db
      .with('started', (db) => db.insertInto('runs').values(run))
      .with('held', (db) =>
        db
          .updateTable('sessions')
          .set({ active_run_id: id, updated_at: unit.now })
          .where('id', '=', session.id),
      )
      .with('taken', (db) =>
        db.updateTable('inputs').set({ run_id: id, state: 'running' }).where('id', '=', input.id),
      )
      .with('said', (db) =>
        db.insertInto('messages').values(userMessage(unit, { ...run, turn: 0 }, input.text, own)),
      )
      .insertInto('segments')
      .values(segmentRow(unit, id, 1))
      .execute()
    unit.emit({ type: 'run.started', session: session.id, run: id, input: input.id })
    startAfterCommit(unit, id, 1)
    return id
  }

  async function insertUserMessage(unit: Unit, run: RunRow, text: string): Promise<void> {
    await unit.db
      .insertInto('messages')
      .values(userMessage(unit, run, text))
      .execute()
  }

  function startAfterCommit(unit: Unit, run: RunId, segment: number): void {
    unit.afterCommit(() => options.start({ operatorId: unit.operator, runId: run, segment }))
  }

  /** Takes a parked run back to work, in a new segment. While everything is paused it stays, to be found by resumeAll. */
  async function resume(unit: Unit, run: RunRow): Promise<void> {
    if (run.state !== 'parked') return
    await forgetWakeup(unit, run)
    if (await isPaused(unit, run)) {
      await unit.db.updateTable('runs').set({ parked_on: 'paused' }).where('id', '=', run.id).execute()
      return
    }
    const segment = run.segment + 1
    await unit.db
      .updateTable('runs')
      .set({ state: 'running', parked_on: null, segment })
      .where('id', '=', run.id)
      .execute()
    await unit.db
      .insertInto('segments')
      .values(segmentRow(unit, run.id, segment))
      .execute()
    unit.emit({ type: 'run.resumed', session: run.session_id, run: run.id })
    startAfterCommit(unit, run.id, segment)
  }

  /** Begins a segment. Null when it has already ended or another has taken over. */
  async function claim(ref: SegmentRef): Promise<ClaimedRun | null> {
    return store.single(ref.operatorId as OperatorId, async (db) => {
      const found = await claimRow(db, ref, options.settings)
      if (!found) {
        await deleteSegment(db, ref.runId as RunId, ref.segment)
        return null
      }
      const { requester, key, settings, paused_at, held, words, spends, ...run } = found
      return { run, requester, key, settings, hasWaiting: paused_at !== null || held || words || spends }
    })
  }

  async function park(unit: Unit, run: HeldRun, on: ParkReason): Promise<void> {
    await unit.db
      .updateTable('runs')
      .set({ state: 'parked', parked_on: on })
      .where('id', '=', run.id)
      .execute()
    await deleteSegment(unit.db, run.id, run.segment)
    const { waiting } = await unit.db
      .selectFrom('calls')
      .select(sql<number>`count(*)::int`.as('waiting'))
      .where('run_id', '=', run.id)
      .where('state', '=', 'proposed')
      .executeTakeFirstOrThrow()
    const turn = waiting === 0 ? {} : { waiting }
    unit.emit({ type: 'run.parked', session: run.session, run: run.id, on, ...turn })
  }

  /** Parks a run that goes on by itself. */
  async function parkUntil(unit: Unit, run: HeldRun, retry: RetryWait): Promise<void> {
    await unit.db
      .with('waits', (db) =>
        db
          .insertInto('wakeups')
          .values({ run_id: run.id, operator_id: unit.operator, due_at: new Date(retry.at) }),
      )
      .updateTable('runs')
      .set({ state: 'parked', parked_on: 'retry', retries: retry.attempt, retry: json(retry) })
      .where('id', '=', run.id)
      .execute()
    await deleteSegment(unit.db, run.id, run.segment)
    unit.record({
      type: 'run.waits',
      actor: { kind: 'gateway', id: 'gateway' },
      session: run.session,
      run: run.id,
      data: retry,
    })
    unit.emit({ type: 'run.parked', session: run.session, run: run.id, on: 'retry', retry })
  }

  async function forgetWakeup(unit: Unit, run: RunRow): Promise<void> {
    if (run.parked_on === 'retry') await unit.db.deleteFrom('wakeups').where('run_id', '=', run.id).execute()
  }

  /** Takes up the runs whose time has come, and says when the next one's does. */
  async function wake(now: Date): Promise<Date | null> {
    const waiting = store.system.selectFrom('wakeups').selectAll().orderBy('due_at')
    for (const { run_id: id, operator_id } of await waiting.where('due_at', '<=', now).limit(500).execute()) {
      await store.transact(operator_id, async (unit) => {
        const run = await lockRun(unit, id)
        if (run?.parked_on === 'retry') await resume(unit, run)
        else await unit.db.deleteFrom('wakeups').where('run_id', '=', id).execute()
      })
    }
    return (await waiting.limit(1).executeTakeFirst())?.due_at ?? null
  }

  /** Takes up the runs that waited until the operator has fewer decisions before them, the oldest first. */
  async function wakeForInbox(operator: OperatorId): Promise<void> {
    const runs = await store.read(operator, async (db) => {
      const waiting = await db
        .selectFrom('runs')
        .select('id')
        .where('state', '=', 'parked')
        .where('parked_on', '=', 'inbox')
        .orderBy('id')
        .limit(mostUndecided)
        .execute()
      if (waiting.length === 0) return []
      return waiting.slice(0, Math.max(0, mostUndecided - (await countUndecided(db, operator, null)).all))
    })
    for (const { id } of runs) {
      await store.transact(operator, async (unit) => {
        const run = await lockRun(unit, id)
        if (run?.parked_on === 'inbox') await resume(unit, run)
      })
    }
  }

  /** Ends the run and starts the next input of the lane, in one transaction. */
  async function finish(unit: Unit, run: RunRow, reason: StopReason, message: string): Promise<void> {
    await forgetWakeup(unit, run)
    const { called, next } = await leaveLane(unit, run, reason, message)
    const { session_id: session, input_id: input } = run
    unit.record({
      type: 'run.ended',
      actor: { kind: 'gateway', id: 'gateway' },
      session,
      run: run.id,
      data: { reason, message, turns: run.turn },
    })
    unit.emit({ type: 'run.ended', session, run: run.id, input, reason, message })
    await options.ended(unit, run, { reason, message }, new Set(called))
    if (next) await startQueued(unit, { id: session, label: run.label }, next)
  }

  async function startNext(unit: Unit, session: SessionId, label: Label): Promise<void> {
    const next = await queuedIn(unit.db, session).orderBy('position').limit(1).executeTakeFirst()
    if (next) await startQueued(unit, { id: session, label }, next)
  }

  async function startQueued(
    unit: Unit,
    session: { readonly id: SessionId; readonly label: Label },
    { usual, ...input }: QueuedInput,
  ): Promise<void> {
    const work = input.work ?? usual
    if (!(await isPaused(unit, work))) await createRun(unit, session, { ...input, work }, 'agent')
  }

  /** A pause is confirmed under the operator's lock, so that nothing is left behind by a resume at the same time. */
  async function isPaused(unit: Unit, work?: Holdable | null, known?: SeenPauses): Promise<boolean> {
    const query = unit.db.selectFrom('operators').select('paused_at').select(heldBy(work).as('held'))
    const seen = known ?? (await query.executeTakeFirstOrThrow())
    if (seen.paused_at === null && !seen.held) return false
    // The lock by itself: a look that had to wait for it would show what was held before it waited.
    await unit.db.selectFrom('operators').select('id').forNoKeyUpdate().execute()
    const sure = await query.executeTakeFirstOrThrow()
    return sure.paused_at !== null || sure.held
  }

  /** What people asked of the run meanwhile. Steering words are taken out of the lane and become messages. */
  async function control(unit: Unit, run: RunRow): Promise<Control> {
    const { words, stop, pause } = await pendingControls(unit, run)
    return { stop, pause, steering: words ? await takeSteering(unit, run) : [] }
  }

  /** The same without taking anything: it only says whether words wait. */
  async function pendingControls(unit: Unit, run: RunRow, known?: SeenControls): Promise<PendingControls> {
    const seen = known ?? (await readPauses(unit, run))
    return {
      stop: run.stop_requested_at !== null,
      pause: (seen.paused_at !== null || seen.held) && (await isPaused(unit, run)),
      words: seen.words,
    }
  }

  async function takeSteering(unit: Unit, run: RunRow): Promise<string[]> {
    const waiting = await unit.db
      .updateTable('inputs')
      .set({ state: 'done' })
      .where('run_id', '=', run.id)
      .where('state', '=', 'steering')
      .returning(['position', 'text'])
      .execute()
    const words = waiting.toSorted((left, right) => left.position - right.position).map((row) => row.text)
    for (const text of words) await insertUserMessage(unit, run, text)
    return words
  }

  async function requestStop(
    operator: OperatorId,
    id: RunId,
    actor: Actor,
    withdraw: (unit: Unit, run: RunRow) => Promise<void>,
  ) {
    const committed = await store.transact(operator, async (unit) => {
      const run = await lockRun(unit, id)
      if (!run) throw new CountersignError('not_found', `There is no run ${id}.`)
      if (run.state === 'stopped') return
      await unit.db
        .updateTable('runs')
        .set({ stop_requested_at: unit.now, stop_requested_by: actor.id })
        .where('id', '=', id)
        .execute()
      unit.record({
        type: 'run.stop_requested',
        actor,
        session: run.session_id,
        run: id,
        data: { state: run.state },
      })
      if (run.state === 'parked') {
        await withdraw(unit, run)
        await finish(unit, run, 'manual', 'Stopped by the operator.')
      }
    })
    return committed.ledger
  }

  async function pauseAll(operator: OperatorId, actor: Actor): Promise<number> {
    const committed = await store.transact(operator, async (unit) => {
      const changed = await unit.db
        .updateTable('operators')
        .set({ paused_at: unit.now, paused_by: actor.id })
        .where('paused_at', 'is', null)
        .returning('id')
        .executeTakeFirst()
      if (!changed) return
      unit.record({ type: 'system.paused', actor, data: {} })
      unit.emit({ type: 'system.paused', by: actor.id })
    })
    return committed.ledger
  }

  async function resumeAll(operator: OperatorId, actor: Actor): Promise<number> {
    const committed = await store.transact(operator, async (unit) => {
      const changed = await unit.db
        .updateTable('operators')
        .set({ paused_at: null, paused_by: null })
        .where('paused_at', 'is not', null)
        .returning('id')
        .executeTakeFirst()
      if (!changed) return
      unit.record({ type: 'system.resumed', actor, data: {} })
      unit.emit({ type: 'system.resumed', by: actor.id })
    })
    await wakePaused(operator)
    return committed.ledger
  }

  /** Takes up what a pause left: parked runs and lanes that did not start. Safe to repeat; each in its own unit. */
  async function wakePaused(operator: OperatorId): Promise<void> {
    const left = await store.read(operator, async (db) => ({
      paused: (await db.selectFrom('operators').select('paused_at').executeTakeFirst())?.paused_at ?? null,
      runs: await db
        .selectFrom('runs')
        .select('id')
        .where('state', '=', 'parked')
        .where('parked_on', '=', 'paused')
        .where(({ not }) => not(runHeld))
        .orderBy('id')
        .execute(),
      sessions: await db
        .selectFrom('sessions')
        .select('id')
        .where('active_run_id', 'is', null)
        .where('id', 'in', db.selectFrom('inputs').select('session_id').where('state', '=', 'queued'))
        .orderBy('id')
        .execute(),
    }))
    if (left.paused) return
    for (const { id } of left.runs) {
      await store.transact(operator, async (unit) => {
        const run = await lockRun(unit, id)
        if (run?.parked_on === 'paused') await resume(unit, run)
      })
    }
    for (const { id } of left.sessions) {
      await store.transact(operator, async (unit) => {
        const session = await unit.db
          .selectFrom('sessions')
          .select(['active_run_id', 'label'])
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirstOrThrow()
        if (session.active_run_id === null) await startNext(unit, id, session.label)
      })
    }
  }

  /** What runs although it is held. */
  async function heldRuns(operator: OperatorId): Promise<RunId[]> {
    const rows = await store.single(operator, (db) =>
      db.selectFrom('runs').select('id').where(runHeld).where('state', '=', 'running').execute(),
    )
    return rows.map(({ id }) => id)
  }

  /** Segments that should be executing since before the given time; the engine says which of them it never got. */
  async function waitingSegments(before: Date): Promise<SegmentRef[]> {
    const rows = await store.system
      .selectFrom('segments')
      .selectAll()
      .where('created_at', '<', before)
      .orderBy('created_at')
      .limit(1_000)
      .execute()
    return rows.map((row) => ({ operatorId: row.operator_id, runId: row.run_id, segment: row.segment }))
  }

  return {
    admit,
    claim,
    park,
    parkUntil,
    wake,
    wakeForInbox,
    finish,
    resume,
    control,
    pendingControls,
    createRun,
    isPaused,
    wakePaused,
    heldRuns,
    requestStop,
    pauseAll,
    resumeAll,
    waitingSegments,
  }
}

/** The same unit, whose entries and events wait: what a message causes is told after the message. */
function postponed(unit: Unit): { unit: Unit; release(): void } {
  const waiting: (() => void)[] = []
  return {
    unit: {
      ...unit,
      record: (entry) => waiting.push(() => unit.record(entry)),
      emit: (event) => waiting.push(() => unit.emit(event)),
    },
    release: () => {
      for (const tell of waiting) tell()
    },
  }
}

/** In one statement: the claim, and all that a segment begins with. */
function claimRow(db: Db, ref: SegmentRef, settings: SettingsState) {
  return db
    .with('claimed', (claiming) =>
      claiming
        .updateTable('runs')
        .set({ fence: sql`fence + 1` })
        .where('id', '=', ref.runId as RunId)
        .where('segment', '=', ref.segment)
        .where('state', '=', 'running')
        .returningAll(),
    )
    .selectFrom('claimed')
    .innerJoin('inputs', 'inputs.id', 'claimed.input_id')
    .innerJoin('operators', 'operators.id', 'claimed.operator_id')
    .selectAll('claimed')
    .select(['inputs.requester', 'inputs.key', 'operators.paused_at'])
    .select(settings.as('settings'))
    .select(
      sql<boolean>`exists (select 1 from held_goals as held where held.goal in (claimed.goal, claimed.about))`.as(
        'held',
      ),
    )
    .select(
      sql<boolean>`exists (select 1 from inputs where run_id = claimed.id and state = 'steering')`.as(
        'words',
      ),
    )
    .select(
      sql<boolean>`exists (select 1 from model_calls where run_id = claimed.id and state = 'reserved')`.as(
        'spends',
      ),
    )
    .executeTakeFirst()
}

interface QueuedInput {
  readonly id: InputId
  readonly text: string
  readonly work: Work | null
  readonly label: Label | null
  /** What the session is for. */
  readonly usual: Work | null
}

function queuedIn(db: Pick<Db, 'selectFrom'>, session: SessionId) {
  return db
    .selectFrom('inputs')
    .innerJoin('sessions', 'sessions.id', 'inputs.session_id')
    .select(['inputs.id', 'text', 'inputs.work', 'inputs.label', 'sessions.work as usual', 'position'])
    .where('session_id', '=', session)
    .where('state', '=', queued)
}

/**
 * One statement: the run ends, its lane is free, and what is known of both is told: the tools that the run called, and
 * the next input. Words that came too late for this run are the next thing to answer.
 */
async function leaveLane(
  unit: Unit,
  run: RunRow,
  reason: StopReason,
  message: string,
): Promise<{ readonly called: readonly string[]; readonly next: QueuedInput | undefined }> {
  const late = sql<boolean>`state = 'steering'`
  const found = await unit.db
    .with('ended', (db) =>
      db
        .updateTable('runs')
        .set({ state: 'stopped', parked_on: null, reason, message, ended_at: unit.now })
        .where('id', '=', run.id),
    )
    .with('answered', (db) =>
      db
        .updateTable('inputs')
        .set({
          state: sql`case when ${late} then 'queued' else 'done' end`,
          run_id: sql`case when ${late} then null else run_id end`,
        })
        .where('run_id', '=', run.id)
        .where('state', 'in', ['running', 'steering'])
        .returning(['id', 'text', 'work', 'label', 'position', 'session_id', 'state']),
    )
    .with('left', (db) =>
      db
        .updateTable('sessions')
        .set({ active_run_id: null, updated_at: unit.now, label: json(run.label) })
        .where('id', '=', run.session_id),
    )
    .with('freed', (db) => deletionOf(db, run.id, run.segment))
    // What this statement itself puts into the lane is seen only in what it returns.
    .with('next', (db) =>
      queuedIn(db, run.session_id)
        .unionAll(
          db
            .selectFrom('answered')
            .innerJoin('sessions', 'sessions.id', 'answered.session_id')
            .select([
              'answered.id',
              'text',
              'answered.work',
              'answered.label',
              'sessions.work as usual',
              'position',
            ])
            .where('state', '=', 'queued'),
        )
        .orderBy('position')
        .limit(1),
    )
    .selectFrom(sql`(select 1)`.as('once'))
    .leftJoin('next', (join) => join.onTrue())
    .select(sql<string[]>`array(select distinct tool from calls where run_id = ${run.id})`.as('called'))
    .select(['next.id', 'next.text', 'next.work', 'next.label', 'next.usual'])
    .executeTakeFirstOrThrow()
  const { called, id, text, work, label, usual } = found
  return { called, next: id === null || text === null ? undefined : { id, text, work, label, usual } }
}

function deletionOf(db: Pick<Db, 'deleteFrom'>, run: RunId, segment: number) {
  return db.deleteFrom('segments').where('run_id', '=', run).where('segment', '=', segment)
}

async function deleteSegment(db: Db, run: RunId, segment: number): Promise<void> {
  await deletionOf(db, run, segment).execute()
}

function inputInsert(unit: Unit, db: Db, input: InputId, session: SessionId, message: LaneMessage) {
  return db
    .insertInto('inputs')
    .values({
      operator_id: unit.operator,
      id: input,
      session_id: session,
      run_id: null,
      key: message.key,
      mode: message.mode,
      text: message.text,
      requester: json(message.requester),
      state: 'queued',
      created_at: unit.now,
      work: message.work ? json(message.work) : null,
      label: message.label ? json(message.label) : null,
    })
    .onConflict((conflict) => conflict.columns(['operator_id', 'key']).doNothing())
    .returning('id')
}

function readPauses(unit: Unit, run: RunRow): Promise<SeenControls> {
  return unit.db
    .selectFrom('operators')
    .select(['paused_at', heldBy(run).as('held'), hasWords(run.id).as('words')])
    .executeTakeFirstOrThrow()
}

const runHeld = sql<boolean>`exists (select 1 from held_goals as held where held.goal in (runs.goal, runs.about))`

/** Who the session is for is who the first message was for, whenever the operator writes there. */
function sessionRow(unit: Unit, id: SessionId, message: LaneMessage) {
  const { agent, goal } = message.work ?? { agent: 'assistant', goal: null }
  const usual: Work | null = message.work ? { agent, goal, schedule: null, unattended: false } : null
  const row = {
    operator_id: unit.operator,
    id,
    title: (message.title ?? message.text.split('\n', 1)[0] ?? '').slice(0, 80),
    created_at: unit.now,
    updated_at: unit.now,
    active_run_id: null,
    label: json(operatorLabel),
    work: usual && json(usual),
  }
  return { row, usual }
}

function userMessage(
  unit: Unit,
  run: { id: RunId; session_id: SessionId; turn: number },
  text: string,
  label: Label = operatorLabel,
) {
  return {
    operator_id: unit.operator,
    session_id: run.session_id,
    run_id: run.id,
    turn: run.turn,
    role: 'user' as const,
    text,
    label: json(label),
    at: unit.now,
  }
}

function segmentRow(unit: Unit, run: RunId, segment: number) {
  return { run_id: run, segment, operator_id: unit.operator, created_at: unit.now }
}
