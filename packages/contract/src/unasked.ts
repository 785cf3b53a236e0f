/** Owns the shape of what was not done because nobody asked for it: one row for a conversation, which opens. */
import { z } from 'zod'
import { CallId, RunId, SessionId, UnaskedId } from './ids.ts'
import { Tier } from './trust.ts'

/** So many are kept with what they would have done; those after them only count. */
export const mostUnaskedKept = 20

/** What a model is told. It goes on without the call. */
export const heldText =
  'Not done: nobody asked for this. The operator sees it in one row and can let it be asked. Go on without it, or ask the operator first if the task needs it.'

/** What stands in the conversation for it. It says no word of a stranger's. */
export function letAskText(tool: string): string {
  return `Let it be asked: ${tool}, which was held because nobody had asked for it.`
}

export const UnaskedCall = z.strictObject({
  call: CallId,
  run: RunId,
  tool: z.string(),
  headline: z.string(),
  tier: Tier,
  /** Why it would have asked. */
  reason: z.string(),
  at: z.string(),
})
export type UnaskedCall = z.infer<typeof UnaskedCall>

export const UnaskedView = z.strictObject({
  id: UnaskedId,
  session: SessionId,
  /** How many were not done and wait for nobody, those that are not kept among them. */
  count: z.int().min(1),
  calls: z.array(UnaskedCall).max(mostUnaskedKept),
  /** When the last of them was held. */
  at: z.string(),
})
export type UnaskedView = z.infer<typeof UnaskedView>

export const LetAsk = z.strictObject({ call: CallId })
export type LetAsk = z.infer<typeof LetAsk>

/** The run in which the call is proposed again. */
export const LetAskReply = z.strictObject({ session: SessionId, run: RunId, ledger: z.int() })
export type LetAskReply = z.infer<typeof LetAskReply>
