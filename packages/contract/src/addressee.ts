/** Owns to whom a message may be addressed, and which model answers it. */
import { z } from 'zod'
import { ModelRef } from './api-models.ts'

/** To whom a message goes that begins a conversation; one of them at most. */
export const Addressee = z.object({
  /** An agent by id or name. */
  agent: z.string().min(1).max(100).optional(),
  goal: z.string().min(1).max(100).optional(),
  /** A team, whose router picks the agent. */
  team: z.string().min(1).max(100).optional(),
})
export type Addressee = z.infer<typeof Addressee>

/** Remembered for the conversation. Null is the model of the agent; left out, it stays as it was. */
export const ModelChoice = z.object({ model: ModelRef.nullable().optional() })
/** What a conversation is from its first message on. */
export const ConversationChoice = z.object({
  /** Nothing that is said in it is kept after its end. */
  private: z.boolean().optional(),
})
/** The turns that the run of a message may take. Its agent may allow fewer, and never more because of it. */
export const TurnBound = z.object({ turns: z.int().min(1).max(200).optional() })
export type TurnBound = z.infer<typeof TurnBound>
export type ConversationChoice = z.infer<typeof ConversationChoice>
export type ModelChoice = z.infer<typeof ModelChoice>
