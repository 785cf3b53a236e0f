/** Owns the hold that a segment has on its run: while the fence stands, no other segment can change it. */
import type { InputId, OperatorId, RunId, SessionId } from '@countersign/contract'
import type { Insertable, Selectable, UpdateObject } from 'kysely'
import type { Unit } from './store.ts'
import type { Tables } from './tables.ts'

export type RunRow = Selectable<Tables['runs']>

/** A run as the segment that executes it holds it. */
export interface HeldRun {
  readonly operator: OperatorId
  readonly id: RunId
  readonly session: SessionId
  readonly input: InputId
  readonly segment: number
  readonly fence: number
}

/** What people want of a run; `words` wait to be heard at its next turn. */
export interface PendingControls {
  readonly stop: boolean
  readonly pause: boolean
  readonly words: boolean
}

/** Thrown when another segment has taken the run over; the one that sees it ends without a word. */
export class FenceLost extends Error {
  constructor(run: RunId) {
    super(`${run} is held by another segment`)
    this.name = 'FenceLost'
  }
}

/** Locks the run for this unit and proves that the segment still holds it. */
export async function lockHeld(unit: Unit, run: HeldRun): Promise<RunRow> {
  const row = await lockRun(unit, run.id)
  if (!row || row.fence !== run.fence || row.segment !== run.segment || row.state !== 'running')
    throw new FenceLost(run.id)
  return row
}

export async function lockRun(unit: Unit, id: RunId): Promise<RunRow | undefined> {
  return unit.db.selectFrom('runs').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Changes the run, with what is said in it, and proves the hold in the same statement. */
export async function updateHeld(
  unit: Unit,
  run: HeldRun,
  change: UpdateObject<Tables, 'runs'>,
  message?: Insertable<Tables['messages']>,
): Promise<RunRow> {
  const update = (db: Pick<Unit['db'], 'updateTable'>) =>
    db
      .updateTable('runs')
      .set(change)
      .where('id', '=', run.id)
      .where('fence', '=', run.fence)
      .where('segment', '=', run.segment)
      .where('state', '=', 'running')
      .returningAll()
  const row = await (message
    ? unit.db
        .with('changed', update)
        .with('said', (db) => db.insertInto('messages').values(message))
        .selectFrom('changed')
        .selectAll()
        .executeTakeFirst()
    : update(unit.db).executeTakeFirst())
  if (!row) throw new FenceLost(run.id)
  return row
}
