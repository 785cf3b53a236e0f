/**
 * Owns what the books say of money: sums over a span of time, what ran while nobody was there, and single calls.
 * Amounts are added up as whole billionths and become dollars at the very end.
 */
import {
  type CostDayGroup,
  type CostDays,
  type CostGroup,
  type CostLine,
  type CostReport,
  type IdleSpend,
  type ModelCallView,
  nanosPerDollar,
  type OperatorId,
  type RunId,
} from '@countersign/contract'
import type { LimitedDb, Reader } from '@countersign/kernel'
import { type RawBuilder, sql } from 'kysely'
import { costlyRuns } from './costly-runs.ts'
import { daysIn, nameOf, quarterOf, type TimeSpan } from './days.ts'

/** The line of what was corrected after a bill, where it belongs to no line of its own. */
const reconciledLine = 'reconciled'
/** The line of everything that is too little to be listed. */
const restLine = 'the rest'

const mostLines = 1_000

export function createCosts(read: Reader) {
  return {
    /** Days begin in the zone. */
    costs: (
      operator: OperatorId,
      asked: TimeSpan & { readonly by: CostGroup; readonly zone: string },
    ): Promise<CostReport> => read(operator, (db) => report(db, asked)),

    costDays: (
      operator: OperatorId,
      asked: TimeSpan & { readonly by: CostDayGroup; readonly zone: string },
    ): Promise<CostDays> => read(operator, (db) => costDays(db, asked)),

    costlyRuns: (operator: OperatorId, { by, key, ...asked }: TimeSpan & CostlyRunsAsked) =>
      read(operator, (db) =>
        costlyRuns(db, {
          ...asked,
          only: by === undefined || key === undefined ? sql`true` : sql`${keys[by]} = ${key}`,
        }),
      ),

    /** Calls before which the operator had written nothing for a day. */
    idle: (operator: OperatorId, span: TimeSpan): Promise<IdleSpend> =>
      read(operator, async (db) => {
        const sums = await idleSums(db, span)
        const whole = total(sums)
        return {
          usd: usd(whole.cost),
          calls: whole.calls,
          lines: byCost(sums).map(([key, sum]) => lineOf(key, sum)),
        }
      }),

    /** Newest first. */
    modelCalls: (
      operator: OperatorId,
      filter: { readonly run?: RunId; readonly limit: number },
    ): Promise<ModelCallView[]> =>
      read(operator, async (db) => {
        const rows = await db
          .selectFrom('model_calls')
          .selectAll()
          .$if(filter.run !== undefined, (query) => query.where('run_id', '=', filter.run as RunId))
          .orderBy('started_at', 'desc')
          .orderBy('id', 'desc')
          .limit(filter.limit)
          .execute()
        return rows.map((row) => {
          const settled = row.state === 'settled'
          return {
            id: row.id,
            at: row.started_at.toISOString(),
            ref: `${row.provider}/${row.model}`,
            purpose: row.purpose,
            run: row.run_id,
            outcome: settled ? (row.outcome ?? 'unknown') : 'under way',
            estimated: row.estimated || !settled,
            tokens: { input: row.input, output: row.output, cached: row.cached, reasoning: row.reasoning },
            usd: usd(settled ? row.cost : row.reserved),
            firstTokenMs: row.first_token_ms,
            totalMs: row.total_ms,
          }
        })
      }),

    /** What the books have for each UTC day with anything, in billionths, with what was corrected before. */
    bookedDays: (
      operator: OperatorId,
      provider: string,
      span: TimeSpan,
    ): Promise<ReadonlyMap<string, number>> =>
      read(operator, async (db) => {
        const { rows } = await sql<{ day: string; cost: number }>`
          select to_char(booked.at at time zone 'UTC', 'YYYY-MM-DD') as day, sum(booked.cost)::bigint as cost from (
            select started_at as at, cost from model_calls
              where provider = ${provider} and state = 'settled' and ${within(sql`started_at`, span)}
            union all
            select ${middle} as at, cost from cost_adjustments
              where provider = ${provider} and ${within(middle, span)}
          ) as booked group by 1 order by 1`.execute(db)
        return new Map(rows.map(({ day, cost }) => [day, cost]))
      }),
  }
}

export interface CostlyRunsAsked {
  readonly limit: number
  /** Only what was spent on one of a group. */
  readonly by?: CostDayGroup | undefined
  readonly key?: string | undefined
}

interface Sum {
  readonly calls: number
  readonly undelivered: number
  readonly input: number
  readonly output: number
  readonly cached: number
  readonly reasoning: number
  readonly cost: number
  readonly unattended: number
  readonly estimated: number
}

type Sums = ReadonlyMap<string, Sum>

