/** Owns what the gateway and the process of a channel say to each other. Both sides read with these shapes and refuse the rest. */
import { z } from 'zod'
import { InboundEvent } from './events.ts'

const Bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array)

export const Button = z.strictObject({ label: z.string().max(60), data: z.string().max(64) })
export type Button = z.infer<typeof Button>

export const OutboundFile = z.strictObject({
  name: z.string().min(1).max(255),
  mediaType: z.string().max(100),
  bytes: Bytes,
})
export type OutboundFile = z.infer<typeof OutboundFile>

/** One message, no longer than the platform takes. */
export const OutboundMessage = z.strictObject({
  /** The same for every try. */
  key: z.string().min(1).max(200),
  chat: z.string(),
  thread: z.string().nullable(),
  text: z.string(),
  /** `markdown` is what models write; `plain` is shown as it stands. */
  format: z.enum(['markdown', 'plain']),
  buttons: z.array(Button).max(8),
  file: OutboundFile.nullable(),
  /** What it tells of, where it is no answer, for whoever tells such things apart: `run.ended`, `approval.waiting`. */
  about: z.string().max(60).optional(),
  /** For one person. Where a platform lets others into such a chat, it is not sent once one can read there. */
  alone: z.boolean().optional(),
})
export type OutboundMessage = z.infer<typeof OutboundMessage>

export const SendResult = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('sent'), message: z.string().max(300) }),
  /** Surely not sent; it may go later. */
  z.strictObject({
    kind: z.literal('later'),
    afterMs: z.int().min(0).nullable(),
    problem: z.string().max(1_000),
  }),
  /** Surely not sent, and never will be. */
  z.strictObject({ kind: z.literal('refused'), problem: z.string().max(1_000) }),
  /** It may have been sent. */
  z.strictObject({ kind: z.literal('unknown'), problem: z.string().max(1_000) }),
])
export type SendResult = z.infer<typeof SendResult>

/** What somebody on the web sent to the address of a channel. Nothing is known of whoever sent it. */
export const WebRequest = z.strictObject({
  method: z.enum(['GET', 'POST']),
  /** As it was sent, after the question mark. */
  query: z.string().max(10_000),
  /** By their names in small letters. */
  headers: z.record(z.string(), z.string()),
  body: Bytes,
})
export type WebRequest = z.infer<typeof WebRequest>

export const WebAnswer = z.strictObject({
  status: z.int().min(200).max(599),
  mediaType: z.string().max(100),
  text: z.string().max(10_000),
})
export type WebAnswer = z.infer<typeof WebAnswer>

export const ToChannel = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('start'),
    settings: z.record(z.string(), z.unknown()),
    secrets: z.record(z.string(), z.string()),
    /** What it kept last; null at the first start. */
    state: z.string().nullable(),
  }),
  /** The event is in the database. */
  z.strictObject({ type: z.literal('taken'), n: z.int() }),
  /** It is not, and may be told again. */
  z.strictObject({ type: z.literal('not-taken'), n: z.int() }),
  z.strictObject({ type: z.literal('send'), n: z.int(), message: OutboundMessage }),
  z.strictObject({
    type: z.literal('edit'),
    n: z.int(),
    /** The platform's id of what was sent. */
    message: z.string(),
    change: OutboundMessage,
  }),
  z.strictObject({ type: z.literal('typing'), chat: z.string(), thread: z.string().nullable() }),
  z.strictObject({ type: z.literal('fetch'), n: z.int(), ref: z.string(), most: z.int() }),
  /** What to tell whoever pressed a button. */
  z.strictObject({ type: z.literal('pressed'), event: z.string(), text: z.string() }),
  z.strictObject({ type: z.literal('request'), n: z.int(), request: WebRequest }),
  z.strictObject({ type: z.literal('stop') }),
])
export type ToChannel = z.infer<typeof ToChannel>

export const FetchResult = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('fetched'), bytes: Bytes }),
  z.strictObject({ kind: z.literal('failed'), problem: z.string().max(1_000) }),
])
export type FetchResult = z.infer<typeof FetchResult>

export const FromChannel = z.discriminatedUnion('type', [
  /** It waits for `start`. */
  z.strictObject({ type: z.literal('up') }),
  z.strictObject({
    type: z.literal('connected'),
    /** Who we are there. */
    account: z.strictObject({ id: z.string().max(300), name: z.string().max(300) }),
  }),
  z.strictObject({ type: z.literal('disconnected'), problem: z.string().max(1_000) }),
  /** The platform does not accept the settings or a secret; trying again is no use. */
  z.strictObject({ type: z.literal('rejected'), problem: z.string().max(1_000) }),
  z.strictObject({ type: z.literal('event'), n: z.int(), event: InboundEvent }),
  /** To be given back at the next start. */
  /** Keys of end-to-end encryption are a few megabytes after years. */
  z.strictObject({ type: z.literal('keep'), n: z.int(), state: z.string().max(8_000_000) }),
  z.strictObject({ type: z.literal('done'), n: z.int(), result: SendResult }),
  z.strictObject({ type: z.literal('fetched'), n: z.int(), result: FetchResult }),
  z.strictObject({ type: z.literal('answered'), n: z.int(), answer: WebAnswer }),
])
export type FromChannel = z.infer<typeof FromChannel>
