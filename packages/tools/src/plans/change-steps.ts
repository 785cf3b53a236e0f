/** Owns changing the steps of a plan that is kept, one act at a time. Each raises the version of the plan. */
import { mostPlanSteps, type Plan, type PlanStep, type ToolResult } from '@countersign/contract'
import type { EffectsResult } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { tellingOf, wholeLabel } from '../records/kept-label.ts'
import { recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { findIdlePlan, planData, plansCollection, problemsText, touchingPlan } from './plan-record.ts'

export type StepsChange =
  | {
      readonly kind: 'steps'
      readonly steps: readonly PlanStep[]
      readonly done: string
      readonly step: PlanStep
    }
  | { readonly kind: 'invalid'; readonly reason: string }

export type ChangeSteps = (plan: Plan) => StepsChange

export async function stepEffects(
  context: RecordToolContext,
  planId: string,
  change: ChangeSteps,
): Promise<EffectsResult> {
  const found = await findIdlePlan(context, planId)
  if (found.kind === 'invalid') return found
  const changed = bounded(change(found.plan))
  return changed.kind === 'invalid' ? changed : touchingPlan(found, 'write')
}

export async function changeSteps(
  context: RecordToolContext,
  planId: string,
  change: ChangeSteps,
): Promise<ToolResult> {
  const found = await findIdlePlan(context, planId)
  if (found.kind === 'invalid') return failed(found.reason)
  const changed = bounded(change(found.plan))
  if (changed.kind === 'invalid') return failed(changed.reason)
  const { record: before } = found
  const plan: Plan = { ...found.plan, steps: [...changed.steps], version: found.plan.version + 1 }
  const label = wholeLabel(context, before.label)
  const after = await context.records.replace(
    plansCollection,
    before.id,
    before.version,
    planData(plan),
    label,
  )
  const summary = `${changed.done} “${changed.step.name}” of the plan “${plan.name}”`
  const undo = recordUndo([{ collection: plansCollection, id: before.id, before, after }])
  const text = `${summary}. ${problemsText(plan, context)}\n${JSON.stringify(changed.step)}`
  return tellingOf([after], succeeded(text, summary, undo))
}

function bounded(changed: StepsChange): StepsChange {
  if (changed.kind === 'invalid' || changed.steps.length <= mostPlanSteps) return changed
  return {
    kind: 'invalid',
    reason: `A plan has ${mostPlanSteps} steps at most. Make another plan of the rest.`,
  }
}