const nothing: Sum = {
  calls: 0,
  undelivered: 0,
  input: 0,
  output: 0,
  cached: 0,
  reasoning: 0,
  cost: 0,
  unattended: 0,
  estimated: 0,
}

const sumColumns = sql`
  count(*)::integer as calls,
  (count(*) filter (where m.outcome is distinct from 'delivered'))::integer as undelivered,
  sum(m.input)::bigint as input, sum(m.output)::bigint as output,
  sum(m.cached)::bigint as cached, sum(m.reasoning)::bigint as reasoning,
  sum(m.cost)::bigint as cost,
  coalesce(sum(m.cost) filter (where m.unattended), 0)::bigint as unattended,
  coalesce(sum(m.cost) filter (where m.estimated), 0)::bigint as estimated`

const quarter = quarterOf('m.started_at')

const keys: Readonly<Record<CostGroup, RawBuilder<unknown>>> = {
  model: sql`m.provider || '/' || m.model`,
  provider: sql`m.provider`,
  purpose: sql`m.purpose`,
  agent: sql`m.agent`,
  // A space is in no id, so these cannot be taken for one.
  goal: sql`coalesce(m.goal, 'no goal')`,
  schedule: sql`coalesce(m.schedule, 'no schedule')`,
  session: sql`coalesce(m.session_id, 'no session')`,
  run: sql`coalesce(m.run_id, 'no run')`,
  day: quarter,
  hour: quarter,
}

/** An adjustment counts at the middle of its time. */
const middle = sql`(from_at + (to_at - from_at) / 2)`

function within(at: RawBuilder<unknown>, { from, to }: TimeSpan): RawBuilder<unknown> {
  return sql`${at} >= ${from} and ${at} < ${to}`
}

async function report(
  db: LimitedDb,
  asked: TimeSpan & { readonly by: CostGroup; readonly zone: string },
): Promise<CostReport> {
  const { from, to, by, zone } = asked
  const { rows } = await sql<Sum & { key: string }>`
    select ${keys[by]} as key, ${sumColumns} from model_calls m
    where m.state = 'settled' and ${within(sql`m.started_at`, asked)} group by 1`.execute(db)
  const { adjustments, ...rest } = await surroundings(db, asked)
  const adjusted = adjustments.reduce((sum, each) => sum + each.cost, 0)
  const timed = by === 'day' || by === 'hour'
  const sums = folded(rows, timed ? nameOf(by, zone) : (key) => key)
  const whole = total(sums)
  const cost = whole.cost + adjusted
  const corrections =
    by === 'provider'
      ? adjustments.map(({ provider, cost }) => ({ ...nothing, key: provider, cost }))
      : adjusted === 0
        ? []
        : [{ ...nothing, key: reconciledLine, cost: adjusted }]
  const corrected = folded([...Array.from(sums, ([key, sum]) => ({ key, ...sum })), ...corrections])
  // The rows of a timed group come in the order of time; a correction has no day of its own and comes last.
  const ordered = timed ? newestFirst(corrected) : byCost(corrected)
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    total: lineOf('total', { ...whole, cost }),
    beforeUsd: usd(rest.before),
    unattendedUsd: usd(whole.unattended),
    reservedUsd: usd(rest.reserved),
    estimatedUsd: usd(whole.estimated),
    adjustedUsd: usd(adjusted),
    usdPerOutcome: rest.outcomes === 0 ? null : usd(cost) / rest.outcomes,
    cacheHitRate: whole.input === 0 ? null : whole.cached / whole.input,
    group: by,
    lines: bounded(ordered).map(([key, sum]) => lineOf(key, sum)),
    guard: rest.guard,
  }
}

/** Corrections after a bill have no day of their own and are left out. */
async function costDays(
  db: LimitedDb,
  asked: TimeSpan & { readonly by: CostDayGroup; readonly zone: string },
): Promise<CostDays> {
  const { from, to, by, zone } = asked
  const { rows } = await sql<{ quarter: string; key: string; calls: number; cost: number }>`
    select ${quarter} as quarter, ${keys[by]} as key, count(*)::integer as calls, sum(m.cost)::bigint as cost
    from model_calls m where m.state = 'settled' and ${within(sql`m.started_at`, asked)} group by 1, 2`.execute(
    db,
  )
  const dayOf = nameOf('day', zone)
  const days = new Map(
    daysIn(asked, zone).map((day) => [day, new Map<string, { calls: number; cost: number }>()]),
  )
  for (const { quarter: at, key, calls, cost } of rows) {
    const parts = days.get(dayOf(at))
    const before = parts?.get(key) ?? { calls: 0, cost: 0 }
    parts?.set(key, { calls: before.calls + calls, cost: before.cost + cost })
  }
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    group: by,
    days: Array.from(days, ([day, parts]) => ({
      day,
      parts: Array.from(parts, ([key, { calls, cost }]) => ({ key, calls, usd: usd(cost) })),
    })),
  }
}

