/** Owns when something last happened in the runs that are under way, and whether one of them waits for a person. */
import type { RunId, SessionId } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { sql } from 'kysely'

export interface RunActivity {
  readonly id: RunId
  readonly session: SessionId
  readonly goal: string | null
  readonly about: string | null
  readonly state: 'running' | 'parked'
  readonly lastAt: Date
  readonly stopRequested: boolean
  /** An approval or a question of it is open. */
  readonly waitsForPerson: boolean
}

/** Of this operator's runs that have not ended. */
export async function runActivityOf(db: LimitedDb): Promise<RunActivity[]> {
  const { rows } = await sql<RunActivity>`
    select runs.id, runs.session_id as session, runs.goal, runs.about, runs.state,
      greatest(
        runs.started_at,
        (select max(created_at) from segments where run_id = runs.id),
        (select max(at) from messages where run_id = runs.id),
        (select max(greatest(intended_at, started_at, ended_at)) from calls where run_id = runs.id),
        (select max(greatest(started_at, ended_at)) from model_calls where run_id = runs.id)
      ) as "lastAt",
      runs.stop_requested_at is not null as "stopRequested",
      exists (select 1 from approvals where run_id = runs.id and state = 'pending')
        or exists (select 1 from questions where run_id = runs.id and state = 'open') as "waitsForPerson"
    from runs where runs.state <> ${sql.lit('stopped')}
    order by runs.id`.execute(db)
  return rows
}

/** Since when a run hangs. One that is parked waits for something and does not hang. */
export function stuckSince(run: RunActivity, now: Date, stuckRunMs: number): Date | null {
  if (run.state !== 'running' || run.waitsForPerson) return null
  return now.getTime() - run.lastAt.getTime() > stuckRunMs ? run.lastAt : null
}
