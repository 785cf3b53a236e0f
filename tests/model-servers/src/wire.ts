/** What the server needs of a protocol, and the parts of rendering that both protocols share. */

import type { Protocol, ScriptCall, ScriptReply, ScriptTurn, ScriptUsage } from './script.ts'

export type JsonObject = Readonly<Record<string, unknown>>

export interface Wire {
  readonly protocol: Protocol
  turnOf(body: JsonObject, callIndex: number): ScriptTurn
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
  facts: { readonly id: string; readonly model: string; readonly bytes: number },
): PreparedReply {
  const text = reply.text ?? ''
  const reasoning = reply.reasoning ?? ''
  const calls = (reply.calls ?? []).map((call, index) => ({
    id: call.id ?? `call_${facts.id}_${index}`,
    name: call.name,
    args: typeof call.args === 'string' ? call.args : JSON.stringify(call.args),
  }))
  const length = calls.reduce((sum, call) => sum + call.args.length, text.length + reasoning.length)
  return {
    id: facts.id,
    model: facts.model,
    text,
    reasoning,
    calls,
    finish: reply.finish ?? (calls.length > 0 ? 'calls' : 'stop'),
    usage: {
      input: reply.usage?.input ?? Math.ceil(facts.bytes / 4),
      output: reply.usage?.output ?? Math.ceil(length / 4),
      cached: reply.usage?.cached ?? 0,
      reasoning: reply.usage?.reasoning ?? 0,
    },
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

export function lastUserOf(messages: ScriptTurn['messages']): string {
  return messages.findLast((message) => message.role === 'user')?.text ?? ''
}

export function lastResultsOf(messages: ScriptTurn['messages']): ScriptTurn['lastResults'] {
  const start = messages.findLastIndex((message) => message.role !== 'tool') + 1
  return messages.slice(start).flatMap((message) => message.results)
}

export function callNameOf(messages: ScriptTurn['messages'], callId: string): string {
  for (const message of messages.toReversed()) {
    const call = message.calls.find((candidate) => candidate.id === callId)
    if (call) return call.name
  }
  return ''
}