/** What stands beside the sums: the time before, what is set aside, corrections, outcomes and the guard. */
async function surroundings(db: LimitedDb, span: TimeSpan) {
  const { from, to } = span
  const before = { from: new Date(2 * from.getTime() - to.getTime()), to: from }
  const { rows } = await sql<{
    before: number
    reserved: number
    outcomes: number
    held_at: Date | null
    held_because: string | null
  }>`select
      (select coalesce(sum(cost), 0) from model_calls
        where state = 'settled' and ${within(sql`started_at`, before)})::bigint
      + (select coalesce(sum(cost), 0) from cost_adjustments where ${within(middle, before)})::bigint as before,
      (select coalesce(sum(reserved), 0) from model_calls where state = 'reserved')::bigint as reserved,
      (select count(*) from runs
        where kind = 'agent' and reason = 'completed' and ${within(sql`ended_at`, span)})::integer as outcomes,
      held_at, held_because
    from operators`.execute(db)
  const adjustments = await sql<{ provider: string; cost: number }>`
    select provider, sum(cost)::bigint as cost from cost_adjustments where ${within(middle, span)}
    group by 1 order by 1`.execute(db)
  const [row] = rows
  return {
    before: row?.before ?? 0,
    reserved: row?.reserved ?? 0,
    outcomes: row?.outcomes ?? 0,
    guard: row?.held_at ? { at: row.held_at.toISOString(), reason: row.held_because ?? '' } : null,
    adjustments: adjustments.rows,
  }
}

/** One pass over calls and messages in the order of time, since a look back for every call would be slow. */
/** Calls that the operator makes by hand, as the test of a provider, are nobody's idleness. */
const byOperator = 'operator'

async function idleSums(db: LimitedDb, span: TimeSpan): Promise<Sums> {
  const day = sql`interval '24 hours'`
  const { rows } = await sql<Sum & { key: string }>`
    with marks as (
      select null as id, created_at as at, true as spoke from inputs
        where requester->>'kind' = 'operator' and not coalesce((work->>'unattended')::boolean, false)
          and created_at > ${span.from}::timestamptz - ${day} and created_at < ${span.to}
      union all
      select id, started_at, false from model_calls where state = 'settled'
        and agent <> ${byOperator} and ${within(sql`started_at`, span)}
    ), seen as (
      select id, at, max(at) filter (where spoke) over (order by at, spoke desc rows unbounded preceding) as spoke_at
      from marks
    )
    select coalesce('schedule ' || m.schedule, 'goal ' || m.goal, 'agent ' || m.agent) as key, ${sumColumns}
    from seen join model_calls m on m.id = seen.id
    where seen.spoke_at is null or seen.spoke_at <= seen.at - ${day}
    group by 1`.execute(db)
  return folded(rows)
}

function folded(
  rows: readonly (Sum & { readonly key: string })[],
  name: (key: string) => string = (key) => key,
): Sums {
  const sums = new Map<string, Sum>()
  for (const { key, ...row } of rows) {
    const place = name(key)
    sums.set(place, plus(sums.get(place) ?? nothing, row))
  }
  return sums
}

function plus(one: Sum, other: Sum): Sum {
  return {
    calls: one.calls + other.calls,
    undelivered: one.undelivered + other.undelivered,
    input: one.input + other.input,
    output: one.output + other.output,
    cached: one.cached + other.cached,
    reasoning: one.reasoning + other.reasoning,
    cost: one.cost + other.cost,
    unattended: one.unattended + other.unattended,
    estimated: one.estimated + other.estimated,
  }
}

function total(sums: Sums): Sum {
  return [...sums.values()].reduce(plus, nothing)
}

function byCost(sums: Sums): [string, Sum][] {
  return [...sums].toSorted(([one, left], [other, right]) => right.cost - left.cost || (one < other ? -1 : 1))
}

function newestFirst(sums: Sums): [string, Sum][] {
  const moment = (key: string) => (key === reconciledLine ? Number.NEGATIVE_INFINITY : Date.parse(key))
  return [...sums].toSorted(([one], [other]) => moment(other) - moment(one))
}

function bounded(sums: readonly [string, Sum][]): readonly (readonly [string, Sum])[] {
  if (sums.length <= mostLines) return sums
  const rest = sums.slice(mostLines - 1).map(([, sum]) => sum)
  return [...sums.slice(0, mostLines - 1), [restLine, rest.reduce(plus, nothing)]]
}

function lineOf(key: string, sum: Sum): CostLine {
  const { calls, undelivered, input, output, cached, reasoning, cost } = sum
  return { key, calls, undelivered, input, output, cached, reasoning, usd: usd(cost) }
}

function usd(nanos: number): number {
  return nanos / nanosPerDollar
}
