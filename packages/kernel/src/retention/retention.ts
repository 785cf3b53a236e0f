/**
 * Owns what is removed by age: the details of work that is over. Words of conversations, costs and the ledger stay.
 * Works in small units, so that nothing else waits for it, and goes on where it stopped.
 */
import type { OperatorId, RetentionDays } from '@countersign/contract'
import { sql } from 'kysely'
import type { Store, Unit } from '../store/store.ts'

/** One kind of row. Each folder says how its own are removed. */
export interface KernelRetainedKind<Given = Unit> {
  readonly name: string
  /** The most that is looked at in one unit. */
  readonly most: number
  remove(unit: Given, days: RetentionDays, most: number): Promise<RemovedPart>
}

export interface RemovedPart {
  readonly removed: number
  /** There may be more that is too old. */
  readonly more: boolean
}

export type RemovedRows = Readonly<Record<string, number>>

const dayMs = 24 * 60 * 60_000
/** Of each kind in one sweep; the rest is for the next. */
const mostUnits = 100

/** What a conversation is made of; without these it could not be shown. */
const spoken = [
  'input.admitted',
  'run.started',
  'run.ended',
  'turn.replied',
  'question.asked',
  'question.answered',
  'question.closed',
  'approval.decided',
  // The present is folded from these, however long ago they were.
  'system.paused',
  'system.resumed',
  'spending.held',
  'spending.released',
]

const kernelKinds: readonly KernelRetainedKind[] = [
  { name: 'events', most: 2_000, remove: removeEvents },
  { name: 'runs', most: 20, remove: removeDetails },
  { name: 'rates', most: 1_000, remove: removeRates },
]

/** Removes what is too old and says how much, by kind. Ends early when it is told to. */
export async function sweepOld(
  store: Store,
  operator: OperatorId,
  days: RetentionDays,
  others: readonly KernelRetainedKind[],
  closed: () => boolean,
): Promise<RemovedRows> {
  const removed: Record<string, number> = {}
  for (const { name, most, remove } of [...kernelKinds, ...others]) {
    removed[name] = 0
    for (let units = 0; units < mostUnits && !closed(); units += 1) {
      const { value } = await store.transact(operator, (unit) => remove(unit, days, most))
      removed[name] += value.removed
      if (!value.more) break
    }
  }
  const told = Object.fromEntries(Object.entries(removed).filter(([, count]) => count > 0))
  if (Object.keys(told).length > 0)
    await store.transact(operator, async (unit) => {
      unit.record({
        type: 'retention.removed',
        actor: { kind: 'gateway', id: 'gateway' },
        data: { removed: told, days: { ...days } },
      })
    })
  return removed
}

/** Goes through the log once, by a mark that stays behind; what a run still needs is left to the end of the run. */
async function removeEvents(unit: Unit, days: RetentionDays, most: number): Promise<RemovedPart> {
  const before = new Date(unit.now.getTime() - days.events * dayMs)
  const { rows } = await sql<{ seen: number; last: string | null; removed: number }>`
    with old as (
      select e.seq, e.run_id, e.body ->> 'type' as type from events e
      where e.operator_id = ${unit.operator}
        and e.seq > (select events_removed_to from operators where id = ${unit.operator})
        and e.at < ${before}
      order by e.seq limit ${most}
    ), gone as (
      delete from events where operator_id = ${unit.operator} and seq in (
        select seq from old where type <> all(${spoken}) and not exists (
          select 1 from runs where runs.id = old.run_id and runs.state <> 'stopped'))
      returning 1
    )
    select (select count(*)::int from old) as seen, (select max(seq)::text from old) as last,
      (select count(*)::int from gone) as removed`.execute(unit.db)
  const [found] = rows
  if (!found || found.last === null) return { removed: 0, more: false }
  await unit.db
    .updateTable('operators')
    .set({ events_removed_to: Number(found.last) })
    .where('id', '=', unit.operator)
    .execute()
  return { removed: found.removed, more: found.seen === most }
}

async function removeDetails(unit: Unit, days: RetentionDays, most: number): Promise<RemovedPart> {
  const before = new Date(unit.now.getTime() - days.details * dayMs)
  const runs = await unit.db
    .selectFrom('runs')
    .select('id')
    .where('state', '=', 'stopped')
    .where('details_removed_at', 'is', null)
    .where('ended_at', '<', before)
    .orderBy('ended_at')
    .limit(most)
    .forUpdate()
    .skipLocked()
    .execute()
  if (runs.length === 0) return { removed: 0, more: false }
  const ids = runs.map(({ id }) => id)
  const words = JSON.stringify({ removed: `The arguments were removed after ${days.details} days.` })
  await sql`
    update calls set raw_args = ${words}, args = case when args = '' then '' else ${words} end,
      result_text = left(summary, 500), summary = left(summary, 500), permit = null, undo = null, judged = null
    where run_id = any(${ids})`.execute(unit.db)
  await sql`update messages set reasoning = null where run_id = any(${ids})`.execute(unit.db)
  // What can be let ask no more leaves its row, and the row goes with the last of them.
  await sql`
    with gone as (
      delete from unasked_calls using calls
      where calls.id = unasked_calls.call_id and calls.run_id = any(${ids}) returning unasked_id)
    update unasked set count = count - (select count(*) from gone where gone.unasked_id = unasked.id)
    where id in (select unasked_id from gone)`.execute(unit.db)
  await sql`
    delete from unasked where not exists (
      select 1 from unasked_calls where unasked_calls.unasked_id = unasked.id)`.execute(unit.db)
  // A grant that stands names the request that it came of.
  await sql`
    delete from approvals where run_id = any(${ids}) and state <> 'pending'
      and not exists (select 1 from grants where grants.approval_id = approvals.id)`.execute(unit.db)
  await sql`
    delete from events where operator_id = ${unit.operator} and run_id = any(${ids})
      and body ->> 'type' <> all(${spoken})`.execute(unit.db)
  await unit.db.updateTable('runs').set({ details_removed_at: unit.now }).where('id', 'in', ids).execute()
  return { removed: runs.length, more: runs.length === most }
}

/** The longest window of a rate is much shorter. */
async function removeRates(unit: Unit, _days: RetentionDays, most: number): Promise<RemovedPart> {
  const before = new Date(unit.now.getTime() - dayMs)
  const { rows } = await sql`
    delete from call_rates where ctid in (
      select ctid from call_rates where at < ${before} limit ${most}) returning 1`.execute(unit.db)
  return { removed: rows.length, more: rows.length === most }
}
