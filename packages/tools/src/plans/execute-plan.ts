/** Begins to carry out a plan, in a conversation of its own. Each of its calls passes the door by itself. */
import { planProblemText, planStart, startedPlan, validatePlan } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { allGoals, reachProblem } from '../goals/goal-lookup.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { failed, succeeded } from '../result.ts'
import {
  findIdlePlan,
  type PlanLookup,
  planData,
  planId,
  plansCollection,
  touchingPlan,
} from './plan-record.ts'

export const executePlan = defineTool({
  name: 'execute_plan',
  version: '1',
  description:
    'Begin to carry out a plan in the background. Each call of it is judged as it comes; the operator is asked where that is needed.',
  input: z.strictObject({ planId }),
  category: 'plans',
  group: 'plans',
  tags: ['run', 'start', 'begin', 'carry out', 'launch', 'do it', 'go ahead', 'workflow', 'steps'],
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  undo: 'pause_plan',
  runs: 'gateway',
  describe: ({ planId: id }) => `Carry out the plan ${id}`,
  preview: ({ planId: id }) => ({ kind: 'text', title: 'Carry out the plan', text: id }),
  async effects({ planId: id }, context) {
    const found = await findReadyPlan(context, id)
    return found.kind === 'invalid' ? found : touchingPlan(found, 'write', 'work on the plan')
  },
  async run({ planId: id }, context) {
    const found = await findReadyPlan(context, id)
    if (found.kind === 'invalid') return failed(found.reason)
    const { record, plan } = found
    // Work for one goal starts no work for another, whose limits may be wider.
    const problem =
      plan.goalId === null ? undefined : reachProblem(context, plan.goalId, await allGoals(context))
    if (problem !== undefined) return failed(problem)
    await context.assistant.hold([id], false)
    const { session } = await context.assistant.begin({
      key: `plan/${id}/${record.version}`,
      ...planStart(id, plan),
      agent: 'plan',
      ...(plan.goalId === null ? {} : { goal: plan.goalId }),
      about: id,
    })
    const started = planData(startedPlan(plan, session, context.now))
    // Whoever begins it does not change what it was made from.
    await context.records.replace(plansCollection, id, record.version, started, record.label)
    const summary = `Began the plan “${plan.name}”`
    const text = `${summary} in ${session}. It goes on by itself; see how it ended with get_plan_details.`
    return tellingOf([record], succeeded(text, summary, { tool: 'pause_plan', args: { planId: id } }))
  },
})

async function findReadyPlan(context: RecordToolContext, id: string): Promise<PlanLookup> {
  const found = await findIdlePlan(context, id)
  if (found.kind === 'invalid') return found
  const problems = validatePlan(found.plan, context.catalogue)
  if (problems.length === 0) return found
  return { kind: 'invalid', reason: `The plan cannot begin. ${problems.map(planProblemText).join(' ')}` }
}
