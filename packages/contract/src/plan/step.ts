/** Owns the shape of a step of a plan. Refuses sizes beyond what a person can look over. */
import { z } from 'zod'
import type { JsonValue } from '../json/value.ts'

export const mostPlanSteps = 200
export const deepestPlanNesting = 5
export const mostPlanRounds = 100

/** A name that a reference can use: `{{fetch_page.result}}`. */
export const PlanStepId = z
  .string()
  .regex(
    /^[a-z][a-z0-9_]{0,39}$/,
    'must be lower case letters, digits and _, beginning with a letter, 40 at most',
  )

const json = z
  .unknown()
  .refine((value) => isJson(value, 0), 'must be JSON') as unknown as z.ZodType<JsonValue>
const ids = z.array(PlanStepId).max(mostPlanSteps)
const text = (longest: number) =>
  z.string().refine((given) => given.trim() !== '' && given.length <= longest && given.isWellFormed(), {
    error: `must be text of 1 to ${longest} characters`,
  })
const name = z
  .string()
  .refine(
    (given) =>
      given.trim() !== '' &&
      given.length <= 200 &&
      given.isWellFormed() &&
      !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(given),
    'must be one line of 1 to 200 characters',
  )

export const PlanOperator = z.enum(['equals', 'differs', 'contains', 'matches', 'greater', 'less', 'exists'])
export type PlanOperator = z.infer<typeof PlanOperator>

const scalar = z.union([z.string().max(4_000), z.number(), z.boolean()])

/** `matches` takes `*` for any text; `exists` takes no right side. */
export const PlanTest = z.strictObject({
  left: scalar,
  operator: PlanOperator,
  right: scalar.exactOptional(),
})
export type PlanTest = z.infer<typeof PlanTest>

export const PlanRetries = z.strictObject({
  most: z.int().min(0).max(5),
  baseMs: z.int().min(0).max(30_000).default(1_000),
  factor: z.number().min(1).max(10).default(2),
})
export type PlanRetries = z.infer<typeof PlanRetries>

const common = {
  id: PlanStepId,
  name,
  /** Steps that must be over before this one begins. */
  dependsOn: ids.default([]),
  /** Whether every step that it depends on must have been done, or one is enough. */
  needs: z.enum(['all', 'any']).default('all'),
  retries: PlanRetries.exactOptional(),
  /** No further attempt begins after this time; a model is not waited for longer. */
  timeoutSeconds: z.int().min(1).max(86_400).exactOptional(),
  /** Stop: nothing beside it begins any more. Skip: what depends on it is skipped. Continue: as if it were done. */
  onFailure: z.enum(['stop', 'skip', 'continue']).default('stop'),
}

const choices = (most: number) => z.array(z.string().min(1).max(200)).max(most)

export const PlanStep = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('tool_call'),
    ...common,
    tool: z.string().min(1).max(64),
    args: z.record(z.string(), json).default({}),
  }),
  z.strictObject({
    type: z.literal('llm_decision'),
    ...common,
    prompt: text(8_000),
    /** With choices, the answer is one of them. */
    choices: choices(20).min(2).exactOptional(),
  }),
  z.strictObject({
    type: z.literal('user_input'),
    ...common,
    question: text(4_000),
    choices: choices(8).exactOptional(),
  }),
  z.strictObject({
    type: z.literal('condition'),
    ...common,
    ...PlanTest.shape,
    /** Steps beside it that are only carried out if it holds, and those that are only if it does not. */
    onTrue: ids.default([]),
    onFalse: ids.default([]),
  }),
  z.strictObject({ type: z.literal('parallel'), ...common, steps: ids.min(1) }),
  z.strictObject({
    type: z.literal('loop'),
    ...common,
    /** A reference to a list, or the list. */
    over: z.union([z.string().max(200), z.array(json).max(mostPlanRounds)]).exactOptional(),
    count: z.int().min(1).max(mostPlanRounds).exactOptional(),
    steps: ids.min(1),
    /** Looked at after each round. */
    until: PlanTest.exactOptional(),
  }),
])
export type PlanStep = z.infer<typeof PlanStep>

/** The steps as they are listed; which of them hold others is said by those that do. */
export const PlanSteps = z.array(PlanStep).max(mostPlanSteps)

function isJson(value: unknown, depth: number): boolean {
  if (depth > 16) return false
  if (value === null || typeof value === 'boolean') return true
  if (typeof value === 'string') return value.isWellFormed()
  if (typeof value === 'number') return Number.isFinite(value)
  if (Array.isArray(value)) return value.every((each) => isJson(each, depth + 1))
  return typeof value === 'object' && Object.values(value).every((each) => isJson(each, depth + 1))
}
