/** Owns the shapes of plans: what is kept of one, and what the HTTP API carries. */
import { z } from 'zod'
import { RunId, SessionId } from './ids.ts'
import { type PlanStep, PlanStepId, PlanSteps } from './plan/step.ts'
import type { PlanProblem as Problem } from './plan/validate.ts'
import { Label, Tier } from './trust.ts'

export {
  type PlanBranch,
  type PlanGraph,
  planGraph,
  planLoopsAround,
  planOrder,
  planStepReferences,
  planStepsIn,
  planUntilReferences,
} from './plan/graph.ts'
export * from './plan/reference.ts'
export * from './plan/step.ts'
export * from './plan/validate.ts'

export const PlanId = z.string().regex(/^plan_[0-9a-f]{32}$/, 'must be the id of a plan, as plan_0198…')

export const PlanStatus = z.enum(['pending', 'in_progress', 'paused', 'completed', 'failed', 'cancelled'])
export type PlanStatus = z.infer<typeof PlanStatus>

const name = z
  .string()
  .refine(
    (text) =>
      text.trim() !== '' && text.length <= 200 && text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text),
    'must be one line of 1 to 200 characters',
  )
const goal = z
  .string()
  .refine(
    (text) => text.length <= 4_000 && text.isWellFormed() && !/[^\P{Cc}\n\r\t]/u.test(text),
    'must be text of at most 4000 characters',
  )

/** As it is kept. */
export const Plan = z.strictObject({
  name,
  /** What it is to reach, in words. */
  goal: goal.default(''),
  steps: PlanSteps.default([]),
  status: PlanStatus.default('pending'),
  /** Raised by one with each change of what the plan does. */
  version: z.int().min(1).default(1),
  /** The goal that it serves, by id. */
  goalId: z.string().max(100).nullable().default(null),
  session: SessionId.nullable().default(null),
  run: RunId.nullable().default(null),
  /** Steps that the operator said to leave out of the run that is under way. */
  skipped: z.array(PlanStepId).default([]),
  /** How it ended, in words. */
  result: z.string().max(20_000).default(''),
  startedAt: z.string().nullable().default(null),
  endedAt: z.string().nullable().default(null),
})
export type Plan = z.infer<typeof Plan>

/** Work is done for it now, or held. It is not changed meanwhile. */
export function isPlanRunning({ status }: Pick<Plan, 'status'>): boolean {
  return status === 'in_progress' || status === 'paused'
}

/** A step that holds others, or decides about them, is left out by leaving those out. */
export function isSkippable({ type }: Pick<PlanStep, 'type'>): boolean {
  return type === 'tool_call' || type === 'user_input' || type === 'llm_decision'
}

/** What begins the work, in the words of the conversation; what is done follows from the steps. */
export function planStart(id: string, { name }: Pick<Plan, 'name'>): { title: string; text: string } {
  return { title: name, text: `Carry out the plan “${name}” (${id}).` }
}

export function startedPlan(plan: Plan, session: SessionId, now: Date): Plan {
  return {
    ...plan,
    status: 'in_progress',
    session,
    run: null,
    skipped: [],
    result: '',
    startedAt: now.toISOString(),
    endedAt: null,
  }
}

export const AddPlan = z.strictObject({
  name,
  goal: goal.default(''),
  steps: PlanSteps.default([]),
  goalId: z.string().max(100).nullable().default(null),
})
export type AddPlan = z.infer<typeof AddPlan>

/** What is left out stays as it is. */
export const ChangePlan = z.strictObject({
  name: name.exactOptional(),
  goal: goal.exactOptional(),
  steps: PlanSteps.exactOptional(),
  goalId: z.string().max(100).nullable().exactOptional(),
  /** The version that the change was made on; another one by now is a conflict. */
  version: z.int().min(1).exactOptional(),
})
export type ChangePlan = z.infer<typeof ChangePlan>

export const PlanView = z.strictObject({
  id: PlanId,
  ...Plan.shape,
  label: Label.nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
})
export type PlanView = z.infer<typeof PlanView>

export const PlanProblemView = z.strictObject({
  step: z.string().nullable(),
  problem: z.string(),
  fix: z.string(),
}) satisfies z.ZodType<Problem>

/** Where a step is: `waits` is for the operator, `later` for other steps, `dropped` for a plan that stopped before. */
export const PlanStepState = z.strictObject({
  step: PlanStepId,
  state: z.enum(['later', 'ready', 'running', 'waits', 'done', 'failed', 'skipped', 'dropped']),
  /** How often it was over, which is more than once in a loop. */
  times: z.int(),
  attempts: z.int(),
  /** Its result or why it has none, cut to one line. */
  words: z.string(),
})
export type PlanStepState = z.infer<typeof PlanStepState>

export const PlanDetail = z.strictObject({
  plan: PlanView,
  problems: z.array(PlanProblemView),
  states: z.array(PlanStepState),
})
export type PlanDetail = z.infer<typeof PlanDetail>

/** What the door would say to a call of a step. */
export const PlanPreviewStep = z.strictObject({
  step: PlanStepId,
  name: z.string(),
  tool: z.string(),
  headline: z.string(),
  /** Null where nobody can say before the results are there. */
  tier: Tier.nullable(),
  decision: z.enum(['allow', 'ask', 'deny', 'may', 'question', 'impossible']),
  why: z.string(),
  /** Whether it can be approved before the plan begins. */
  ahead: z.boolean(),
})
export type PlanPreviewStep = z.infer<typeof PlanPreviewStep>

export const PlanPreview = z.strictObject({
  plan: PlanId,
  version: z.int(),
  steps: z.array(PlanPreviewStep),
  /** In words: where it will stop for the operator. */
  stops: z.string(),
  /** Exactly what is approved by naming the digest. */
  lease: z.array(
    z.strictObject({ step: PlanStepId, tool: z.string(), args: z.string(), headline: z.string() }),
  ),
  /** Of the lease and the version of the plan. */
  digest: z.string(),
  problems: z.array(PlanProblemView),
})
export type PlanPreview = z.infer<typeof PlanPreview>

/** `ahead` is the digest of a preview whose lease the operator approves. */
export const ExecutePlan = z.strictObject({ ahead: z.string().max(200).exactOptional() })
export type ExecutePlan = z.infer<typeof ExecutePlan>

export const PlanChanged = z.strictObject({ ok: z.literal(true), ledger: z.int(), plan: PlanView })
export type PlanChanged = z.infer<typeof PlanChanged>

export const PlanStarted = z.strictObject({
  ok: z.literal(true),
  ledger: z.int(),
  plan: PlanView,
  session: SessionId,
  /** How many calls were approved ahead. */
  ahead: z.int(),
})
export type PlanStarted = z.infer<typeof PlanStarted>

export const PlanList = z.strictObject({ plans: z.array(PlanView), total: z.int() })
export type PlanList = z.infer<typeof PlanList>
