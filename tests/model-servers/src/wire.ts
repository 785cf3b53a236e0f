/** What the server needs of a protocol, and the parts of reading and rendering that protocols share. */

import { type BillPrices, costOf } from './bill.ts'
import type { Protocol, ScriptCall, ScriptReply, ScriptTurn, ScriptUsage } from './script.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** What the address says that some protocols keep in the body. */
export interface Address {
  readonly model?: string
  readonly stream?: boolean
}

export interface Wire {
  readonly protocol: Protocol
  /** Of a stream; server-sent events where nothing is said. */
  readonly contentType?: string
  /** Its stream is bytes, one for each character. */
  readonly binary?: true
  /** Where the protocol streams unless told otherwise. */
  readonly streamsByDefault?: boolean
  /** Ids of calls that the script leaves out, where the protocol wants a form of its own. */
  callId?(id: string, index: number): string
  /** A request that this protocol's servers do not take, in their words. */
  refuses?(body: JsonObject): string | undefined
  /** The status that goes with an error, where the protocol has its own idea of one. */
  statusOf?(status: number): number
  turnOf(body: JsonObject, callIndex: number, address: Address): ScriptTurn
  stream(reply: PreparedReply, body: JsonObject): StreamText
  whole(reply: PreparedReply, body: JsonObject): string
  error(status: number, message: string): string
}

/** A reply with every default filled in. */
export interface PreparedReply {
  readonly id: string
  readonly model: string
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly ScriptCall[]
  readonly finish: string
  readonly usage: ScriptUsage
  /** Dollars, where the protocol tells them; 0 without a price. */
  readonly cost: number
  readonly chunkSize: number
}

/** Event text in the order of sending; only `pieces` are delayed. */
export interface StreamText {
  readonly head: string
  readonly pieces: readonly string[]
  readonly tail: string
}

const UNDELAYED_CHUNK = 256
const DELAYED_CHUNK = 16

export function prepare(
  reply: ScriptReply,
  facts: {
    readonly id: string
    readonly model: string
    readonly bytes: number
    readonly wire?: Wire
    readonly prices?: BillPrices
  },
): PreparedReply {
  const text = reply.text ?? ''
  const reasoning = reply.reasoning ?? ''
  const calls = (reply.calls ?? []).map((call, index) => ({
    id: call.id ?? facts.wire?.callId?.(facts.id, index) ?? `call_${facts.id}_${index}`,
    name: call.name,
    args: typeof call.args === 'string' ? call.args : JSON.stringify(call.args),
  }))
  const length = calls.reduce((sum, call) => sum + call.args.length, text.length + reasoning.length)
  const usage = {
    input: reply.usage?.input ?? Math.ceil(facts.bytes / 4),
    output: reply.usage?.output ?? Math.ceil(length / 4),
    cached: reply.usage?.cached ?? 0,
    ...(reply.usage?.written === undefined ? {} : { written: reply.usage.written }),
    reasoning: reply.usage?.reasoning ?? 0,
  }
  return {
    id: facts.id,
    model: facts.model,
    text,
    reasoning,
    calls,
    finish: reply.finish ?? (calls.length > 0 ? 'calls' : 'stop'),
    usage,
    cost: costOf({ model: facts.model, usage }, facts.prices ?? {}),
    chunkSize: Math.max(1, reply.chunkSize ?? (reply.tokenDelayMs ? DELAYED_CHUNK : UNDELAYED_CHUNK)),
  }
}

/** Splits without tearing a surrogate pair. Empty text gives no piece. */
export function piecesOf(text: string, size: number): string[] {
  if (text.length === 0) return []
  if (text.length <= size) return [text]
  const pieces: string[] = []
  let start = 0
  while (start < text.length) {
    let end = Math.min(start + size, text.length)
    const last = text.charCodeAt(end - 1)
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end += 1
    pieces.push(text.slice(start, end))
    start = end
  }
  return pieces
}

export function asObject(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : {}
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** Text of a content field that is either a string or a list of typed blocks. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return asList(content)
    .map(asObject)
    .filter((block) => block['type'] === 'text')
    .map((block) => asText(block['text']))
    .join('')
}

/** Media types of the images in a list of blocks that hold `image_url`, as data addresses. */
export function imagesOf(content: unknown): string[] {
  return asList(content)
    .map(asObject)
    .filter((block) => block['type'] === 'image_url' || block['type'] === 'input_image')
    .map((block) => {
      const held = block['image_url']
      const address = typeof held === 'string' ? held : asText(asObject(held)['url'])
      return /^data:([^;,]+)[;,]/.exec(address)?.[1] ?? ''
    })
}

export function turnFrom(
  protocol: Protocol,
  callIndex: number,
  read: Pick<ScriptTurn, 'model' | 'system' | 'messages' | 'tools'>,
): ScriptTurn {
  const lastAnswered = read.messages.findLastIndex((message) => message.role !== 'tool') + 1
  return {
    protocol,
    ...read,
    lastUser: read.messages.findLast((message) => message.role === 'user')?.text ?? '',
    lastResults: read.messages.slice(lastAnswered).flatMap((message) => message.results),
    callIndex,
  }
}

export function callNameOf(messages: ScriptTurn['messages'], callId: string): string {
  for (const message of messages.toReversed()) {
    const call = message.calls.find((candidate) => candidate.id === callId)
    if (call) return call.name
  }
  return ''
}
