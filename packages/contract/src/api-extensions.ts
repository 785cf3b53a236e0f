/** Owns the HTTP shapes of what was let in from outside has done: how often each part was used, and the last calls of one. */
import { z } from 'zod'
import { CallOutcome } from './events.ts'
import { CallId, RunId } from './ids.ts'
import { Tier } from './trust.ts'

/** Calls that were not run, such as denied ones, are none of these. */
export const ExtensionPartUse = z.strictObject({
  /** The tool of a server by its own name, or the tool by which a skill was used. */
  part: z.string(),
  calls: z.int(),
  failures: z.int(),
  lastAt: z.string(),
})
export type ExtensionPartUse = z.infer<typeof ExtensionPartUse>

export const ExtensionUse = z.strictObject({
  /** Nothing before this is counted. */
  since: z.string(),
  /** Calls since then of which nobody knows any more what they used: their details were removed by age. */
  unknown: z.int(),
  extensions: z.array(z.strictObject({ name: z.string(), parts: z.array(ExtensionPartUse) })),
})
export type ExtensionUse = z.infer<typeof ExtensionUse>

export const ExtensionCall = z.strictObject({
  id: CallId,
  run: RunId,
  part: z.string(),
  tier: Tier.nullable(),
  outcome: CallOutcome.extract(['ok', 'failed', 'unknown']),
  at: z.string(),
  /** The number of its last entry in the ledger. */
  ledger: z.int().nullable(),
})
export type ExtensionCall = z.infer<typeof ExtensionCall>
