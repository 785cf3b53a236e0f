/** Keeps a new plan, with steps or for steps to come. Nothing is done until it is executed. */
import { type JsonObject, Plan, type PlanStep } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { rowsCard } from '../records/cards.ts'
import { newId, problemsOf } from '../records/collection.ts'
import { newRecord, recordEffect, recordResource } from '../records/effects.ts'
import { recordLabel, wholeLabel } from '../records/kept-label.ts'
import { counted } from '../records/record-lines.ts'
import { recordUndo, restoring } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { nameText } from '../text.ts'
import { planData, planSummary, plansCollection, problemsText } from './plan-record.ts'
import { newStep, stepInput } from './step-input.ts'

export const createPlan = defineTool({
  name: 'create_plan',
  version: '2',
  description:
    'Make a plan of steps that are carried out without a model in between: tool calls, decisions, questions to the operator, conditions, parallel branches, loops. Steps that depend on nothing begin at once. Results go on by {{step.result}}. Run it with execute_plan.',
  input: z.strictObject({
    name: nameText(200),
    goal: z.string().max(4_000).default(''),
    steps: z.array(z.strictObject(stepInput)).max(200).default([]),
    goalId: z.string().max(100).exactOptional(),
  }),
  category: 'plans',
  group: 'plans',
  tags: [
    'steps',
    'workflow',
    'multi-step',
    'procedure',
    'sequence',
    'automate',
    'make a plan',
    'plan out',
    'break down',
    'several things in order',
    'one after the other',
    'checklist',
  ],
  effect: 'idempotent',
  floor: 1,
  output: recordLabel,
  undo: restoring,
  runs: 'gateway',
  describe: ({ name, steps }) => `Make the plan ${name} with ${counted(steps.length, 'step', 'steps')}`,
  preview: ({ name, goal, goalId, steps }) =>
    rowsCard(
      [`Plan ${name}`, goal, goalId ?? ''].filter((part) => part !== '').join(': '),
      stepColumns,
      steps as unknown as JsonObject[],
    ),
  async effects(args) {
    const made = planFrom(args)
    if (made.kind === 'invalid') return made
    return {
      kind: 'found',
      resources: [recordResource(plansCollection, newRecord, 'write', null)],
      effects: [recordEffect('write', 'a new plan')],
    }
  },
  async run(args, context) {
    const made = planFrom(args)
    if (made.kind === 'invalid') return failed(made.reason)
    const { plan } = made
    const id = newId('plan', context.uuid())
    const after = await context.records.insert(plansCollection, id, planData(plan), wholeLabel(context))
    const summary = `Made the plan “${plan.name}” with ${counted(plan.steps.length, 'step', 'steps')}`
    const undo = recordUndo([{ collection: plansCollection, id, before: null, after }])
    return succeeded(
      `${summary}. ${problemsText(plan, context)}\n${planSummary({ record: after, plan })}`,
      summary,
      undo,
    )
  },
})

export const stepColumns = [
  'id',
  'type',
  'name',
  'tool',
  'args',
  'prompt',
  'question',
  'left',
  'operator',
  'right',
  'onTrue',
  'onFalse',
  'over',
  'count',
  'steps',
  'until',
  'dependsOn',
  'onFailure',
]

interface PlanInput {
  readonly name: string
  readonly goal: string
  readonly steps: readonly object[]
  readonly goalId?: string
}

function planFrom({
  name,
  goal,
  steps,
  goalId,
}: PlanInput): { kind: 'plan'; plan: Plan } | { kind: 'invalid'; reason: string } {
  const read: PlanStep[] = []
  for (const [index, each] of steps.entries()) {
    const step = newStep(
      each as JsonObject,
      read.map(({ id }) => id),
    )
    if (step.kind === 'invalid') return { ...step, reason: `steps.${index}: ${step.reason}` }
    read.push(step.step)
  }
  const parsed = Plan.safeParse({ name, goal, steps: read, goalId: goalId ?? null })
  return parsed.success
    ? { kind: 'plan', plan: parsed.data }
    : { kind: 'invalid', reason: problemsOf(parsed.error) }
}
