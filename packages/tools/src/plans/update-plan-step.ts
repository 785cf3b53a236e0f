/** Changes a step of a plan, or takes it out. */
import { type JsonObject, type Plan } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { recordLabel } from '../records/kept-label.ts'
import { restoring } from '../records/undo.ts'
import { nameText } from '../text.ts'
import { changeSteps, type StepsChange, stepEffects } from './change-steps.ts'
import { planId } from './plan-record.ts'
import { changedStep, stepChanges } from './step-input.ts'

export const updatePlanStep = defineTool({
  name: 'update_plan_step',
  version: '1',
  description: 'Change fields of a step of a plan; null removes one, and remove takes the whole step out.',
  input: z
    .strictObject({ planId, stepId: nameText(40), remove: z.literal(true).exactOptional(), ...stepChanges })
    .refine((args) => Object.keys(args).length > 2, 'Give at least one field to change, or remove.'),
  category: 'plans',
  group: 'plans',
  tags: ['edit', 'modify', 'change', 'fix', 'remove', 'take out', 'mend', 'rewrite', 'workflow', 'steps'],
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  undo: restoring,
  runs: 'gateway',
  describe: ({ planId: plan, stepId, remove }) =>
    `${remove ? 'Take out' : 'Change'} the step ${stepId} of the plan ${plan}`,
  preview: ({ planId: plan, stepId, ...changes }) =>
    fieldsCard(`Step ${stepId} of ${plan}`, changes as unknown as JsonObject),
  effects: ({ planId: id, ...given }, context) => stepEffects(context, id, (plan) => withChange(plan, given)),
  run: ({ planId: id, ...given }, context) => changeSteps(context, id, (plan) => withChange(plan, given)),
})

function withChange(
  { steps }: Plan,
  { stepId, remove, ...changes }: { readonly stepId: string; readonly remove?: true },
): StepsChange {
  const before = steps.find(({ id }) => id === stepId)
  if (!before)
    return {
      kind: 'invalid',
      reason: `The plan has no step ${stepId}. It has ${steps.map(({ id }) => id).join(', ') || 'none'}.`,
    }
  if (remove)
    return {
      kind: 'steps',
      steps: steps.filter(({ id }) => id !== stepId),
      done: 'Took out the step',
      step: before,
    }
  const read = changedStep(before, changes as JsonObject)
  if (read.kind === 'invalid') return read
  const after = steps.map((step) => (step.id === stepId ? read.step : step))
  return { kind: 'steps', steps: after, done: 'Changed the step', step: read.step }
}
