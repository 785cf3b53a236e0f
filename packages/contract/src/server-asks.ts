/** Owns what an executor and a gateway tell each other of a question, and what the operator replies. */
import { z } from 'zod'
import { ServerAnswers, ServerForm } from './server-question.ts'

/** What the operator says to it. */
export const QuestionReply = z.discriminatedUnion('action', [
  z.strictObject({ action: z.literal('accept'), values: ServerAnswers }),
  z.strictObject({ action: z.literal('decline') }),
  z.strictObject({ action: z.literal('cancel') }),
])
export type QuestionReply = z.infer<typeof QuestionReply>

/** What a call under way tells of its server: a question for the operator, or one that was not taken, and why. */
export const ServerAsks = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('form'), form: ServerForm }),
  z.strictObject({ kind: z.literal('refused'), reason: z.string().max(500) }),
])
export type ServerAsks = z.infer<typeof ServerAsks>

export const ServerReply = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('accepted'), values: ServerAnswers }),
  z.strictObject({ kind: z.enum(['declined', 'cancelled']), reason: z.string() }),
])
export type ServerReply = z.infer<typeof ServerReply>

/** Puts what a server asks before the operator, for the call of one permit. Never rejects. */
export type AskOperator = (asked: ServerAsks, signal: AbortSignal) => Promise<ServerReply>
