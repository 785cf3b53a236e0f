/**
 * Owns how much may wait for the operator at once: requests and questions of agents together. What finds no room is
 * not asked yet; it is judged anew when something was decided.
 */
import type { OperatorId, RunId } from '@countersign/contract'
import { sql } from 'kysely'
import type { Db, Unit } from '../store/store.ts'

/** More than a person looks at with care, in one go. */
export const mostUndecidedOfRun = 5
/** Of all runs. */
export const mostUndecided = 50

export interface Undecided {
  readonly ofRun: number
  readonly all: number
}

/** How many more may be asked for the run. Whoever asks holds the inbox until the unit ends, so the bound is exact. */
export async function takeRoom(unit: Unit, run: RunId): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`inbox/${unit.operator}`}, 0))`.execute(unit.db)
  return roomIn(await undecided(unit.db, unit.operator, run))
}

export function roomIn({ ofRun, all }: Undecided): number {
  return Math.max(0, Math.min(mostUndecidedOfRun - ofRun, mostUndecided - all))
}

/** An effect of unknown end asks by itself and takes nobody's place. */
export async function undecided(db: Db, operator: OperatorId, run: RunId | null): Promise<Undecided> {
  const { rows } = await sql<{ own: string; total: string }>`
    select count(*) filter (where run_id = ${run}) as own, count(*) as total from (
      select run_id from approvals where operator_id = ${operator} and state = 'pending'
      union all
      select run_id from questions where operator_id = ${operator} and state = 'open' and kind = 'operator'
    ) as waiting`.execute(db)
  const [row] = rows
  return { ofRun: Number(row?.own ?? 0), all: Number(row?.total ?? 0) }
}
