/** Owns the shapes by which standing authority is looked at: what a rule would cover, and what may happen unasked. */
import { z } from 'zod'
import { GrantStop, GrantView } from './api.ts'
import { Tier } from './trust.ts'

export const CoverageRequest = z.strictObject({
  /** The request that the rule would be made from, by id or code. */
  approval: z.string().min(1).max(64),
  where: z.enum(['goal', 'agent', 'everywhere']),
})
export type CoverageRequest = z.infer<typeof CoverageRequest>

export const PastCall = z.strictObject({ headline: z.string(), tier: Tier, at: z.string(), run: z.string() })
export type PastCall = z.infer<typeof PastCall>

export const StopCoverage = z.strictObject({
  stop: GrantStop,
  /** What the rule would say. */
  sentence: z.string(),
  /** It needs a passkey whatever its end. */
  broad: z.boolean(),
  covered: z.int(),
  examples: z.array(PastCall),
  /** The last call of the tool that would still ask. */
  nearest: PastCall.nullable(),
  /** Calls of the tool above the boundary tier, which no rule reaches. */
  above: z.int(),
})
export type StopCoverage = z.infer<typeof StopCoverage>

export const Coverage = z.strictObject({
  /** So many of the last calls were looked at. */
  of: z.int(),
  /** Empty where the call can never be granted. */
  stops: z.array(StopCoverage),
  /** The narrowest stop that covers this call and one before it, or the narrowest of all. */
  suggested: GrantStop,
})
export type Coverage = z.infer<typeof Coverage>

export const GrantSuggestion = z.strictObject({
  sentence: z.string(),
  tool: z.string(),
  agent: z.string(),
  stop: GrantStop,
  /** How many of what was approved in the last thirty days it would have answered. */
  answers: z.int(),
})
export type GrantSuggestion = z.infer<typeof GrantSuggestion>

export const PruneGrants = z.strictObject({
  unusedDays: z.int().min(0).max(3650),
  dryRun: z.boolean().default(false),
})
export const PruneReply = z.strictObject({ grants: z.array(GrantView), ledger: z.int().nullable() })
export type PruneReply = z.infer<typeof PruneReply>

/** Everything that may run without approval. */
export const WhatCan = z.strictObject({
  agent: z.string().nullable(),
  autonomy: z.string(),
  /** What the level lets through by itself, a sentence each. */
  free: z.array(z.string()),
  /** Rules of the operator's own files that let something through. */
  rules: z.array(z.strictObject({ id: z.string(), file: z.string(), line: z.int(), why: z.string() })),
  grants: z.array(GrantView),
  /** Tools that need the operator's passkey every time. */
  passkeyTools: z.array(z.string()),
})
export type WhatCan = z.infer<typeof WhatCan>
