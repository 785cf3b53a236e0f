/** Owns what a list of runs says besides their state: what began each, what it used, what it cost and how long it waited. */
import type { RunId, RunView, Tier } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { sql } from 'kysely'

export type RunFacts = Pick<
  RunView,
  | 'asked'
  | 'tools'
  | 'calls'
  | 'callsWaiting'
  | 'problems'
  | 'undoable'
  | 'undone'
  | 'tier'
  | 'costUsd'
  | 'waitedMs'
>

export const noFacts: RunFacts = {
  asked: '',
  tools: [],
  calls: 0,
  callsWaiting: 0,
  problems: 0,
  undoable: 0,
  undone: 0,
  tier: null,
  costUsd: 0,
  waitedMs: 0,
}

const longestAsked = 200

export async function runFacts(
  db: LimitedDb,
  ids: readonly RunId[],
  now: Date,
): Promise<Map<RunId, RunFacts>> {
  if (ids.length === 0) return new Map()
  const wanted = sql<RunId>`any(${ids})`
  const asked = await db
    .selectFrom('runs')
    .innerJoin('inputs', 'inputs.id', 'runs.input_id')
    .select(['runs.id', 'inputs.text'])
    .where('runs.id', '=', wanted)
    .execute()
  const made = await callFacts(db, ids)
  const spent = await db
    .selectFrom('model_calls')
    .select(['run_id', sql<number>`sum(cost)`.as('nanos')])
    .where('run_id', '=', wanted)
    .groupBy('run_id')
    .execute()
  const waited = await waits(db, ids)
  const facts = new Map(ids.map((id) => [id, { ...noFacts }]))
  const change = (id: RunId | null, part: Partial<RunFacts>) => {
    const known = id === null ? undefined : facts.get(id)
    if (known) Object.assign(known, part)
  }
  for (const { id, text } of asked) change(id, { asked: text.slice(0, longestAsked) })
  for (const { run_id: id, tools, calls, waiting, problems, undoable, undone, tier } of made)
    change(id, {
      tools,
      calls: Number(calls),
      callsWaiting: Number(waiting),
      problems: Number(problems),
      undoable: Number(undoable),
      undone: Number(undone),
      tier,
    })
  for (const { run_id: id, nanos } of spent) change(id, { costUsd: Number(nanos) / 1e9 })
  for (const [id, rows] of Map.groupBy(waited, (row) => row.run_id))
    change(id, { waitedMs: unionMs(rows.map(({ since, until }) => [since, until ?? now])) })
  return facts
}

/**
 * When each run waited, by the beginning: for a decision, and for whatever else it was parked on, such as the next try of
 * a model. The steps of an old run are gone, its decisions are there longer.
 */
async function waits(
  db: LimitedDb,
  ids: readonly RunId[],
): Promise<readonly { readonly run_id: RunId; readonly since: Date; readonly until: Date | null }[]> {
  const { rows } = await sql<{ run_id: RunId; since: Date; until: Date | null }>`
    select run_id, created_at as since, decided_at as until from approvals where run_id = any(${ids})
    union all
    select parked.run_id, parked.at, coalesce(
      (select min(next.at) from events as next
        where next.run_id = parked.run_id and next.seq > parked.seq
          and next.body ->> 'type' in ('run.resumed', 'run.ended')),
      (select ended_at from runs where id = parked.run_id))
    from events as parked
    where parked.run_id = any(${ids}) and parked.body ->> 'type' = 'run.parked'
    order by since`.execute(db)
  return rows
}

/** What the calls of each run come to. */
function callFacts(db: LimitedDb, ids: readonly RunId[]) {
  return db
    .selectFrom('calls')
    .select([
      'run_id',
      sql<string[]>`array_agg(distinct tool)`.as('tools'),
      sql<number>`count(*)`.as('calls'),
      sql<number>`count(*) filter (where state = 'proposed')`.as('waiting'),
      sql<number>`count(*) filter (where outcome in ('failed', 'unknown', 'refused', 'invalid'))`.as(
        'problems',
      ),
      sql<number>`count(*) filter (where undo is not null and undone_by is null)`.as('undoable'),
      sql<number>`count(*) filter (where exists (
        select 1 from calls as undoing
        where undoing.run_id = calls.undone_by and undoing.model_id = calls.id and undoing.outcome = 'ok'))`.as(
        'undone',
      ),
      sql<Tier | null>`max(tier)`.as('tier'),
    ])
    .where('run_id', '=', sql<RunId>`any(${ids})`)
    .groupBy('run_id')
    .execute()
}

/** Spans that overlap are waited through once. They come by their beginning. */
function unionMs(spans: readonly (readonly [Date, Date])[]): number {
  let total = 0
  let reached = 0
  for (const [from, to] of spans) {
    const start = Math.max(from.getTime(), reached)
    total += Math.max(0, to.getTime() - start)
    reached = Math.max(reached, to.getTime())
  }
  return total
}
