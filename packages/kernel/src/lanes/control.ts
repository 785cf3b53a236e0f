/** Owns stopping a run, pausing and resuming everything, and taking up what waited. Safe to repeat; each run in its own unit. */
import { CountersignError, type OperatorId, type RunId } from '@countersign/contract'
import type { SegmentRef } from '@countersign/engine'
import { sql } from 'kysely'
import { countUndecided, mostUndecided } from '../approvals/inbox.ts'
import { lockRun, type RunRow } from '../store/run-row.ts'
import { type Actor, json, type Unit } from '../store/store.ts'
import type { LanePorts } from './lane-ports.ts'
import { finish, resume, startNext } from './run-state.ts'

const runHeld = sql<boolean>`exists (select 1 from held_goals as held where held.goal in (runs.goal, runs.about, runs.id))`

export async function requestStop(
  ports: LanePorts,
  operator: OperatorId,
  id: RunId,
  actor: Actor,
  withdraw: (unit: Unit, run: RunRow) => Promise<void>,
) {
  const committed = await ports.store.transact(operator, async (unit) => {
    const run = await lockRun(unit, id)
    if (!run) throw new CountersignError('not_found', `There is no run ${id}.`)
    if (run.state === 'stopped') return
    await unit.db
      .updateTable('runs')
      .set((set) => ({
        // Whoever says it again does not give the run more time.
        stop_requested_at: set.fn.coalesce('stop_requested_at', sql<Date>`${unit.now}::timestamptz`),
        stop_requested_by: actor.id,
      }))
      .where('id', '=', id)
      .execute()
    unit.record({
      type: 'run.stop_requested',
      actor,
      session: run.session_id,
      run: id,
      data: { state: run.state },
    })
    await unit.db.deleteFrom('held_goals').where('goal', '=', id).execute()
    if (run.state === 'parked') {
      await withdraw(unit, run)
      await finish(ports, unit, run, 'manual', 'Stopped by the operator.')
    }
  })
  return committed.ledger
}

/**
 * Holds one run, or lets it go on. It stops before its next model call or dispatch; requests of it wait as they are, and
 * what is decided meanwhile is done when it goes on.
 */
export async function holdRun(
  ports: LanePorts,
  operator: OperatorId,
  id: RunId,
  actor: Actor,
  held: boolean,
): Promise<number> {
  const committed = await ports.store.transact(operator, async (unit) => {
    const run = await lockRun(unit, id)
    if (!run) throw new CountersignError('not_found', `There is no run ${id}.`)
    if (run.state === 'stopped')
      throw new CountersignError('conflict', `${id} is over.`, {
        next: 'Send its message again with `countersign run retry`.',
      })
    // The order in which whoever confirms a pause takes it.
    await unit.db.selectFrom('operators').select('id').forNoKeyUpdate().execute()
    await (held
      ? unit.db
          .insertInto('held_goals')
          .values({ operator_id: unit.operator, goal: id, at: unit.now })
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      : unit.db.deleteFrom('held_goals').where('goal', '=', id).execute())
    const type = held ? 'run.paused' : 'run.resumed'
    unit.record({ type, actor, session: run.session_id, run: id, data: { state: run.state } })
  })
  return committed.ledger
}

/** Ends the wait for the next try of a model, with another model if one is named. Nothing where it does not wait. */
export async function retryNow(
  ports: LanePorts,
  operator: OperatorId,
  id: RunId,
  actor: Actor,
  model: string | undefined,
): Promise<number> {
  const committed = await ports.store.transact(operator, async (unit) => {
    const run = await lockRun(unit, id)
    if (!run) throw new CountersignError('not_found', `There is no run ${id}.`)
    if (run.parked_on !== 'retry' || !run.retry) return
    if (model !== undefined)
      await unit.db
        .updateTable('runs')
        .set({ retry: json({ ...run.retry, use: model }) })
        .where('id', '=', id)
        .execute()
    unit.record({
      type: 'run.retried',
      actor,
      session: run.session_id,
      run: id,
      data: { model: model ?? null },
    })
    await resume(ports, unit, run)
  })
  return committed.ledger
}

