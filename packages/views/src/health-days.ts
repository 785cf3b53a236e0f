/** Owns how each of the last days went: runs, their failures, and waits for models. */
import type { HealthDay, OperatorId } from '@countersign/contract'
import type { LimitedDb, Reader } from '@countersign/kernel'
import { sql } from 'kysely'
import { daysIn, nameOf } from './costs.ts'

const dayMs = 24 * 60 * 60_000
/** A day of some zone may begin so much earlier. */
const margin = sql`interval '1 day'`

export function healthDays(
  read: Reader,
  operator: OperatorId,
  { now, days, zone }: { readonly now: Date; readonly days: number; readonly zone: string },
): Promise<HealthDay[]> {
  const since = new Date(now.getTime() - (days - 1) * dayMs)
  const dayOf = nameOf('day', zone)
  return read(operator, async (db) => {
    const ended = await runsBy(db, since)
    return daysIn({ from: since, to: new Date(now.getTime() + 1) }, zone).map((day) => {
      const its = ended.filter(({ quarter }) => dayOf(quarter) === day)
      const sum = (field: 'runs' | 'failed' | 'retries') => its.reduce((all, row) => all + row[field], 0)
      return {
        day,
        runs: sum('runs'),
        failed: sum('failed'),
        retries: sum('retries'),
      }
    })
  })
}

async function runsBy(db: LimitedDb, since: Date) {
  const { rows } = await sql<{ quarter: string; runs: number; failed: number; retries: number }>`
    select floor(extract(epoch from ended_at) / 900)::bigint::text as quarter, count(*)::integer as runs,
      (count(*) filter (where reason = 'error'))::integer as failed, coalesce(sum(retries), 0)::integer as retries
    from runs where ended_at > ${since}::timestamptz - ${margin} group by 1`.execute(db)
  return rows
}
