/**
 * Owns the state of a run in its lane: begun, claimed by a segment, parked, taken back to work, ended. Each change is made
 * in the unit of whoever causes it; a segment starts after the commit.
 */
import {
  type Attachment,
  type CallId,
  type InputId,
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
  type WorkOrigin,
} from '@countersign/contract'
import type { SegmentRef } from '@countersign/engine'
import { sql } from 'kysely'
import type { HeldRun, RunRow } from '../store/run-row.ts'
import { beginsTask } from '../store/session-window.ts'
import type { SettingsState } from '../store/settings-state.ts'
import { type Db, json, type Unit } from '../store/store.ts'
import type { Work } from '../store/tables.ts'
import type { LanePorts } from './lane-ports.ts'
import { isPaused } from './pauses.ts'

export interface ClaimedRun {
  readonly run: RunRow
  readonly requester: Requester
  /** Of the message that it answers. */
  readonly key: string
  /** Whoever made or set off what began it, where no run did by itself. */
  readonly origins: readonly WorkOrigin[] | null
  /** The state of the operator's settings. */
  readonly settings: string
  /** Something waits for it: words, a pause, or a model call whose end nobody saw. */
  readonly hasWaiting: boolean
}

interface QueuedInput {
  readonly id: InputId
  readonly text: string
  readonly attachments: readonly Attachment[]
  readonly metadata: Readonly<Record<string, string>>
  readonly work: Work | null
  readonly label: Label | null
  readonly mostTurns: number | null
  /** What the session is for. */
  readonly usual: Work | null
}

/** The session that a run is begun in. */
export interface LaneSession {
  readonly id: SessionId
  readonly label: Label
  /** When something was last said or done in it, where that may be long ago. */
  readonly updated_at?: Date
}

/** What a run begins with. */
export interface NewInput {
  readonly id: InputId
  readonly text: string
  readonly attachments?: readonly Attachment[] | undefined
  readonly metadata?: Readonly<Record<string, string>> | undefined
  readonly work?: Work | null
  readonly label?: Label | null | undefined
  /** How many turns the run may take, where its message says it. */
  readonly mostTurns?: number | null | undefined
  /** The call whose result the run's answer becomes. */
  readonly answers?: CallId
}

export type SaidInput = Pick<NewInput, 'text' | 'attachments' | 'metadata'>

/** Written into the statement, so that a plan made once can use the index of what is queued. */
export const queued = sql.lit('queued' as const)

/** One statement: the run, its place in the session, its input, the first message and the segment to execute. */
export async function createRun(
  ports: LanePorts,
  unit: Unit,
  session: LaneSession,
  input: NewInput,
  kind: RunRow['kind'],
): Promise<RunId> {
  const own = input.label ?? operatorLabel
  const isTask =
    session.updated_at !== undefined &&
    beginsTask({ updated_at: session.updated_at }, unit.now, ports.silenceMs)
  const label = json(isTask ? own : joinLabels(session.label, own))
  const id = idFrom('run', ports.uuid())
  // They stand in its message.
  const { origins: _, ...work } = input.work ?? {}
  const run = {
    operator_id: unit.operator,
    id,
    session_id: session.id,
    input_id: input.id,
    kind,
    state: 'running' as const,
    label,
    started_at: unit.now,
    ...work,
    answers: input.answers ?? null,
    most_turns: input.mostTurns ?? null,
  }
  await unit.db
    .with('started', (db) => db.insertInto('runs').values(run))
    .with('taken', (db) =>
      db.updateTable('inputs').set({ run_id: id, state: 'running' }).where('id', '=', input.id),
    )
    .with('said', (db) =>
      db
        .insertInto('messages')
        .values(userMessage(unit, { ...run, turn: 0 }, input, own))
        .returning('position'),
    )
    .with('held', (db) =>
      db
        .updateTable('sessions')
        .set({
          active_run_id: id,
          updated_at: unit.now,
          ...(isTask ? { label, window_from: sql<number>`(select position from said)` } : {}),
        })
        .where('id', '=', session.id),
    )
    .insertInto('segments')
    .values(segmentRow(unit, id, 1))
    .execute()
  unit.emit({ type: 'run.started', session: session.id, run: id, input: input.id })
  startAfterCommit(ports, unit, id, 1)
  return id
}

export async function insertUserMessage(unit: Unit, run: RunRow, said: SaidInput): Promise<void> {
  await unit.db
    .insertInto('messages')
    .values(userMessage(unit, run, said))
    .execute()
}

function startAfterCommit(ports: LanePorts, unit: Unit, run: RunId, segment: number): void {
  unit.afterCommit(() => ports.start({ operatorId: unit.operator, runId: run, segment }))
}

/** Takes a parked run back to work, in a new segment. While everything is paused it stays, to be found by resumeAll. */
export async function resume(ports: LanePorts, unit: Unit, run: RunRow): Promise<void> {
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
  startAfterCommit(ports, unit, run.id, segment)
}