export async function pauseAll(ports: LanePorts, operator: OperatorId, actor: Actor): Promise<number> {
  const committed = await ports.store.transact(operator, async (unit) => {
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

export async function resumeAll(ports: LanePorts, operator: OperatorId, actor: Actor): Promise<number> {
  const committed = await ports.store.transact(operator, async (unit) => {
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
  await wakePaused(ports, operator)
  return committed.ledger
}

/** Takes up what a pause left: parked runs and lanes that did not start. Safe to repeat; each in its own unit. */
export async function wakePaused(ports: LanePorts, operator: OperatorId): Promise<void> {
  const left = await ports.store.read(operator, async (db) => ({
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
    await ports.store.transact(operator, async (unit) => {
      const run = await lockRun(unit, id)
      if (run?.parked_on === 'paused') await resume(ports, unit, run)
    })
  }
  for (const { id } of left.sessions) {
    await ports.store.transact(operator, async (unit) => {
      const session = await unit.db
        .selectFrom('sessions')
        .select(['active_run_id', 'label'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirstOrThrow()
      if (session.active_run_id === null) await startNext(ports, unit, id, session.label)
    })
  }
}

/** What runs although it is held. */
export async function heldRuns(ports: LanePorts, operator: OperatorId): Promise<RunId[]> {
  const rows = await ports.store.single(operator, (db) =>
    db.selectFrom('runs').select('id').where(runHeld).where('state', '=', 'running').execute(),
  )
  return rows.map(({ id }) => id)
}

/** Takes up the runs whose time has come, and says when the next one's does. */
export async function wake(ports: LanePorts, now: Date): Promise<Date | null> {
  const waiting = ports.store.system.selectFrom('wakeups').selectAll().orderBy('due_at')
  for (const { run_id: id, operator_id } of await waiting.where('due_at', '<=', now).limit(500).execute()) {
    await ports.store.transact(operator_id, async (unit) => {
      const run = await lockRun(unit, id)
      if (run?.parked_on === 'retry') await resume(ports, unit, run)
      else await unit.db.deleteFrom('wakeups').where('run_id', '=', id).execute()
    })
  }
  return (await waiting.limit(1).executeTakeFirst())?.due_at ?? null
}

/** Takes up the runs that waited until the operator has fewer decisions before them, the oldest first. */
export async function wakeForInbox(ports: LanePorts, operator: OperatorId): Promise<void> {
  const runs = await ports.store.read(operator, async (db) => {
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
    await ports.store.transact(operator, async (unit) => {
      const run = await lockRun(unit, id)
      if (run?.parked_on === 'inbox') await resume(ports, unit, run)
    })
  }
}

/** Takes up the runs whose readers have ended. */
export async function wakeForReaders(ports: LanePorts, operator: OperatorId): Promise<void> {
  const { rows } = await ports.store.single(operator, (db) =>
    sql<{ id: RunId }>`
      select distinct runs.id from runs
      join calls on calls.run_id = runs.id and calls.state = 'waiting' and calls.reader is not null
      left join runs as reading on reading.id = calls.reader
      where runs.state = 'parked' and runs.parked_on = 'reader' and coalesce(reading.state, 'stopped') = 'stopped'
      order by runs.id`.execute(db),
  )
  for (const { id } of rows) {
    await ports.store.transact(operator, async (unit) => {
      const run = await lockRun(unit, id)
      if (run?.parked_on === 'reader') await resume(ports, unit, run)
    })
  }
}

/** Readers at work whose answer nobody waits for any more. */
export async function strayReaders(ports: LanePorts, operator: OperatorId): Promise<RunId[]> {
  const { rows } = await ports.store.single(operator, (db) =>
    sql<{ id: RunId }>`
      select reading.id from runs as reading
      left join calls on calls.id = reading.answers and calls.state = 'waiting'
      left join runs as asking on asking.id = reading.parent
      where reading.answers is not null and reading.state <> 'stopped' and reading.stop_requested_at is null
        and (calls.id is null or coalesce(asking.state, 'stopped') = 'stopped')
      order by reading.id`.execute(db),
  )
  return rows.map(({ id }) => id)
}

/** Segments that should be executing since before the given time; the engine says which of them it never got. */
export async function waitingSegments(ports: LanePorts, before: Date): Promise<SegmentRef[]> {
  const rows = await ports.store.system
    .selectFrom('segments')
    .selectAll()
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(1_000)
    .execute()
  return rows.map((row) => ({ operatorId: row.operator_id, runId: row.run_id, segment: row.segment }))
}
