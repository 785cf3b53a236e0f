/** Owns the shapes by which standing authority is looked at: what a rule would cover, and what may happen unasked. */
import { z } from 'zod'
import { GrantStop, GrantView } from './api.ts'
import { ApprovalId, GrantId } from './ids.ts'
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
  /** It holds in tasks that have read untrusted content as well. */
  untrusted: z.boolean(),
  /** What the rule would say. */
  sentence: z.string(),
  /** It needs a passkey whatever its end. */
  broad: z.boolean(),
  covered: z.int(),
  /** So many of these were asked about. */
  asked: z.int(),
  examples: z.array(PastCall),
  /** The last call of the tool that would still ask. */
  nearest: PastCall.nullable(),
  /** Calls of the tool that no such rule reaches: above the boundary tier, or after untrusted content was read. */
  above: z.int(),
})
export type StopCoverage = z.infer<typeof StopCoverage>

export const Coverage = z.strictObject({
  /** So many of the last calls were looked at. */
  of: z.int(),
  /** Empty where the call can never be granted. */
  stops: z.array(StopCoverage),
  /** The narrowest that covers this call and one before it, or the narrowest of all. */
  suggested: z.strictObject({ stop: GrantStop, untrusted: z.boolean() }),
})
export type Coverage = z.infer<typeof Coverage>

export const GrantSuggestion = z.strictObject({
  /** Of what it says; the same as long as it says the same. */
  id: z.string(),
  sentence: z.string(),
  tool: z.string(),
  agent: z.string(),
  stop: GrantStop,
  /** It holds in tasks that have read untrusted content as well. */
  untrusted: z.boolean(),
  /** How many of the questions that you approved in the last seven days it would have answered, of how many. */
  answers: z.int(),
  of: z.int(),
  /** Those, the newest first. */
  examples: z.array(PastCall),
  /** The newest request that it would be made from. */
  approval: ApprovalId,
})
export type GrantSuggestion = z.infer<typeof GrantSuggestion>

export const TakenSuggestion = z.strictObject({ grant: GrantId, sentence: z.string(), ledger: z.int() })
export type TakenSuggestion = z.infer<typeof TakenSuggestion>

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
