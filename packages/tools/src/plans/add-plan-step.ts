/** Adds a step to a plan. */
import { type JsonObject, type Plan } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { recordLabel } from '../records/kept-label.ts'
import { restoring } from '../records/undo.ts'
import { nameText } from '../text.ts'
import { changeSteps, type StepsChange, stepEffects } from './change-steps.ts'
import { planId } from './plan-record.ts'
import { newStep, stepInput } from './step-input.ts'

export const addPlanStep = defineTool({
  name: 'add_plan_step',
  version: '1',
  description:
    'Add a step to a plan: tool_call (tool, args), llm_decision (prompt, choices), user_input (question), condition (left, operator, right, onTrue, onFalse), parallel (steps), loop (over or count, steps, until).',
  input: z.strictObject({
    planId,
    order: z
      .int()
      .min(1)
      .max(200)
      .describe('Its place in the list; at the end where left out')
      .exactOptional(),
    ...stepInput,
    name: nameText(200),
  }),
  category: 'plans',
  group: 'plans',
  tags: [
    'steps',
    'workflow',
    'then do',
    'insert',
    'extend',
    'next step',
    'branch',
    'condition',
    'loop',
    'parallel',
  ],
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  undo: restoring,
  runs: 'gateway',
  describe: ({ planId: plan, name }) => `Add the step ${name} to the plan ${plan}`,
  preview: ({ planId: plan, ...step }) => fieldsCard(`New step of ${plan}`, step as unknown as JsonObject),
  effects: ({ planId: id, ...given }, context) => stepEffects(context, id, (plan) => withStep(plan, given)),
  run: ({ planId: id, ...given }, context) => changeSteps(context, id, (plan) => withStep(plan, given)),
})

function withStep({ steps }: Plan, { order, ...given }: { readonly order?: number }): StepsChange {
  const taken = steps.map(({ id }) => id)
  const read = newStep(given as JsonObject, taken)
  if (read.kind === 'invalid') return read
  const { step } = read
  if (taken.includes(step.id))
    return { kind: 'invalid', reason: `The plan has a step ${step.id} already. Give this one another id.` }
  return {
    kind: 'steps',
    steps: steps.toSpliced(order === undefined ? steps.length : order - 1, 0, step),
    done: 'Added the step',
    step,
  }
}
