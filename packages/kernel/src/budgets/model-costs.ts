/**
 * Records what model calls cost: every call to a provider is set aside at its worst before it is made and booked at its cost after,
 * in the database, so that runs and processes side by side cannot spend the same money twice.
 */
import type { Meter, PlannedCall, Reservation, Shortage, SpentCall } from '@countersign/agent'
import {
  BudgetPeriod,
  dollarText,
  guardName,
  idFrom,
  nanosPerDollar,
  type OperatorId,
  type Requester,
  type RunId,
  type SessionId,
  type Span,
  spanOf,
} from '@countersign/contract'
import { isPassingFailure } from '@countersign/database'
import { sql } from 'kysely'
import type { RunRow } from '../store/run-row.ts'
import { type Actor, type Db, json, type Store, type Unit } from '../store/store.ts'
import type { Work } from '../store/tables.ts'
import { watchRate } from './guard.ts'
import { spentByPerson } from './person-costs.ts'

/** Whom a call is booked to. */
export interface Account extends Work {
  readonly run: RunId | null
  readonly session: SessionId | null
  /** Who asked, where that was not the operator; left out, whoever asked for the run. */
  readonly person?: string | null
}

export interface RunMeter extends Meter {
  /** Books what was delivered since, together with whatever else the unit does. */
  bookWith(unit: Unit): Promise<void>
  /** Books what no reply was recorded for after all. */
  settleRest(): Promise<void>
}

export interface ModelCostsOptions {
  readonly store: Store
  readonly uuid: () => string
  readonly clock: () => Date
  /** Where days begin, such as `Europe/Vienna`. */
  readonly zone: string
  /** What somebody who is not the operator may spend in a day, in dollars. Left out, there is nobody else. */
  readonly dailyUsdOf?: ((unit: Unit, person: string) => Promise<number>) | undefined
  readonly onProblem: (error: unknown) => void
}

export interface ModelCosts {
  /** Reserves and books each call by itself. */
  meterFor(operator: OperatorId, account: Account): Meter
  /** The meter of a run, whose replies are recorded: what a reply cost is booked with it, in one transaction. */
  runMeter(operator: OperatorId, account: Account): RunMeter
  /** Books what a run had under way at its worst: whoever made these calls is gone. */
  loseCalls(unit: Unit, run: RunId): Promise<void>
  /** The same for calls that have been under way for so long that nobody comes back to them. */
  loseOldCalls(operator: OperatorId): Promise<void>
}

/** What somebody may spend in a day. No budget of the operator has this name, and nobody is asked to raise it. */
export const personBudget = 'person/day'

/** A call under way for longer has been forgotten by whoever made it. */
const longestCallMs = 60 * 60_000
/** Between tries to book a call. */
const pausesMs = [200, 1_000, 5_000]
const gateway: Actor = { kind: 'gateway', id: 'gateway' }

export const ownAccount: Account = {
  run: null,
  session: null,
  agent: 'operator',
  goal: null,
  schedule: null,
  unattended: false,
}

export function accountOf(run: RunRow, requester: Requester): Account {
  const { agent, goal, schedule, unattended } = run
  const person = requester.kind === 'peer' ? requester.id : null
  return { run: run.id, session: run.session_id, agent, goal, schedule, unattended, person }
}

