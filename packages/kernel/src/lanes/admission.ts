/**
 * Owns admission: a message is written once under its key, and is put into the parked run, the running one, a new run or
 * the lane. The run is locked before its session, the order that every unit keeps.
 */
import {
  CountersignError,
  type InputId,
  idFrom,
  type OperatorId,
  operatorLabel,
  type RunId,
  type SessionId,
} from '@countersign/contract'
import { sql } from 'kysely'
import { heldBy, lockRun, type RunRow, type SeenPauses } from '../store/run-row.ts'
import { sessionTitle } from '../store/session-title.ts'
import { type Actor, type Db, json, storable, type Unit } from '../store/store.ts'
import type { Work } from '../store/tables.ts'
import type { LaneMessage, LanePorts } from './lane-ports.ts'
import { isPaused } from './pauses.ts'
import { createRun, insertUserMessage, type LaneSession, queued, resume } from './run-state.ts'

export interface AdmittedInput {
  readonly input: InputId
  readonly session: SessionId
  readonly run: RunId | null
  readonly steered: boolean
  readonly ledger: number
  readonly seq: number
}

const longestLane = 1_000
/** A title would say what it is about. */
const privateTitle = 'Private conversation'

/** Of the operator's own conversation with the assistant. */
export const usualWork: Work = { agent: 'assistant', goal: null, schedule: null, unattended: false }

/** The lane's run changed between the look and the lock; the admission begins again. */
class LaneMoved extends Error {}

/** The message was admitted before; what this unit did is taken back. */
class AlreadyAdmitted extends Error {}

export async function admit(
  ports: LanePorts,
  operator: OperatorId,
  message: LaneMessage,
): Promise<AdmittedInput> {
  const clean = {
    ...message,
    text: storable(ports.redact(message.text)),
    attachments: (message.attachments ?? []).map((each) => ({
      ...each,
      path: storable(each.path),
      name: storable(ports.redact(each.name)),
    })),
    metadata: Object.fromEntries(
      Object.entries(message.metadata ?? {}).map(([name, value]) => [name, storable(ports.redact(value))]),
    ),
  }
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { value, ledger, seq } = await ports.store.transact(operator, (unit) =>
        admitInto(ports, unit, clean),
      )
      return { ...value, ledger, seq }
    } catch (error) {
      if (error instanceof AlreadyAdmitted) return inputByKey(ports, operator, message.key)
      if (!(error instanceof LaneMoved) || attempt >= 10) throw error
    }
  }
}

async function admitInto(ports: LanePorts, unit: Unit, inbound: LaneMessage) {
  const work = inbound.work ?? (await inbound.answeredBy?.(unit))
  const addressed = work ? { ...inbound, work } : inbound
  const input = idFrom('inp', ports.uuid())
  const opens = addressed.session === null && addressed.opens === undefined
  const { session, active, pauses, message } = opens
    ? await beginSession(ports, unit, input, withModel(addressed, null))
    : await joinLane(ports, unit, input, addressed)
  const later = postponed(unit)
  const placed = await placeMessage(ports, later.unit, session, active, input, message, pauses)
  const { text, mode, attachments = [] } = message
  unit.record({
    type: 'input.admitted',
    actor: message.by ?? { kind: 'operator', id: message.requester.id },
    session: session.id,
    ...(opens ? { isPrivate: message.private === true } : {}),
    ...(placed.run ? { run: placed.run } : {}),
    data: {
      input,
      text: message.text.slice(0, 500),
      length: message.text.length,
      mode: message.mode,
      ...(attachments.length === 0
        ? {}
        : { attachments: attachments.map(({ path, sha256 }) => ({ path, sha256 })) }),
      ...(message.work?.model ? { model: message.work.model } : {}),
      ...(message.turns === undefined ? {} : { turns: message.turns }),
    },
  })
  const files = attachments.length === 0 ? {} : { attachments: [...attachments] }
  unit.emit({ type: 'input.admitted', session: session.id, input, run: placed.run, text, mode, ...files })
  later.release()
  return { input, session: session.id, ...placed }
}

/** One statement: nobody else knows the session yet, so there is nothing to lock. */
async function beginSession(ports: LanePorts, unit: Unit, input: InputId, message: LaneMessage) {
  const id = idFrom('ses', ports.uuid())
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
  return { session: { id, label: operatorLabel, work: usual }, active: undefined, pauses, message }
}

async function joinLane(ports: LanePorts, unit: Unit, input: InputId, addressed: LaneMessage) {
  const { session, active } = await lockLane(ports, unit, addressed)
  const message = withModel(addressed, session.work)
  const inserted = await inputInsert(unit, unit.db, input, session.id, message).executeTakeFirst()
  if (!inserted) throw new AlreadyAdmitted()
  if (message.model !== undefined && session.work?.model !== message.work?.model)
    await unit.db
      .updateTable('sessions')
      .set({ work: message.work ? json(usualOf(message.work)) : null })
      .where('id', '=', session.id)
      .execute()
  return { session, active, pauses: undefined, message }
}

