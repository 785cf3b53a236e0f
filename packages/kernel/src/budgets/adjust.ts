/** Owns corrections of recorded costs: what a provider's bill says beyond what was booked, or less. */
import { type OperatorId, spanOf } from '@countersign/contract'
import { sql } from 'kysely'
import type { Actor, Store } from '../store/store.ts'

/** Counts at the middle of its time, so that it falls into one period and one report of each length. */
export interface Adjustment {
  readonly provider: string
  readonly from: Date
  readonly to: Date
  /** Below zero where the bill is smaller. */
  readonly costNanos: number
}

/** Books all of them or none, also in the present period of every limit that is one for everything. */
export async function adjust(
  { store, zone }: { readonly store: Store; readonly zone: string },
  operator: OperatorId,
  adjustments: readonly Adjustment[],
  actor: Actor,
): Promise<number> {
  const { ledger } = await store.transact(operator, async (unit) => {
    for (const { provider, from, to, costNanos: cost } of adjustments) {
      await sql`insert into cost_adjustments (operator_id, id, provider, from_at, to_at, cost, at)
        values (${operator}, 'adj_' || replace(gen_random_uuid()::text, '-', ''), ${provider}, ${from}, ${to}, ${cost},
          ${unit.now})`.execute(unit.db)
      const data = { provider, from: from.toISOString(), to: to.toISOString(), nanos: cost }
      unit.record({ type: 'cost.adjusted', actor, data })
    }
    // In the order in which calls take them, so that neither waits for the other.
    const limits = unit.db.selectFrom('budgets').select(['name', 'period']).where('scope', '=', 'global')
    for (const { name, period } of await limits.orderBy('name').execute()) {
      const span = spanOf(period, unit.now, zone)
      const cost = adjustments
        .filter((each) => isWithin(each, span.from, span.until))
        .reduce((sum, each) => sum + each.costNanos, 0)
      await unit.db
        .updateTable('budget_periods')
        .set((set) => ({ spent: set('spent', '+', cost) }))
        .where('budget', '=', name)
        .where('period', '=', span.key)
        .execute()
    }
  })
  return ledger
}

function isWithin({ from, to }: Adjustment, begin: Date, end: Date | null): boolean {
  const middle = (from.getTime() + to.getTime()) / 2
  return middle >= begin.getTime() && (end === null || middle < end.getTime())
}