export function createModelCosts(options: ModelCostsOptions): ModelCosts {
  const { store } = options
  let known: KnownPeriods | undefined

  /** All periods that a moment lies in. They are the same for an hour, and finding them takes a while. */
  function periodsAt(at: Date): KnownPeriods {
    const now = at.getTime()
    if (known && known.from <= now && now < known.until) return known
    const spans = Object.fromEntries(
      BudgetPeriod.options.map((period) => [period, spanOf(period, at, options.zone)]),
    ) as Record<BudgetPeriod, Span>
    const all = Object.values(spans)
    const from = Math.max(...all.map((span) => span.from.getTime()))
    const until = Math.min(...all.map((span) => span.until?.getTime() ?? Number.POSITIVE_INFINITY))
    known = { from, until, spans, text: json(spans) }
    return known
  }

  async function reserve(operator: OperatorId, account: Account, planned: PlannedCall): Promise<Reservation> {
    const at = options.clock()
    const id = idFrom('mc', options.uuid())
    const { worstNanos: worst, ...what } = planned
    const { person: named, ...booked } = account
    const person = named === undefined ? await personOf(operator, account) : named
    const call = json({ id, at, worst, ...what, ...booked, person })
    const periods = periodsAt(at).text
    const reserveIn = async (db: Db) => {
      const { rows } = await sql<{ answer: Answer }>`
        select reserve_call(${call}::json, ${periods}::json) as answer`.execute(db)
      return rows[0]?.answer
    }
    const answer =
      !options.dailyUsdOf || person === null || worst === 0
        ? await store.single(operator, reserveIn)
        : await reserveFor(operator, { person, worst, at }, reserveIn)
    return answer?.short ? { kind: 'refused', shortage: shortageOf(answer, worst) } : { kind: 'reserved', id }
  }

  async function personOf(operator: OperatorId, { run }: Account): Promise<string | null> {
    if (run === null) return null
    const row = await store.single(operator, (db) =>
      db
        .selectFrom('runs')
        .innerJoin('inputs', 'inputs.id', 'runs.input_id')
        .select('inputs.requester')
        .where('runs.id', '=', run)
        .executeTakeFirst(),
    )
    return row?.requester.kind === 'peer' ? row.requester.id : null
  }

  /** One call of a person after the other, so that those side by side do not spend the same money twice. */
  async function reserveFor(
    operator: OperatorId,
    { person, worst, at }: { readonly person: string; readonly worst: number; readonly at: Date },
    reserveIn: (db: Db) => Promise<Answer | undefined>,
  ): Promise<Answer | undefined> {
    const { value } = await store.transact(operator, async (unit) => {
      await sql`select pg_advisory_xact_lock(hashtext(${`person/${operator}/${person}`}))`.execute(unit.db)
      const daily = (await options.dailyUsdOf?.(unit, person)) ?? 0
      const limit = Math.round(daily * nanosPerDollar)
      const { from, key } = periodsAt(at).spans.day
      const { rows } = await sql<{ taken: number }>`select ${spentByPerson(person, from)} as taken`.execute(
        unit.db,
      )
      const taken = rows[0]?.taken ?? 0
      if (taken + worst > limit) return { short: personBudget, subject: person, period: key, limit, taken }
      return reserveIn(unit.db)
    })
    return value
  }

  /** What a call came to is known once; it is not given up because the database is away for a moment. */
  async function settle(operator: OperatorId, id: string, spent: SpentCall): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        await store.transact(operator, (unit) => book(unit, id, spent))
        return
      } catch (error) {
        const pause = pausesMs[attempt]
        if (pause === undefined || !isPassingFailure(error)) throw error
        await new Promise((resume) => setTimeout(resume, pause))
      }
    }
  }

  async function book(unit: Unit, id: string, spent: SpentCall | { lost: number }): Promise<void> {
    const lost = 'lost' in spent
    const { usage, costNanos, ...rest } = lost ? lostCall(spent.lost) : spent
    const facts = {
      id,
      at: unit.now,
      cost: costNanos,
      ...usage,
      ...rest,
      outcome: lost ? 'lost' : spent.outcome,
    }
    const whole = { ...facts, firstTokenMs: rounded(facts.firstTokenMs), totalMs: rounded(facts.totalMs) }
    const { rows } = await sql<{ answer: Booked | null }>`
      select settle_call(${json(whole)}::json) as answer`.execute(unit.db)
    const booked = rows[0]?.answer
    if (!booked) return
    const { reached, unattended, run, session, ...what } = booked
    unit.record({
      type: 'model.called',
      actor: gateway,
      ...(run === null ? {} : { run }),
      ...(session === null ? {} : { session }),
      data: {
        call: id,
        ...what,
        outcome: whole.outcome,
        nanos: costNanos,
        estimated: whole.estimated,
        ...usage,
      },
    })
    for (const each of reached) {
      const amounts = { spentUsd: each.spent / nanosPerDollar, limitUsd: each.limit / nanosPerDollar }
      const budget = each.subject === '' ? each.budget : `${each.budget} ${each.subject}`
      unit.record({ type: 'budget.reached', actor: gateway, data: { ...each } })
      unit.emit({ type: 'budget.reached', budget, percent: each.percent, ...amounts })
    }
    // Apart from the booking, so that no limit is locked while the last days are added up.
    if (unattended)
      unit.afterCommit(() => void store.transact(unit.operator, watchRate).catch(options.onProblem))
  }

  /** Books what a dead process left set aside at its worst: nobody knows what the provider did with it. */
  async function loseCalls(unit: Unit, run: RunId): Promise<void> {
    const open = await openCalls(unit.db).where('run_id', '=', run).execute()
    for (const { id, reserved } of open) await book(unit, id, { lost: reserved })
  }

  async function loseOldCalls(operator: OperatorId): Promise<void> {
    const before = new Date(options.clock().getTime() - longestCallMs)
    const old = await store.single(operator, (db) => openCalls(db).where('started_at', '<', before).execute())
    for (const { id, reserved } of old)
      await store.transact(operator, (unit) => book(unit, id, { lost: reserved }))
  }

  function meterFor(operator: OperatorId, account: Account): Meter {
    return {
      ...(account.run === null ? {} : { run: account.run }),
      reserve: (planned) => reserve(operator, account, planned),
      settle: (id, spent) => settle(operator, id, spent),
    }
  }

  /** The meter of a run, whose replies are recorded: what a reply cost is booked with it, in one transaction. */
  function runMeter(operator: OperatorId, account: Account): RunMeter {
    const meter = meterFor(operator, account)
    const kept = new Map<string, SpentCall>()
    return {
      ...meter,
      async settle(id, spent) {
        if (spent.outcome === 'delivered') kept.set(id, spent)
        else await meter.settle(id, spent)
      },
      async bookWith(unit) {
        for (const [id, spent] of kept) await book(unit, id, spent)
        unit.afterCommit(() => kept.clear())
      },
      async settleRest() {
        for (const [id, spent] of kept) await meter.settle(id, spent)
        kept.clear()
      },
    }
  }

  return {
    meterFor,
    runMeter,
    loseCalls,
    loseOldCalls,
  }
}

