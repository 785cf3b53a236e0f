/** Tells everything that is kept of a plan, and what stands in the way of carrying it out. */
import { isPlanRunning } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { failed, succeeded } from '../result.ts'
import { findPlan, planId, planSummary, plansCollection, problemsText } from './plan-record.ts'

export const getPlanDetails = defineTool({
  name: 'get_plan_details',
  version: '1',
  description: 'Show a plan with its steps, its state and how it ended.',
  input: z.strictObject({ planId }),
  category: 'plans',
  group: 'plans',
  tags: ['show', 'status', 'progress', 'how far', 'steps', 'look at', 'workflow', 'result'],
  effect: 'pure',
  floor: 0,
  output: recordLabel,
  runs: 'gateway',
  describe: ({ planId: id }) => `Show the plan ${id}`,
  preview: ({ planId: id }) => ({ kind: 'text', title: 'Show the plan', text: id }),
  async effects({ planId: id }, context) {
    const found = await findPlan(context, id)
    if (found.kind === 'invalid') return found
    return {
      kind: 'found',
      resources: [recordResource(plansCollection, id, 'read', found.record.version)],
      effects: [recordEffect('read', `the plan “${found.plan.name}”`)],
    }
  },
  async run({ planId: id }, context) {
    const found = await findPlan(context, id)
    if (found.kind === 'invalid') return failed(found.reason)
    const hint = isPlanRunning(found.plan) ? 'It is being carried out.' : problemsText(found.plan, context)
    return tellingOf(
      [found.record],
      succeeded(`${planSummary(found)}\n${hint}`, `Showed the plan “${found.plan.name}”`),
    )
  },
})
