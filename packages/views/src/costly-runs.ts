/** Owns the runs that cost most, and why they did where that can be told from the books. */
import { type CostlyRun, nanosPerDollar, type RunId } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { type RawBuilder, sql } from 'kysely'

/** What the books say of one run. */
export interface RunCost {
  readonly calls: number
  readonly undelivered: number
  readonly cost: number
  /** What calls cost that were never heard of again. */
  readonly lost: number
  readonly lostCalls: number
  /** Input tokens of the first call, of the largest, and of one on average. */
  readonly firstInput: number
  readonly largestInput: number
  readonly usualInput: number
  readonly output: number
  readonly reasoning: number
  /** The model that most of the money went to. */
  readonly dearest: string
  readonly dearestCost: number
}

/** What a model came to over a span of time. */
export interface ModelCost {
  readonly ref: string
  readonly cost: number
  readonly tokens: number
}

const longTitle = 80
const largeContext = 20_000
const muchReasoning = 10_000
const manyCalls = 20
const fewTokens = 1_000

export async function costlyRuns(
  db: LimitedDb,
  {
    from,
    to,
    limit,
    only = sql`true`,
  }: {
    readonly from: Date
    readonly to: Date
    readonly limit: number
    /** Of a call `m`: whether it counts. */
    readonly only?: RawBuilder<unknown>
  },
): Promise<CostlyRun[]> {
  const spent = sql`m.state = 'settled' and m.started_at >= ${from} and m.started_at < ${to} and ${only}`
  const { rows } = await sql<RunCost & RunDetails>`
    with per_model as (
      select m.run_id, m.provider || '/' || m.model as ref, sum(m.cost)::bigint as cost,
        row_number() over (partition by m.run_id order by sum(m.cost) desc, m.provider, m.model) as place
      from model_calls m where ${spent} and m.run_id is not null group by m.run_id, m.provider, m.model
    ), per_run as (
      select m.run_id, count(*)::integer as calls,
        (count(*) filter (where m.outcome is distinct from 'delivered'))::integer as undelivered,
        sum(m.cost)::bigint as cost,
        coalesce(sum(m.cost) filter (where m.outcome = 'lost'), 0)::bigint as lost,
        (count(*) filter (where m.outcome = 'lost'))::integer as lost_calls,
        coalesce((array_agg(m.input order by m.started_at, m.id) filter (where m.input > 0))[1], 0) as first_input,
        max(m.input) as largest_input,
        coalesce(round(avg(m.input) filter (where m.input > 0)), 0)::integer as usual_input,
        sum(m.output)::bigint as output, sum(m.reasoning)::bigint as reasoning
      from model_calls m where ${spent} and m.run_id is not null
      group by m.run_id having sum(m.cost) > 0 order by sum(m.cost) desc, m.run_id limit ${limit}
    )
    select r.id, s.title, i.text, r.started_at as "startedAt", r.unattended, r.turn as turns,
      p.calls, p.undelivered, p.cost, p.lost, p.lost_calls as "lostCalls", p.first_input as "firstInput",
      p.largest_input as "largestInput", p.usual_input as "usualInput", p.output, p.reasoning,
      d.ref as dearest, d.cost as "dearestCost"
    from per_run p
    join runs r on r.id = p.run_id
    join sessions s on s.id = r.session_id
    join inputs i on i.id = r.input_id
    join per_model d on d.run_id = p.run_id and d.place = 1
    order by p.cost desc, r.id`.execute(db)
  const models = await sql<ModelCost>`
    select m.provider || '/' || m.model as ref, sum(m.cost)::bigint as cost,
      sum(m.input::bigint + m.output)::bigint as tokens
    from model_calls m where ${spent} group by 1`.execute(db)
  return rows.map((row) => ({
    run: row.id,
    title: row.title.trim() || firstLine(row.text),
    startedAt: row.startedAt.toISOString(),
    unattended: row.unattended,
    turns: row.turns,
    calls: row.calls,
    usd: row.cost / nanosPerDollar,
    hint: hintOf(row, models.rows),
  }))
}

/** The first reason that holds, the one that is easiest to mend first. */
export function hintOf(run: RunCost, models: readonly ModelCost[]): string | null {
  if (run.lost * 2 >= run.cost && run.lostCalls > 0)
    return `${run.lostCalls} of ${run.calls} calls were lost and count with their highest possible cost`
  if (run.undelivered >= 3 && run.undelivered * 2 >= run.calls)
    return `${run.undelivered} of ${run.calls} calls got no reply`
  if (run.largestInput >= largeContext && run.largestInput >= run.firstInput * 3)
    return `the context grew to ${grouped(run.largestInput)} tokens a call`
  if (run.usualInput >= largeContext) return `a call carried ${grouped(run.usualInput)} tokens on average`
  const times = timesDearer(run, models)
  if (times >= 3) return `${run.dearest} costs ${times} times as much per token as your other models`
  if (run.reasoning >= muchReasoning && run.reasoning * 2 >= run.output)
    return `${grouped(run.reasoning)} tokens went into reasoning`
  if (run.calls >= manyCalls) return `it took ${run.calls} calls`
  return null
}

interface RunDetails {
  readonly id: RunId
  readonly title: string
  readonly text: string
  readonly startedAt: Date
  readonly unattended: boolean
  readonly turns: number
}

/** Compared with all other models of the same time together; 0 where that says nothing. */
function timesDearer({ dearest, dearestCost, cost }: RunCost, models: readonly ModelCost[]): number {
  if (dearestCost * 2 < cost) return 0
  const priceOf = (some: readonly ModelCost[]) => {
    const tokens = some.reduce((sum, each) => sum + each.tokens, 0)
    return tokens < fewTokens ? 0 : some.reduce((sum, each) => sum + each.cost, 0) / tokens
  }
  const others = priceOf(models.filter(({ ref }) => ref !== dearest))
  return others === 0 ? 0 : Math.floor(priceOf(models.filter(({ ref }) => ref === dearest)) / others)
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0]?.slice(0, longTitle) ?? ''
}

function grouped(count: number): string {
  return count.toLocaleString('en-US')
}
