/** Owns the limits of money that the operator sets, and what is allowed on top of them. */
import {
  type BudgetExtensions,
  type BudgetScope,
  type BudgetView,
  CountersignError,
  guardName,
  nanosPerDollar,
  type OperatorId,
  type SetBudget,
  type Span,
  spanOf,
} from '@countersign/contract'
import { type Selectable, sql } from 'kysely'
import type { Actor, Db, Store, Unit } from '../store/store.ts'
import type { Tables } from '../store/tables.ts'
import { type Adjustment, adjust } from './adjust.ts'
import { release } from './guard.ts'

type BudgetRow = Selectable<Tables['budgets']>
type Wanted = Omit<BudgetRow, 'operator_id' | 'set_at'>

/** Those that are one for all of an operator; every other is kept for each of many unless it names one. */
const single: ReadonlySet<BudgetScope> = new Set(['global', 'unattended'])
/** One run, session or call has no months. */
const timeless: ReadonlySet<BudgetScope> = new Set(['session', 'run', 'call'])

const untouched: Wanted = {
  name: 'unattended:month',
  scope: 'unattended',
  subject: null,
  period: 'month',
  limit_nanos: 0,
  hard: true,
}

export interface Budgets {
  list(operator: OperatorId): Promise<BudgetView[]>
  set(operator: OperatorId, wanted: SetBudget, actor: Actor): Promise<{ budget: BudgetView; ledger: number }>
  remove(operator: OperatorId, name: string, actor: Actor): Promise<{ name: string; ledger: number }>
  /** What nobody looks at any more. */
  forgetPeriods(operator: OperatorId, before: Date): Promise<void>
  /** Lets unattended work go on that the guard has stopped. */
  release(operator: OperatorId, actor: Actor): Promise<number>
  /** Brings what was booked in line with what a provider charged. */
  adjust(operator: OperatorId, adjustments: readonly Adjustment[], actor: Actor): Promise<number>
}

export function createBudgets(options: { store: Store; clock: () => Date; zone: string }): Budgets {
  const { store } = options

  function list(operator: OperatorId): Promise<BudgetView[]> {
    return store.read(operator, async (db) => {
      const rows: Wanted[] = await db.selectFrom('budgets').selectAll().orderBy('name').execute()
      if (!rows.some((row) => row.scope === 'unattended' && row.hard)) rows.push(untouched)
      const views: BudgetView[] = []
      for (const row of rows) {
        const span = spanOf(row.period, options.clock(), options.zone)
        const taken = await takenIn(db, row, span)
        views.push({
          name: row.name,
          scope: row.scope,
          subject: row.subject,
          period: row.period,
          limitUsd: row.limit_nanos / nanosPerDollar,
          hard: row.hard,
          spentUsd: taken && taken.spent / nanosPerDollar,
          reservedUsd: taken && taken.reserved / nanosPerDollar,
          extraUsd: (taken?.extra ?? 0) / nanosPerDollar,
          startsAgainAt: span.until?.toISOString() ?? null,
          builtIn: row === untouched,
        })
      }
      return views
    })
  }

  async function set(operator: OperatorId, wanted: SetBudget, actor: Actor) {
    const row = rowOf(wanted)
    const { ledger } = await store.transact(operator, async (unit) => {
      await alone(unit)
      const values = { ...row, operator_id: operator, set_at: unit.now }
      await unit.db
        .insertInto('budgets')
        .values(values)
        .onConflict((conflict) => conflict.columns(['operator_id', 'name']).doUpdateSet(values))
        .execute()
      // What was told of the old limit says nothing of the new one.
      await unit.db.updateTable('budget_periods').set({ told: 0 }).where('budget', '=', row.name).execute()
      unit.record({ type: 'budget.set', actor, data: { ...row } })
    })
    const budget = (await list(operator)).find((each) => each.name === row.name)
    if (!budget) throw new CountersignError('not_found', `There is no budget ${row.name}.`)
    return { budget, ledger }
  }

  async function remove(operator: OperatorId, name: string, actor: Actor) {
    const { ledger } = await store.transact(operator, async (unit) => {
      await alone(unit)
      const gone = await unit.db
        .deleteFrom('budgets')
        .where('name', '=', name)
        .returning('name')
        .executeTakeFirst()
      if (!gone)
        throw new CountersignError('not_found', `You have no budget ${name}.`, {
          next: 'List them with `countersign cost budget`.',
        })
      // A limit that is set again later counts afresh what was spent by then.
      await unit.db.deleteFrom('budget_periods').where('budget', '=', name).execute()
      unit.record({ type: 'budget.removed', actor, data: { name } })
    })
    return { name, ledger }
  }

  /** What nobody looks at any more. */
  async function forgetPeriods(operator: OperatorId, before: Date): Promise<void> {
    await store.single(operator, (db) =>
      db.deleteFrom('budget_periods').where('until_at', '<', before).where('reserved', '=', 0).execute(),
    )
  }

  return {
    list,
    set,
    remove,
    forgetPeriods,
    release: async (operator: OperatorId, actor: Actor): Promise<number> =>
      (await store.transact(operator, (unit) => release(unit, actor))).ledger,
    adjust: (operator: OperatorId, adjustments: readonly Adjustment[], actor: Actor): Promise<number> =>
      adjust(options, operator, adjustments, actor),
  }
}

/** While limits change, no call is set aside: it would be counted in some of them and not in others. */
async function alone(unit: Unit): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`countersign/budgets/${unit.operator}`}))`.execute(
    unit.db,
  )
}

/** Null where each of many has its own. A period in which nobody asked yet begins with what was spent without asking. */
async function takenIn(db: Db, row: Wanted, span: Span) {
  const subject = row.subject ?? ''
  if (!single.has(row.scope) && row.subject === null) return null
  const known = await db
    .selectFrom('budget_periods')
    .select(['spent', 'reserved', 'extra'])
    .where('budget', '=', row.name)
    .where('subject', '=', subject)
    .where('period', '=', span.key)
    .executeTakeFirst()
  if (known) return known
  const { rows } = await sql<{ spent: number }>`
    select spent_since(${row.scope}::text, ${subject}::text, ${span.from}::timestamptz) as spent`.execute(db)
  return { spent: rows[0]?.spent ?? 0, reserved: 0, extra: 0 }
}

/** What a permitted call may do to the limits, within its transaction. */
export function budgetExtensionsIn(unit: Unit): BudgetExtensions {
  return {
    async add({ budget, subject, period, nanos }) {
      if (budget === guardName) throw new CountersignError('usage', 'The guard has no amount.')
      const added = await unit.db
        .updateTable('budget_periods')
        .set((set) => ({ extra: set('extra', '+', nanos), told: 0 }))
        .where('budget', '=', budget)
        .where('subject', '=', subject)
        .where('period', '=', period)
        .returning('budget')
        .executeTakeFirst()
      return added !== undefined
    },
    release: (by) => release(unit, { kind: 'operator', id: by }),
  }
}

function rowOf({ scope, subject, period, limitUsd, hard }: SetBudget): Wanted {
  if (subject !== null && (single.has(scope) || scope === 'call'))
    throw new CountersignError('usage', `A ${scope} budget has no subject. Leave out --for.`)
  const span = timeless.has(scope) ? ('ever' as const) : period
  const name = [scope, ...(subject === null ? [] : [subject]), ...(timeless.has(scope) ? [] : [span])].join(
    ':',
  )
  return { name, scope, subject, period: span, limit_nanos: Math.round(limitUsd * nanosPerDollar), hard }
}
