/** Owns the two tools that hold the work of a plan and let it go on. A call that is under way comes to its end. */
import type { PlanStatus } from '@countersign/contract'
import { z } from 'zod'
import { defineTool, type ToolDefinition } from '../definition.ts'
import type { Desk } from '../desk.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { failed, succeeded } from '../result.ts'
import { dataOf, type FoundPlan, findPlan, holdingPlan, planId, plansCollection } from './plan-record.ts'

export interface HoldWords {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly from: PlanStatus
  readonly to: PlanStatus
  readonly undo: string
  readonly verb: string
  readonly done: string
}

export function holdTool({ from, to, verb, done, undo, ...words }: HoldWords): ToolDefinition {
  return defineTool({
    ...words,
    version: '2',
    input: z.strictObject({ planId }),
    category: 'plans',
    group: 'plans',
    effect: 'idempotent',
    floor: 1,
    output: recordLabel,
    undo,
    runs: 'gateway',
    describe: ({ planId: id }) => `${verb} the plan ${id}`,
    preview: ({ planId: id }) => ({ kind: 'text', title: `${verb} the plan`, text: id }),
    async effects({ planId: id }, desk) {
      const found = await findIn(desk, id, from)
      return found.kind === 'invalid' ? found : holdingPlan(found)
    },
    async run({ planId: id }, desk) {
      const found = await findIn(desk, id, from)
      if (found.kind === 'invalid') return failed(found.reason)
      const { record, plan } = found
      await desk.mind.hold([id], to === 'paused')
      await desk.records.replace(
        plansCollection,
        id,
        record.version,
        dataOf({ ...plan, status: to }),
        record.label,
      )
      const summary = `${done} the plan “${plan.name}”`
      return tellingOf([record], succeeded(`${summary}.`, summary, { tool: undo, args: { planId: id } }))
    },
  })
}

async function findIn(desk: Desk, id: string, status: PlanStatus): Promise<FoundPlan> {
  const found = await findPlan(desk, id)
  if (found.kind === 'invalid' || found.plan.status === status) return found
  const wanted = status === 'paused' ? 'paused' : 'being carried out'
  return {
    kind: 'invalid',
    reason: `The plan ${id} is not ${wanted}; it is ${found.plan.status}.`,
  }
}