/** Begins a segment. Null when it has already ended or another has taken over. */
export async function claim(ports: LanePorts, ref: SegmentRef): Promise<ClaimedRun | null> {
  return ports.store.single(ref.operatorId as OperatorId, async (db) => {
    const found = await claimRow(db, ref, ports.settings)
    if (!found) {
      await deleteSegment(db, ref.runId as RunId, ref.segment)
      return null
    }
    const { requester, key, origins, settings, paused_at, held, words, spends, ...run } = found
    const hasWaiting = paused_at !== null || held || words || spends
    return { run, requester, key, origins, settings, hasWaiting }
  })
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
    .select(sql<readonly WorkOrigin[] | null>`inputs.work -> 'origins'`.as('origins'))
    .select(settings.as('settings'))
    .select(
      sql<boolean>`exists (select 1 from held_goals as held where held.goal in (claimed.goal, claimed.about, claimed.id))`.as(
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

export async function park(unit: Unit, run: HeldRun, on: ParkReason): Promise<void> {
  await unit.db.updateTable('runs').set({ state: 'parked', parked_on: on }).where('id', '=', run.id).execute()
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
export async function parkUntil(unit: Unit, run: HeldRun, retry: RetryWait): Promise<void> {
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
    data: {
      at: retry.at,
      attempt: retry.attempt,
      of: retry.of,
      because: retry.because,
      provider: retry.provider,
    },
  })
  unit.emit({ type: 'run.parked', session: run.session, run: run.id, on: 'retry', retry })
  unit.emit({ type: 'run.retrying', session: run.session, run: run.id, retry })
}

async function forgetWakeup(unit: Unit, run: RunRow): Promise<void> {
  if (run.parked_on === 'retry') await unit.db.deleteFrom('wakeups').where('run_id', '=', run.id).execute()
}

/** Ends the run and starts the next input of the lane, in one transaction. */
export async function finish(
  ports: LanePorts,
  unit: Unit,
  run: RunRow,
  reason: StopReason,
  message: string,
): Promise<void> {
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
  await ports.ended(unit, run, { reason, message }, new Set(called))
  if (next) await startQueued(ports, unit, { id: session, label: run.label }, next)
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
        .returning(['id', 'text', 'attachments', 'metadata', 'work', 'label', 'most_turns'])
        .returning(['position', 'session_id', 'state']),
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
            .select(['answered.id', 'text', 'attachments', 'answered.metadata', 'answered.work'])
            .select(['answered.label', 'answered.most_turns as mostTurns'])
            .select(['sessions.work as usual', 'position'])
            .where('state', '=', 'queued'),
        )
        .orderBy('position')
        .limit(1),
    )
    .selectFrom(sql`(select 1)`.as('once'))
    .leftJoin('next', (join) => join.onTrue())
    .select(sql<string[]>`array(select distinct tool from calls where run_id = ${run.id})`.as('called'))
    .select(['next.id', 'next.text', 'next.attachments', 'next.metadata', 'next.work', 'next.label'])
    .select(['next.usual', 'next.mostTurns'])
    .executeTakeFirstOrThrow()
  const { called, id, text, attachments, metadata, work, label, usual, mostTurns } = found
  const isNext = id !== null && text !== null && attachments !== null && metadata !== null
  return {
    called,
    next: isNext ? { id, text, attachments, metadata, work, label, usual, mostTurns } : undefined,
  }
}

export async function startNext(
  ports: LanePorts,
  unit: Unit,
  session: SessionId,
  label: Label,
): Promise<void> {
  const next = await queuedIn(unit.db, session).orderBy('position').limit(1).executeTakeFirst()
  if (next) await startQueued(ports, unit, { id: session, label }, next)
}

async function startQueued(
  ports: LanePorts,
  unit: Unit,
  session: { readonly id: SessionId; readonly label: Label },
  { usual, ...input }: QueuedInput,
): Promise<void> {
  const work = input.work ?? usual
  if (!(await isPaused(unit, work))) await createRun(ports, unit, session, { ...input, work }, 'agent')
}

function queuedIn(db: Pick<Db, 'selectFrom'>, session: SessionId) {
  return db
    .selectFrom('inputs')
    .innerJoin('sessions', 'sessions.id', 'inputs.session_id')
    .select(['inputs.id', 'text', 'attachments', 'inputs.metadata', 'inputs.work'])
    .select(['inputs.label', 'inputs.most_turns as mostTurns'])
    .select(['sessions.work as usual', 'position'])
    .where('session_id', '=', session)
    .where('state', '=', queued)
}

function deletionOf(db: Pick<Db, 'deleteFrom'>, run: RunId, segment: number) {
  return db.deleteFrom('segments').where('run_id', '=', run).where('segment', '=', segment)
}

async function deleteSegment(db: Db, run: RunId, segment: number): Promise<void> {
  await deletionOf(db, run, segment).execute()
}

function userMessage(
  unit: Unit,
  run: { id: RunId; session_id: SessionId; turn: number },
  { text, attachments = [], metadata = {} }: SaidInput,
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
    attachments: json(attachments),
    metadata: json(metadata),
  }
}

function segmentRow(unit: Unit, run: RunId, segment: number) {
  return { run_id: run, segment, operator_id: unit.operator, created_at: unit.now }
}
