/** Owns how each of the last days went: runs, their failures, and waits for models. */
import type { HealthDay, OperatorId } from '@countersign/contract'
import type { LimitedDb, Reader } from '@countersign/kernel'
import { sql } from 'kysely'
import { type DaysAsked, lastDays, quarterOf } from './days.ts'

export function healthDays(read: Reader, operator: OperatorId, asked: DaysAsked): Promise<HealthDay[]> {
  const { since, days } = lastDays(asked)
  return read(operator, async (db) => {
    const ended = await runsBy(db, since)
    return days.map(({ day, of }) => {
      const its = of(ended)
      const sum = (field: 'runs' | 'failed' | 'retries') => its.reduce((all, row) => all + row[field], 0)
      return { day, runs: sum('runs'), failed: sum('failed'), retries: sum('retries') }
    })
  })
}

async function runsBy(db: LimitedDb, since: Date) {
  const { rows } = await sql<{ quarter: string; runs: number; failed: number; retries: number }>`
    select ${quarterOf('ended_at')} as quarter, count(*)::integer as runs,
      (count(*) filter (where reason = 'error'))::integer as failed, coalesce(sum(retries), 0)::integer as retries
    from runs where ended_at > ${since} group by 1`.execute(db)
  return rows
}
