/** Owns the frames of the WebSocket. The first client frame proves a device key; nothing is served before it. */
import { z } from 'zod'
import { Addressee, ConversationChoice, ModelChoice, TurnBound } from './addressee.ts'
import { CountersignErrorBody } from './api.ts'
import { emptyMessage, hasContent, MessageContent } from './attachments.ts'
import { GatewayEvent, InputMode } from './events.ts'
import { DeviceId, InputId, RunId, SessionId } from './ids.ts'

export const ChallengeFrame = z.strictObject({
  type: z.literal('challenge'),
  nonce: z.string(),
  gateway: z.string(),
  version: z.literal(1),
  /** The gateway's signature over `challengeText`. */
  proof: z.base64(),
})

export const HelloFrame = z.strictObject({
  type: z.literal('hello'),
  device: DeviceId,
  signature: z.base64(),
  /** Send every event after this one first; null starts at the present. */
  since: z.int().min(0).nullable(),
})

export const MessageFrame = z
  .strictObject({
    type: z.literal('message'),
    /** The client's own id for this message; sending it twice admits it once. */
    key: z.string().min(8).max(100),
    session: SessionId.nullable(),
    ...MessageContent,
    mode: InputMode,
    ...Addressee.shape,
    ...ModelChoice.shape,
    ...ConversationChoice.shape,
    ...TurnBound.shape,
  })
  .refine(hasContent, emptyMessage)

export const ClientFrame = z.discriminatedUnion('type', [HelloFrame, MessageFrame])
export type ClientFrame = z.infer<typeof ClientFrame>

export const ServerFrame = z.discriminatedUnion('type', [
  ChallengeFrame,
  z.strictObject({
    type: z.literal('welcome'),
    seq: z.int(),
    operator: z.string(),
    /** The last event that there is, so that a client knows how far it is behind. */
    head: z.int().optional(),
  }),
  z.strictObject({ type: z.literal('event'), event: GatewayEvent }),
  /** The gap was too long to replay; the client loads a snapshot over HTTP and goes on from `seq`. */
  z.strictObject({ type: z.literal('gap'), seq: z.int(), skipped: z.int() }),
  /** Text as it streams. Not in the log: the reply itself arrives as `turn.replied`. */
  z.strictObject({
    type: z.literal('delta'),
    session: SessionId,
    run: RunId,
    turn: z.int(),
    /** Rises when an attempt came to nothing: what was shown of the one before no longer holds. */
    attempt: z.int(),
    kind: z.enum(['text', 'reasoning', 'call']),
    text: z.string(),
    /** With `call`: the tool whose arguments these are. */
    tool: z.string().optional(),
  }),
  z.strictObject({
    type: z.literal('admitted'),
    key: z.string(),
    input: InputId,
    session: SessionId,
    run: RunId.nullable(),
  }),
  z.strictObject({ type: z.literal('refused'), key: z.string().nullable(), error: CountersignErrorBody }),
])
export type ServerFrame = z.infer<typeof ServerFrame>
