/** Owns the guard over unattended work: far more than the usual hourly rate holds it until the operator says otherwise. */
import { moneyText } from '@countersign/contract'
import { sql } from 'kysely'
import type { Actor, Unit } from '../store/store.ts'

/** So many times the usual rate is far more. */
const factor = 3
/** Below this an hour proves nothing, and so do fewer hours. */
const leastNanos = 50_000_000
const leastHours = 3
const remembersDays = 7

/** Looks at the present hour after unattended work was booked; what the operator has let pass counts no more. */
export async function watchRate(unit: Unit): Promise<void> {
  const { rows } = await sql<{ hour: boolean; spent: number; hours: number }>`
    select started_at >= date_trunc('hour', ${unit.now}::timestamptz) as hour,
      coalesce(sum(cost) filter (where started_at < date_trunc('hour', ${unit.now}::timestamptz)
        or released_at is null or started_at > released_at), 0)::bigint as spent,
      count(distinct date_trunc('hour', started_at))::integer as hours
    from model_calls cross join operators
    where operator_id = ${unit.operator} and operators.id = operator_id and unattended and cost > 0
      and started_at >= ${unit.now}::timestamptz - ${`${remembersDays} days`}::interval
    group by 1`.execute(unit.db)
  const now = rows.find((row) => row.hour)?.spent ?? 0
  const before = rows.find((row) => !row.hour)
  if (!before || before.hours < leastHours || now < leastNanos) return
  const usual = before.spent / before.hours
  if (now <= usual * factor) return
  const reason = `Unattended work spent ${inUsd(now)} in this hour; ${inUsd(usual)} is usual.`
  const held = await unit.db
    .updateTable('operators')
    .set({ held_at: unit.now, held_because: reason })
    .where('held_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (!held) return
  unit.record({ type: 'spending.held', actor: { kind: 'gateway', id: 'gateway' }, data: { reason } })
  unit.emit({ type: 'spending.held', reason })
}

/** Lets unattended work go on. */
export async function release(unit: Unit, by: Actor): Promise<void> {
  const released = await unit.db
    .updateTable('operators')
    .set({ held_at: null, held_because: null, released_at: unit.now })
    .where('held_at', 'is not', null)
    .returning('id')
    .executeTakeFirst()
  if (!released) return
  unit.record({ type: 'spending.released', actor: by, data: {} })
  unit.emit({ type: 'spending.released', by: by.id })
}

function inUsd(nanos: number): string {
  return moneyText(nanos / 1_000_000_000)
}
