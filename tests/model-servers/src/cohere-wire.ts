/** Cohere's second chat protocol, as a server speaks it. */

import { chatMessagesOf } from './chat-messages.ts'
import type { ScriptUsage } from './script.ts'
import {
  asText,
  type JsonObject,
  type PreparedReply,
  piecesOf,
  type StreamText,
  turnFrom,
  type Wire,
} from './wire.ts'

const FINISH: Readonly<Record<string, string>> = {
  stop: 'COMPLETE',
  calls: 'TOOL_CALL',
  length: 'MAX_TOKENS',
  filtered: 'ERROR_TOXIC',
}

export const cohereWire: Wire = {
  protocol: 'cohere',
  turnOf: (body, callIndex) =>
    turnFrom('cohere', callIndex, { model: asText(body['model']), ...chatMessagesOf(body) }),
  stream,
  whole,
  error: (_status, message) => JSON.stringify({ id: 'scripted', message }),
}

function stream(reply: PreparedReply): StreamText {
  const pieces: string[] = []
  let index = 0
  const content = (type: 'text' | 'thinking', text: string) => {
    if (text === '') return
    const message = (fields: JsonObject) => ({ index, delta: { message: { content: fields } } })
    pieces.push(
      event('content-start', message({ type, [type]: '' })),
      ...piecesOf(text, reply.chunkSize).map((piece) => event('content-delta', message({ [type]: piece }))),
      event('content-end', { index }),
    )
    index += 1
  }
  content('thinking', reply.reasoning)
  content('text', reply.text)
  reply.calls.forEach((call, number) => {
    const message = (fields: JsonObject) => ({ index: number, delta: { message: { tool_calls: fields } } })
    pieces.push(
      event(
        'tool-call-start',
        message({ id: call.id, type: 'function', function: { name: call.name, arguments: '' } }),
      ),
      ...piecesOf(call.args, reply.chunkSize).map((piece) =>
        event('tool-call-delta', message({ function: { arguments: piece } })),
      ),
      event('tool-call-end', { index: number }),
    )
  })
  const opened = { role: 'assistant', content: [], tool_plan: '', tool_calls: [], citations: [] }
  const head = event('message-start', { id: reply.id, delta: { message: opened } })
  if (reply.finish === 'none') return { head, pieces, tail: '' }
  const delta = { finish_reason: finishOf(reply), usage: usageOf(reply.usage) }
  return { head, pieces, tail: event('message-end', { id: reply.id, delta }) }
}

function whole(reply: PreparedReply): string {
  return JSON.stringify({
    id: reply.id,
    finish_reason: finishOf(reply),
    message: {
      role: 'assistant',
      content: [
        ...(reply.reasoning === '' ? [] : [{ type: 'thinking', thinking: reply.reasoning }]),
        ...(reply.text === '' ? [] : [{ type: 'text', text: reply.text }]),
      ],
      tool_calls: reply.calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.args },
      })),
    },
    usage: usageOf(reply.usage),
  })
}

function event(type: string, fields: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`
}

function finishOf(reply: PreparedReply): string {
  return FINISH[reply.finish] ?? reply.finish
}

function usageOf(usage: ScriptUsage): JsonObject {
  const tokens = { input_tokens: usage.input, output_tokens: usage.output }
  return { billed_units: tokens, tokens, cached_tokens: usage.cached }
}
