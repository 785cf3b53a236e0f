/**
 * Owns the books: every call to a provider is set aside at its worst before it is made and booked at its cost after,
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
  type RunId,
  type SessionId,
} from '@countersign/contract'
import { sql } from 'kysely'
import { isPassing } from '../store/passing.ts'
import type { RunRow } from '../store/run-row.ts'
import { type Actor, type Db, json, type Store, type Unit } from '../store/store.ts'
import type { Work } from '../store/tables.ts'
import { watchRate } from './guard.ts'
import { spanOf } from './period.ts'

/** Whom a call is booked to. */
export interface Account extends Work {
  readonly run: RunId | null
  readonly session: SessionId | null
}

export interface BooksOptions {
  readonly store: Store
  readonly uuid: () => string
  readonly clock: () => Date
  /** Where days begin, such as `Europe/Vienna`. */
  readonly zone: string
}

export type Books = ReturnType<typeof createBooks>

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

export function accountOf(run: RunRow): Account {
  const { agent, goal, schedule, unattended } = run
  return { run: run.id, session: run.session_id, agent, goal, schedule, unattended }
}

export function createBooks(options: BooksOptions) {
  const { store } = options

  async function reserve(operator: OperatorId, account: Account, planned: PlannedCall): Promise<Reservation> {
    const at = options.clock()
    const id = idFrom('mc', options.uuid())
    const { worstNanos: worst, ...what } = planned
    const call = json({ id, at, worst, ...what, ...account })
    const periods = json(
      Object.fromEntries(BudgetPeriod.options.map((period) => [period, spanOf(period, at, options.zone)])),
    )
    const answer = await store.read(operator, async (db) => {
      const { rows } = await sql<{ answer: Answer }>`
        select reserve_call(${call}::json, ${periods}::json) as answer`.execute(db)
      return rows[0]?.answer
    })
    return answer?.short ? { kind: 'refused', shortage: shortageOf(answer, worst) } : { kind: 'reserved', id }
  }

  /** What a call came to is known once; it is not given up because the database is away for a moment. */
  async function settle(operator: OperatorId, id: string, spent: SpentCall): Promise<void> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        const { value } = await store.transact(operator, (unit) => book(unit, id, spent))
        // Apart from the booking, so that no limit is locked while the last days are added up.
        if (value.unattended) await store.transact(operator, watchRate)
        return
      } catch (error) {
        const pause = pausesMs[attempt]
        if (pause === undefined || !isPassing(error)) throw error
        await new Promise((resume) => setTimeout(resume, pause))
      }
    }
  }

  async function book(
    unit: Unit,
    id: string,
    spent: SpentCall | { lost: number },
  ): Promise<{ readonly unattended: boolean }> {
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
    if (!booked) return { unattended: false }
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
    return { unattended }
  }

  /** Books what a dead process left set aside at its worst: nobody knows what the provider did with it. */
  async function loseCalls(unit: Unit, run: RunId): Promise<void> {
    const open = await openCalls(unit.db).where('run_id', '=', run).execute()
    for (const { id, reserved } of open) await book(unit, id, { lost: reserved })
  }

  async function loseOldCalls(operator: OperatorId): Promise<void> {
    const before = new Date(options.clock().getTime() - longestCallMs)
    const old = await store.read(operator, (db) => openCalls(db).where('started_at', '<', before).execute())
    for (const { id, reserved } of old)
      await store.transact(operator, (unit) => book(unit, id, { lost: reserved }))
  }

  return {
    meterFor: (operator: OperatorId, account: Account): Meter & { readonly run?: string } => ({
      ...(account.run === null ? {} : { run: account.run }),
      reserve: (planned) => reserve(operator, account, planned),
      settle: (id, spent) => settle(operator, id, spent),
    }),
    loseCalls,
    loseOldCalls,
  }
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
      ? 'Unattended work is held, because it spent far more than usual.'
      : `The budget ${budget} of ${dollarText(limit)} has ${dollarText(Math.max(0, limit - taken))} left, and the next call may cost ${dollarText(needed)}.`
  return { budget, subject, period, limitNanos: limit, takenNanos: taken, neededNanos: needed, message }
}

const rounded = (ms: number | null): number | null => (ms === null ? null : Math.round(ms))
