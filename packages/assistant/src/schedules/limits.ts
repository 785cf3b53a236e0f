/**
 * Owns what the runs of a schedule may not do: nothing above its tier, nothing more once they have cost what one may,
 * and nothing but looking when the schedule is gone. Work that such a run began keeps to the same.
 */
import {
  dollarText,
  isProductCall,
  nanosPerDollar,
  Schedule,
  schedulesCollection,
  tierName,
} from '@countersign/contract'
import type { CallMiddleware } from '@countersign/kernel'
import { sql } from 'kysely'

export function scheduleLimits(): CallMiddleware {
  return {
    name: 'schedule limits',
    async before(unit, { run, tool, tier: asked }) {
      if (run.schedule === null) return undefined
      // What the product itself asks of the operator, as more money, is not the work of the schedule.
      const tier = isProductCall(tool) ? 0 : asked
      const record = await unit.records.get(schedulesCollection, run.schedule)
      const kept = Schedule.safeParse(record?.data)
      if (!kept.success)
        return tier === 0 ? undefined : 'The automation of this run was removed, so it may only read.'
      const { name, tierMax, maxCostUsd } = kept.data
      if (tier > tierMax)
        return `The automation “${name}” is limited to “${tierName[tierMax]}”, but this is “${tierName[tier]}”.`
      const { rows } = await sql<{ cost: number | null }>`
        select sum(cost)::bigint as cost from model_calls where operator_id = ${unit.operator} and run_id = ${run.id}`.execute(
        unit.db,
      )
      const spent = rows[0]?.cost ?? 0
      if (spent < maxCostUsd * nanosPerDollar || spent === 0) return undefined
      return `This run has cost ${dollarText(spent)}, but the limit of “${name}” is ${dollarText(maxCostUsd * nanosPerDollar)} per run. Finish with what there is.`
    },
  }
}
