/** Owns the hold that a segment has on its run: while the fence stands, no other segment can change it. */
import type { InputId, OperatorId, RunId, SessionId } from '@countersign/contract'
import { type Insertable, type Selectable, sql, type UpdateObject } from 'kysely'
import type { SettingsState } from './settings-state.ts'
import type { Unit } from './store.ts'
import type { Tables, Work } from './tables.ts'

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
  /** A witness saw another ledger: nothing runs but what only looks. */
  readonly ledgerAlarm: boolean
}

/** What stands in the way of new work, as it was seen; a pause is confirmed before anything is made of it. */
export interface SeenPauses {
  readonly paused_at: Date | null
  readonly held: boolean
}

export interface SeenControls extends SeenPauses {
  readonly words: boolean
  readonly ledger_alarm_at: Date | null
}

/** Whatever may be held: by its goal, for a record, or by itself where it is a run. */
export type Holdable = Pick<Work, 'goal' | 'about'> & { readonly id?: string }

export const heldBy = (work: Holdable | null | undefined) =>
  sql<boolean>`exists (select 1 from held_goals as held where held.goal in (${work?.goal ?? ''}, ${work?.about ?? ''}, ${work?.id ?? ''}))`

export const hasWords = (run: RunId) =>
  sql<boolean>`exists (select 1 from inputs where run_id = ${run} and state = 'steering')`

/** Thrown when another segment has taken the run over; the one that sees it ends without a word. */
export class FenceLost extends Error {
  constructor(run: RunId) {
    super(`${run} is held by another segment`)
    this.name = 'FenceLost'
  }
}

/** Locks the run for this unit and proves that the segment still holds it. */
export async function lockHeld(unit: Unit, run: HeldRun): Promise<RunRow> {
  return stillHeld(await lockRun(unit, run.id), run)
}

/** The same; and tells the state of the settings. */
export async function lockHeldWith(
  unit: Unit,
  run: HeldRun,
  settings: SettingsState,
): Promise<{ readonly row: RunRow; readonly settings: string }> {
  const locked = await lockedRun(unit, run.id).select(settings.as('settings')).executeTakeFirst()
  const { settings: state, ...row } = stillHeld(locked, run)
  return { row, settings: state }
}

function stillHeld<Row extends RunRow>(row: Row | undefined, run: HeldRun): Row {
  if (!row || row.fence !== run.fence || row.segment !== run.segment || row.state !== 'running')
    throw new FenceLost(run.id)
  return row
}

export async function lockRun(unit: Unit, id: RunId): Promise<RunRow | undefined> {
  return lockedRun(unit, id).executeTakeFirst()
}

function lockedRun(unit: Unit, id: RunId) {
  return unit.db.selectFrom('runs').selectAll().where('id', '=', id).forUpdate()
}

/** Changes the run, and proves the hold in the same statement. */
export async function updateHeld(
  unit: Unit,
  run: HeldRun,
  change: UpdateObject<Tables, 'runs'>,
): Promise<RunRow> {
  const row = await updateOf(unit.db, run, change).executeTakeFirst()
  if (!row) throw new FenceLost(run.id)
  return row
}

/** The same with what is said in it; and tells the state of the settings. */
export async function sayHeld(
  unit: Unit,
  run: HeldRun,
  change: UpdateObject<Tables, 'runs'>,
  message: Insertable<Tables['messages']>,
  settings: SettingsState,
): Promise<{ readonly row: RunRow; readonly settings: string }> {
  const found = await unit.db
    .with('changed', (db) => updateOf(db, run, change))
    .with('said', (db) => db.insertInto('messages').values(message))
    .selectFrom('changed')
    .selectAll()
    .select(settings.as('settings'))
    .executeTakeFirst()
  if (!found) throw new FenceLost(run.id)
  const { settings: state, ...row } = found
  return { row, settings: state }
}

function updateOf(db: Pick<Unit['db'], 'updateTable'>, run: HeldRun, change: UpdateObject<Tables, 'runs'>) {
  return db
    .updateTable('runs')
    .set(change)
    .where('id', '=', run.id)
    .where('fence', '=', run.fence)
    .where('segment', '=', run.segment)
    .where('state', '=', 'running')
    .returningAll()
}
