/**
 * Owns how much may wait for the operator at once: requests and questions of agents together. What finds no space is
 * not asked yet; it is authorized anew when something was decided.
 */
import type { OperatorId, RunId } from '@countersign/contract'
import { lockByName } from '../store/named-lock.ts'
import type { Db, Unit } from '../store/store.ts'

/** More than a person looks at with care, in one go. */
export const mostUndecidedOfRun = 5
/** Of all runs. */
export const mostUndecided = 50

export interface UndecidedCounts {
  readonly ofRun: number
  readonly all: number
}

/** How many more may be asked for the run. Whoever asks holds the inbox until the unit ends, so the bound is exact. */
export async function lockFreeSpace(unit: Unit, run: RunId): Promise<number> {
  await lockByName(unit, 'inbox')
  return freeSpace(await countUndecided(unit.db, unit.operator, run))
}

export function freeSpace({ ofRun, all }: UndecidedCounts): number {
  return Math.max(0, Math.min(mostUndecidedOfRun - ofRun, mostUndecided - all))
}

/** An effect of unknown end asks by itself and takes nobody's place. */
export async function countUndecided(
  db: Db,
  operator: OperatorId,
  run: RunId | null,
): Promise<UndecidedCounts> {
  const requests = db
    .selectFrom('approvals')
    .select('run_id')
    .where('operator_id', '=', operator)
    .where('state', '=', 'pending')
  const questions = db
    .selectFrom('questions')
    .select('run_id')
    .where('operator_id', '=', operator)
    .where('state', '=', 'open')
    .where('kind', '=', 'operator')
  const waiting = await requests.unionAll(questions).execute()
  return { ofRun: waiting.filter(({ run_id }) => run_id === run).length, all: waiting.length }
}
