/** Owns the HTTP shapes of money: what was spent, on what, and the limits. Dollars are for people; the database counts in billionths. */
import { z } from 'zod'
import { ModelRef, Purpose } from './api-models.ts'
import { RunId } from './ids.ts'

export const nanosPerDollar = 1_000_000_000

export const BudgetScope = z.enum([
  'global',
  /** All work that nobody asked for just now. 0 until the operator sets it. */
  'unattended',
  'agent',
  'goal',
  'schedule',
  'session',
  'run',
  'call',
])
export type BudgetScope = z.infer<typeof BudgetScope>

export const BudgetPeriod = z.enum(['hour', 'day', 'week', 'month', 'ever'])
export type BudgetPeriod = z.infer<typeof BudgetPeriod>

/** `scope`, `scope:period` or `scope:subject:period`, such as `global:month`, `run` or `goal:goal_1:day`. */
export const BudgetName = z
  .string()
  .regex(/^[a-z]+(:[^\s:]{1,80}){0,2}$/, 'such as global:month, run or call')

export const BudgetView = z.strictObject({
  name: BudgetName,
  scope: BudgetScope,
  /** One agent, goal, schedule, session or run; null means each of them. */
  subject: z.string().nullable(),
  period: BudgetPeriod,
  limitUsd: z.number(),
  hard: z.boolean(),
  /** In the present period; null where the budget is for each of many. */
  spentUsd: z.number().nullable(),
  reservedUsd: z.number().nullable(),
  /** What was allowed on top for the present period. */
  extraUsd: z.number(),
  startsAgainAt: z.string().nullable(),
  /** Not set by the operator: it stands from the start. */
  builtIn: z.boolean(),
})
export type BudgetView = z.infer<typeof BudgetView>

export const SetBudget = z.strictObject({
  scope: BudgetScope,
  subject: z
    .string()
    .regex(/^[^\s:]{1,80}$/, 'an id or a name without spaces')
    .nullable()
    .default(null),
  /** `call` and `run` need none. */
  period: BudgetPeriod.default('month'),
  limitUsd: z.number().min(0).max(1_000_000),
  hard: z.boolean().default(true),
})
export type SetBudget = z.infer<typeof SetBudget>
export const BudgetChanged = z.strictObject({ budget: BudgetView, ledger: z.int() })
export const BudgetRemoved = z.strictObject({ name: BudgetName, ledger: z.int() })

export const CostGroup = z.enum([
  'model',
  'provider',
  'purpose',
  'agent',
  'goal',
  'schedule',
  'session',
  'run',
  'day',
  'hour',
])
export type CostGroup = z.infer<typeof CostGroup>

export const CostLine = z.strictObject({
  key: z.string(),
  calls: z.int(),
  /** Calls that brought no reply; their tokens are counted all the same. */
  undelivered: z.int(),
  input: z.int(),
  output: z.int(),
  cached: z.int(),
  reasoning: z.int(),
  usd: z.number(),
})
export type CostLine = z.infer<typeof CostLine>

export const CostReport = z.strictObject({
  from: z.string(),
  to: z.string(),
  total: CostLine,
  /** The same length of time before. */
  beforeUsd: z.number(),
  unattendedUsd: z.number(),
  /** What is set aside for calls under way. */
  reservedUsd: z.number(),
  /** Counted by us because the provider did not say; corrected by a reconciliation. */
  estimatedUsd: z.number(),
  adjustedUsd: z.number(),
  /** For each run that ended as it should; null without any. */
  usdPerOutcome: z.number().nullable(),
  cacheHitRate: z.number().nullable(),
  group: CostGroup,
  lines: z.array(CostLine),
  /** Unattended work is paused because it spent far more than usual. */
  guard: z.strictObject({ at: z.string(), reason: z.string() }).nullable(),
})
export type CostReport = z.infer<typeof CostReport>

/** What a day's spending is divided by. */
export const CostDayGroup = z.enum(['model', 'provider', 'purpose', 'agent', 'goal', 'schedule'])
export type CostDayGroup = z.infer<typeof CostDayGroup>

export const CostDays = z.strictObject({
  from: z.string(),
  to: z.string(),
  group: CostDayGroup,
  /** Every day of the period in its order, also those without a call. */
  days: z.array(
    z.strictObject({
      /** Such as `2026-11-03`, where the operator lives. */
      day: z.string(),
      parts: z.array(z.strictObject({ key: z.string(), calls: z.int(), usd: z.number() })),
    }),
  ),
})
export type CostDays = z.infer<typeof CostDays>

export const CostlyRun = z.strictObject({
  run: RunId,
  title: z.string(),
  startedAt: z.string(),
  unattended: z.boolean(),
  turns: z.int(),
  calls: z.int(),
  usd: z.number(),
  /** Why it cost that, where that can be told. */
  hint: z.string().nullable(),
})
export type CostlyRun = z.infer<typeof CostlyRun>

/** Calls while no person had written anything for a day. */
export const IdleSpend = z.strictObject({ usd: z.number(), calls: z.int(), lines: z.array(CostLine) })
export type IdleSpend = z.infer<typeof IdleSpend>

export const ReconciliationReply = z.strictObject({
  provider: z.string(),
  from: z.string(),
  to: z.string(),
  /** The recorded cost before. */
  localUsd: z.number(),
  /** Null where the provider has no way to ask. */
  billedUsd: z.number().nullable(),
  /** As a share of the bill. */
  drift: z.number().nullable(),
  adjusted: z.boolean(),
  problem: z.string().nullable(),
})
export type ReconciliationReply = z.infer<typeof ReconciliationReply>

/** One call to a provider, as it was recorded. */
export const ModelCallView = z.strictObject({
  id: z.string(),
  at: z.string(),
  ref: ModelRef,
  purpose: Purpose,
  run: RunId.nullable(),
  outcome: z.string(),
  estimated: z.boolean(),
  tokens: z.strictObject({ input: z.int(), output: z.int(), cached: z.int(), reasoning: z.int() }),
  usd: z.number(),
  firstTokenMs: z.number().nullable(),
  totalMs: z.number().nullable(),
})
export type ModelCallView = z.infer<typeof ModelCallView>