interface KnownPeriods {
  readonly from: number
  readonly until: number
  readonly spans: Readonly<Record<BudgetPeriod, Span>>
  readonly text: string
}

interface Answer {
  readonly short: string | null
  readonly subject: string
  readonly period: string
  readonly limit: number
  readonly taken: number
}

interface Booked {
  readonly reached: readonly {
    readonly budget: string
    readonly subject: string
    readonly percent: number
    readonly spent: number
    readonly limit: number
  }[]
  readonly unattended: boolean
  readonly run: RunId | null
  readonly session: SessionId | null
  readonly provider: string
  readonly model: string
  readonly purpose: string
}

function openCalls(db: Db) {
  return db
    .selectFrom('model_calls')
    .select(['id', 'reserved'])
    .where('state', '=', sql.lit('reserved' as const))
    .orderBy('id')
}

function lostCall(reserved: number): SpentCall {
  const usage = { input: 0, output: 0, cached: 0, reasoning: 0 }
  return { outcome: 'unknown', usage, estimated: true, costNanos: reserved, firstTokenMs: null, totalMs: 0 }
}

function shortageOf({ short, subject, period, limit, taken }: Answer, needed: number): Shortage {
  const budget = short ?? ''
  const message =
    budget === guardName
      ? 'Unattended work is on hold because it spent far more than usual.'
      : budget === personBudget
        ? `Of the ${dollarText(limit)} that ${subject} may spend in a day ${dollarText(Math.max(0, limit - taken))} are left, and the next call may cost ${dollarText(needed)}.`
        : `The budget ${budget} of ${dollarText(limit)} has ${dollarText(Math.max(0, limit - taken))} left, and the next call may cost ${dollarText(needed)}.`
  return { budget, subject, period, limitNanos: limit, takenNanos: taken, neededNanos: needed, message }
}

const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms))
