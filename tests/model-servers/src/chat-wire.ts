/** Chat Completions as a server speaks it, in the dialect that it is given. */

import { chatMessagesOf } from './chat-messages.ts'
import type { Protocol, ScriptCall, ScriptUsage } from './script.ts'
import {
  asObject,
  asText,
  type JsonObject,
  type PreparedReply,
  piecesOf,
  type StreamText,
  turnFrom,
  type Wire,
} from './wire.ts'

export interface Dialect {
  readonly protocol: Protocol
  /** One piece of reasoning inside a delta; undefined where the protocol carries none. */
  reasoning?(piece: string): JsonObject
  /** The reasoning of a whole message. */
  wholeReasoning?(reasoning: string): JsonObject
  readonly usage: (usage: ScriptUsage, cost: number) => JsonObject
  /** Where the stream tells the usage: in a chunk of its own when asked for or always, or beside the finish. */
  readonly usageIn: 'own-when-asked' | 'own' | 'finish'
  /** The field around the usage; `usage` where nothing is said. */
  readonly usageField?: (usage: JsonObject) => JsonObject
  /** A call comes in one piece, whatever the chunk size. */
  readonly wholeCalls?: boolean
  readonly lacksTools?: boolean
  /** In every chunk. */
  readonly extra?: JsonObject
  /** Before the first event. */
  readonly preamble?: string
  readonly finish?: Readonly<Record<string, string>>
  callId?(id: string, index: number): string
  refuses?(body: JsonObject): string | undefined
  statusOf?(status: number): number
  readonly error: (status: number, message: string) => JsonObject
}

const FINISH: Readonly<Record<string, string>> = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  filtered: 'content_filter',
}

const CREATED = 1_700_000_000

export function chatWire(dialect: Dialect): Wire {
  const { callId, refuses, statusOf } = dialect
  return {
    protocol: dialect.protocol,
    ...(callId === undefined ? {} : { callId }),
    ...(refuses === undefined ? {} : { refuses }),
    ...(statusOf === undefined ? {} : { statusOf }),
    turnOf: (body, callIndex) =>
      turnFrom(dialect.protocol, callIndex, { model: asText(body['model']), ...chatMessagesOf(body) }),
    stream: (reply, body) => stream(dialect, reply, body),
    whole: (reply) => whole(dialect, reply),
    error: (status, message) => JSON.stringify(dialect.error(status, message)),
  }
}

function stream(dialect: Dialect, reply: PreparedReply, body: JsonObject): StreamText {
  const opening = {
    id: `chatcmpl-${reply.id}`,
    object: 'chat.completion.chunk',
    created: CREATED,
    model: reply.model,
    ...dialect.extra,
  }
  const event = (fields: JsonObject) => `data: ${JSON.stringify({ ...opening, ...fields })}\n\n`
  const delta = (fields: JsonObject, finish: string | null = null, beside: JsonObject = {}) =>
    event({ choices: [{ index: 0, delta: fields, logprobs: null, finish_reason: finish }], ...beside })

  const pieces: string[] = []
  for (const piece of dialect.reasoning ? piecesOf(reply.reasoning, reply.chunkSize) : []) {
    pieces.push(delta(dialect.reasoning?.(piece) ?? {}))
  }
  for (const piece of piecesOf(reply.text, reply.chunkSize)) pieces.push(delta({ content: piece }))
  for (const [index, call] of callsOf(dialect, reply).entries()) {
    const called = (fields: JsonObject) => delta({ tool_calls: [{ index, ...fields }] })
    const { id, name } = call
    const first = dialect.wholeCalls ? call.args : ''
    pieces.push(called({ id, type: 'function', function: { name, arguments: first } }))
    for (const piece of dialect.wholeCalls ? [] : piecesOf(call.args, reply.chunkSize)) {
      pieces.push(called({ function: { arguments: piece } }))
    }
  }
  const head = (dialect.preamble ?? '') + delta({ role: 'assistant', content: '' })
  if (reply.finish === 'none') return { head, pieces, tail: '' }

  const usage = (dialect.usageField ?? inUsage)(dialect.usage(reply.usage, reply.cost))
  const asked = asObject(body['stream_options'])['include_usage'] === true
  const own = dialect.usageIn === 'own' || (dialect.usageIn === 'own-when-asked' && asked)
  const finish = delta({}, finishOf(dialect, reply), dialect.usageIn === 'finish' ? usage : {})
  return { head, pieces, tail: `${finish}${own ? event({ choices: [], ...usage }) : ''}data: [DONE]\n\n` }
}

function whole(dialect: Dialect, reply: PreparedReply): string {
  const calls = callsOf(dialect, reply)
  const message = {
    role: 'assistant',
    content: reply.text === '' && calls.length > 0 ? null : reply.text,
    ...(reply.reasoning === '' ? {} : (dialect.wholeReasoning ?? dialect.reasoning)?.(reply.reasoning)),
    ...(calls.length === 0
      ? {}
      : {
          tool_calls: calls.map((call) => ({
            id: call.id,
            type: 'function',
            function: { name: call.name, arguments: call.args },
          })),
        }),
  }
  return JSON.stringify({
    id: `chatcmpl-${reply.id}`,
    object: 'chat.completion',
    created: CREATED,
    model: reply.model,
    ...dialect.extra,
    choices: [
      {
        index: 0,
        message,
        logprobs: null,
        finish_reason: reply.finish === 'none' ? null : finishOf(dialect, reply),
      },
    ],
    usage: dialect.usage(reply.usage, reply.cost),
  })
}

function callsOf(dialect: Dialect, reply: PreparedReply): readonly ScriptCall[] {
  return dialect.lacksTools ? [] : reply.calls
}

function inUsage(usage: JsonObject): JsonObject {
  return { usage }
}

function finishOf(dialect: Dialect, reply: PreparedReply): string {
  return dialect.finish?.[reply.finish] ?? FINISH[reply.finish] ?? reply.finish
}
