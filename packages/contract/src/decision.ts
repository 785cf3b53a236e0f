/** Owns the three answers of policy and the rationale that comes with each. */
import { z } from 'zod'
import { Tier } from './trust.ts'

export const RuleRef = z.strictObject({
  id: z.string(),
  file: z.string(),
  line: z.int(),
  why: z.string(),
})
export type RuleRef = z.infer<typeof RuleRef>

export const Decision = z.strictObject({
  kind: z.enum(['allow', 'ask', 'deny']),
  tier: Tier,
  /** The rules that determined it. Empty only for a default deny. */
  rules: z.array(RuleRef),
  /** Why the tier stands above what the effects alone give. */
  raised: z.array(z.string()),
  /** One plain sentence. */
  reason: z.string(),
  /** The grant that turned an ask into an allow. */
  grant: z.string().optional(),
})
export type Decision = z.infer<typeof Decision>
