/** Owns how much was done and asked on each of the last days, by tier, counted from calls and approvals. */
import type { OperatorId, OversightDay } from '@countersign/contract'
import type { LimitedDb, Reader } from '@countersign/kernel'
import { sql } from 'kysely'
import { type DaysAsked, lastDays, quarterOf } from './days.ts'
import { createExtensionViews } from './extension-use.ts'
import { healthDays } from './health-days.ts'
import { toolUse } from './tool-use.ts'

export function createDailyViews(read: Reader, clock: () => Date) {
  return {
    oversightDays: (operator: OperatorId, asked: { readonly days: number; readonly zone: string }) =>
      oversightDays(read, operator, { now: clock(), ...asked }),
    healthDays: (operator: OperatorId, asked: { readonly days: number; readonly zone: string }) =>
      healthDays(read, operator, { now: clock(), ...asked }),
    toolUse: (operator: OperatorId) => toolUse(read, operator, clock()),
    ...createExtensionViews(read, clock),
  }
}

function oversightDays(read: Reader, operator: OperatorId, asked: DaysAsked): Promise<OversightDay[]> {
  const { since, days } = lastDays(asked)
  return read(operator, async (db) => {
    const [acts, requests] = await Promise.all([actsBy(db, since), requestsBy(db, since)])
    return days.map(({ day, of }) => {
      const its = of(requests)
      return {
        day,
        acts: byTier(of(acts)),
        asked: byTier(its.map(({ tier }) => ({ tier, count: 1 }))),
        approved: its.filter(({ state }) => state === 'approved').length,
        denied: its.filter(({ state }) => state === 'denied').length,
        medianMs: median(its.flatMap(({ took }) => (took === null ? [] : [took]))),
      }
    })
  })
}

async function actsBy(db: LimitedDb, since: Date) {
  const { rows } = await sql<{ quarter: string; tier: number; count: number }>`
    select ${quarterOf('ended_at')} as quarter, tier, count(*)::integer as count from calls
    where ended_at > ${since} and started_at is not null and tier is not null
    group by 1, 2`.execute(db)
  return rows
}

async function requestsBy(db: LimitedDb, since: Date) {
  const { rows } = await sql<{ quarter: string; tier: number; state: string; took: number | null }>`
    select ${quarterOf('created_at')} as quarter, tier, state,
      case when state in ('approved', 'denied')
        then extract(epoch from decided_at - created_at)::double precision * 1000 end as took
    from approvals where created_at > ${since}
    order by id desc limit 20000`.execute(db)
  return rows
}

function byTier(rows: readonly { readonly tier: number; readonly count: number }[]): number[] {
  return [0, 1, 2, 3, 4].map((tier) =>
    rows.filter((row) => row.tier === tier).reduce((sum, { count }) => sum + count, 0),
  )
}

export function median(values: readonly number[]): number | null {
  if (values.length === 0) return null
  const ordered = values.toSorted((one, other) => one - other)
  return Math.round(ordered[Math.floor((ordered.length - 1) / 2)] ?? 0)
}
