/** Owns how the tools find a plan, and how they tell of one. */
import {
  isPlanRunning,
  type JsonObject,
  Plan,
  type PlanProblem,
  planProblemText,
  type StoredRecord,
  validatePlan,
} from '@countersign/contract'
import type { EffectsResult } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { nameText } from '../text.ts'

export const plansCollection = 'plans'
export const planId = nameText(100)

export interface PlanRecord {
  readonly record: StoredRecord
  readonly plan: Plan
}

export type PlanLookup =
  | ({ readonly kind: 'plan' } & PlanRecord)
  | { readonly kind: 'invalid'; readonly reason: string }

export async function findPlan(context: RecordToolContext, id: string): Promise<PlanLookup> {
  const record = await context.records.get(plansCollection, id)
  if (!record) return { kind: 'invalid', reason: `There is no plan ${id}. Look its id up with list_plans.` }
  return { kind: 'plan', record, plan: Plan.parse(record.data) }
}

/** A plan that nothing is done for now. */
export async function findIdlePlan(context: RecordToolContext, id: string): Promise<PlanLookup> {
  const found = await findPlan(context, id)
  if (found.kind === 'invalid' || !isPlanRunning(found.plan)) return found
  return {
    kind: 'invalid',
    reason: `The plan ${id} is being carried out and cannot be changed. Wait until it ends; the operator can stop it.`,
  }
}

export function planData(plan: Plan): JsonObject {
  return plan as unknown as JsonObject
}

/** The plan as it is kept, with its steps, as one line of JSON. */
export function planSummary({ record, plan }: PlanRecord): string {
  const { name, goal, status, version, result, steps, goalId, session } = plan
  return JSON.stringify({
    id: record.id,
    name,
    goal,
    status,
    version,
    ...(result === '' ? {} : { result }),
    ...(goalId === null ? {} : { goalId }),
    ...(session === null ? {} : { session }),
    steps,
  })
}

/** What must be mended before it can begin; nothing where it can. */
export function problemsText(plan: Plan, context: RecordToolContext): string {
  const problems: readonly PlanProblem[] = validatePlan(plan, context.catalogue)
  if (problems.length === 0) return 'It can begin with execute_plan.'
  return `It cannot begin yet:\n${problems.map((problem) => `- ${planProblemText(problem)}`).join('\n')}`
}

/** Bound to what the plan says. How far its work has come changes its record and not what holding it means. */
export function holdingPlan({ record, plan }: PlanRecord): EffectsResult {
  return {
    kind: 'found',
    resources: [recordResource(plansCollection, record.id, 'write', plan.version)],
    effects: [recordEffect('write', `the plan “${plan.name}”`)],
  }
}

export function touchingPlan(
  { record, plan }: PlanRecord,
  op: 'write' | 'delete',
  what = 'the plan',
): EffectsResult {
  return {
    kind: 'found',
    resources: [recordResource(plansCollection, record.id, op, record.version)],
    effects: [recordEffect(op, `${what} “${plan.name}”`)],
  }
}
