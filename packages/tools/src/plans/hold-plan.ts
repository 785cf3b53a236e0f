/** Owns the two tools that hold the work of a plan and let it go on. A call that is under way comes to its end. */
import type { PlanStatus } from '@countersign/contract'
import { z } from 'zod'
import { defineTool, type ToolDefinition } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { failed, succeeded } from '../result.ts'
import { findPlan, holdingPlan, type PlanLookup, planData, planId, plansCollection } from './plan-record.ts'

export interface HoldToolText {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly from: PlanStatus
  readonly to: PlanStatus
  readonly undo: string
  readonly verb: string
  readonly done: string
}

export function holdTool({ from, to, verb, done, undo, ...words }: HoldToolText): ToolDefinition {
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
    async effects({ planId: id }, context) {
      const found = await findIn(context, id, from)
      return found.kind === 'invalid' ? found : holdingPlan(found)
    },
    async run({ planId: id }, context) {
      const found = await findIn(context, id, from)
      if (found.kind === 'invalid') return failed(found.reason)
      const { record, plan } = found
      await context.assistant.hold([id], to === 'paused')
      await context.records.replace(
        plansCollection,
        id,
        record.version,
        planData({ ...plan, status: to }),
        record.label,
      )
      const summary = `${done} the plan “${plan.name}”`
      return tellingOf([record], succeeded(`${summary}.`, summary, { tool: undo, args: { planId: id } }))
    },
  })
}

async function findIn(context: RecordToolContext, id: string, status: PlanStatus): Promise<PlanLookup> {
  const found = await findPlan(context, id)
  if (found.kind === 'invalid' || found.plan.status === status) return found
  const wanted = status === 'paused' ? 'paused' : 'being carried out'
  return {
    kind: 'invalid',
    reason: `The plan ${id} is not ${wanted}; it is ${found.plan.status}.`,
  }
}