/** The message with the model that it names, worked on for what it is for, or else for what its session is for. */
function withModel(message: LaneMessage, usual: Work | null): LaneMessage {
  if (message.model === undefined) return message
  const { model: _, ...work } = message.work ?? usual ?? usualWork
  return { ...message, work: message.model === null ? work : { ...work, model: message.model } }
}

async function inputByKey(ports: LanePorts, operator: OperatorId, key: string): Promise<AdmittedInput> {
  return ports.store.single(operator, async (db) => {
    const row = await db.selectFrom('inputs').selectAll().where('key', '=', key).executeTakeFirstOrThrow()
    return { input: row.id, session: row.session_id, run: row.run_id, steered: false, ledger: 0, seq: 0 }
  })
}

/** Locks the lane: its run first, then its session, the order that every unit keeps. */
async function lockLane(ports: LanePorts, unit: Unit, message: LaneMessage) {
  const opened = message.session === null ? await openSession(ports, unit, message) : undefined
  if (opened?.isNew) return { session: opened, active: undefined }
  const named = message.session ?? opened?.id
  const sessions = unit.db
    .selectFrom('sessions')
    .select(['id', 'active_run_id', 'label', 'work', 'updated_at', 'ends_at'])
    .where('id', '=', named as SessionId)
  const seen = await sessions.executeTakeFirst()
  if (!seen) throw new CountersignError('not_found', `There is no session ${named}.`)
  if (seen.ends_at !== null)
    throw new CountersignError('conflict', 'This private conversation has ended.', {
      next: 'Begin another: `countersign chat --private`.',
    })
  const active = seen.active_run_id === null ? undefined : await lockRun(unit, seen.active_run_id)
  const session = await sessions.forUpdate().executeTakeFirstOrThrow()
  if (session.active_run_id !== seen.active_run_id) throw new LaneMoved()
  return { session, active }
}

async function openSession(ports: LanePorts, unit: Unit, message: LaneMessage) {
  const id = message.opens ?? idFrom('ses', ports.uuid())
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
  ports: LanePorts,
  unit: Unit,
  session: LaneSession & { readonly work: Work | null },
  run: RunRow | undefined,
  input: InputId,
  message: LaneMessage,
  pauses: SeenPauses | undefined,
): Promise<{ run: RunId | null; steered: boolean }> {
  if (!run) {
    const { text, label, attachments, metadata, turns: mostTurns } = message
    const work = message.work ?? session.work
    if (await isPaused(unit, work, pauses)) return { run: null, steered: false }
    return {
      run: await createRun(
        ports,
        unit,
        session,
        { id: input, text, work, label, attachments, metadata, mostTurns },
        'agent',
      ),
      steered: false,
    }
  }
  // Words that are not the operator's own steer nothing: a run takes the label of what it began with. A run without a
  // model cannot answer any: they wait for its end.
  const isHeard = run.kind === 'agent' && message.requester.kind === 'operator' && !message.label
  if (message.mode !== 'queue' && isHeard) {
    const actor: Actor = { kind: 'operator', id: message.requester.id }
    // While another run reads for it the run is at work, and hears the words when it goes on.
    const isReading = run.parked_on === 'reader'
    if (run.state === 'parked' && !isReading && (await ports.steer(unit, run, answerIn(message), actor))) {
      await insertUserMessage(unit, run, message)
      await unit.db
        .updateTable('inputs')
        .set({ run_id: run.id, state: 'done' })
        .where('id', '=', input)
        .execute()
      await resume(ports, unit, run)
      return { run: run.id, steered: true }
    }
    // What a run has been shown is settled when a segment of it begins: files wait for the next one.
    const isWords = (message.attachments?.length ?? 0) === 0
    if ((run.state === 'running' || isReading) && message.mode === 'steer' && isWords) {
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

/** What they said to a question or a request. What they call their files is not said by them alone. */
function answerIn({ text, attachments = [] }: LaneMessage): string {
  return text === '' ? `They attached ${attachments.length === 1 ? 'a file' : 'files'}.` : text
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
      attachments: json(message.attachments ?? []),
      metadata: json(message.metadata ?? {}),
      most_turns: message.turns ?? null,
    })
    .onConflict((conflict) => conflict.columns(['operator_id', 'key']).doNothing())
    .returning('id')
}

/** Who the session is for is who the first message was for, whenever the operator writes there. */
function sessionRow(unit: Unit, id: SessionId, message: LaneMessage) {
  const usual = message.work ? usualOf(message.work) : null
  const row = {
    operator_id: unit.operator,
    id,
    title: message.private ? privateTitle : sessionTitle(message.title ?? (message.text || 'Attached files')),
    created_at: unit.now,
    updated_at: unit.now,
    active_run_id: null,
    label: json(operatorLabel),
    work: usual && json(usual),
    private: message.private === true,
  }
  return { row, usual }
}

function usualOf({ agent, goal, model, team }: Work): Work {
  return { ...usualWork, agent, goal, ...(model ? { model } : {}), ...(team ? { team } : {}) }
}
