/** Owns the frames of the WebSocket. The first client frame proves a device key; nothing is served before it. */
import { z } from 'zod'
import { Addressee, ConversationChoice, ModelChoice, TurnBound } from './addressee.ts'
import { CountersignErrorBody } from './api.ts'
import type { LedgerEntryView } from './api-ledger.ts'
import { emptyMessage, hasContent, MessageContent } from './attachments.ts'
import { GatewayEvent, InputMode } from './events.ts'
import { DeviceId, InputId, RunId, SessionId } from './ids.ts'
import { Language } from './language.ts'
import { longestLedgerQuery } from './ledger-query-length.ts'

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

/** From now on every entry of the ledger that matches is sent, in the place of those that were asked for before. */
export const FollowLedgerFrame = z.strictObject({
  type: z.literal('follow_ledger'),
  /** The client's own; what is sent for it bears it. */
  id: z.string().min(1).max(100),
  /** The last number that the client has seen. */
  after: z.int().min(0),
  q: z.string().max(longestLedgerQuery),
  language: Language,
})
export type FollowLedgerFrame = z.infer<typeof FollowLedgerFrame>

/** No entries of the ledger from now on. */
export const UnfollowLedgerFrame = z.strictObject({ type: z.literal('unfollow_ledger') })

/** Entries that were written, the oldest first, and up to which number all that match have been sent. */
export const LedgerFrame = z.strictObject({
  type: z.literal('ledger'),
  id: z.string(),
  /** Read by whoever follows the ledger, so that nobody else has to know their form. */
  entries: z.array(z.custom<LedgerEntryView>()),
  after: z.int(),
  size: z.int(),
})
export type LedgerFrame = z.infer<typeof LedgerFrame>

export const ClientFrame = z.discriminatedUnion('type', [
  HelloFrame,
  MessageFrame,
  FollowLedgerFrame,
  UnfollowLedgerFrame,
])
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
  LedgerFrame,
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
