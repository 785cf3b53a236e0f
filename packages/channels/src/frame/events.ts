/** Owns what can come in from a platform. An adapter may be wrong or taken over: the gateway reads nothing but these shapes. */
import { z } from 'zod'

const longestId = 300
const longestName = 300
const longestText = 100_000
const mostFiles = 20

const Id = z.string().min(1).max(longestId)

export const Chat = z.strictObject({
  id: Id,
  kind: z.enum(['private', 'group']),
  title: z.string().max(longestName),
})
export type Chat = z.infer<typeof Chat>

export const Sender = z.strictObject({
  /** The one that the platform gave and that nobody can choose; where it gives none, what they call themselves. */
  id: Id,
  /** What they call themselves. Believed by nobody. */
  name: z.string().max(longestName),
  /** Whether it is shown that this sender wrote this: by the platform, or by a signature on the message. */
  proven: z.boolean(),
  bot: z.boolean(),
})
export type Sender = z.infer<typeof Sender>

export const InboundFile = z.strictObject({
  /** By which the adapter finds it again. */
  ref: z.string().min(1).max(2_000),
  name: z.string().max(longestName),
  bytes: z.int().min(0).nullable(),
  voice: z.boolean(),
})
export type InboundFile = z.infer<typeof InboundFile>

const base = {
  /** The platform's own, the same whenever it is told again. */
  id: Id,
  chat: Chat,
  at: z.iso.datetime(),
}

export const InboundEvent = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('message'),
    ...base,
    sender: Sender,
    /** What they wrote themselves, without what they quote. */
    text: z.string().max(longestText),
    thread: Id.nullable(),
    /** They speak to us: by a mention, or by an answer to what we said. */
    addressed: z.boolean(),
    /** Somebody else wrote it first. */
    forwarded: z.boolean(),
    files: z.array(InboundFile).max(mostFiles),
  }),
  z.strictObject({
    type: z.literal('edited'),
    ...base,
    sender: Sender,
    message: Id,
    text: z.string().max(longestText),
  }),
  z.strictObject({ type: z.literal('deleted'), ...base, message: Id }),
  /** A button below a message of ours. */
  z.strictObject({
    type: z.literal('pressed'),
    ...base,
    sender: Sender,
    message: Id,
    data: z.string().max(200),
  }),
])
export type InboundEvent = z.infer<typeof InboundEvent>
export type InboundMessage = Extract<InboundEvent, { type: 'message' }>
