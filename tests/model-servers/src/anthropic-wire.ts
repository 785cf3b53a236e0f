/** The Anthropic Messages protocol, as a server speaks it. */

import type { ScriptMessage, ScriptResult, ScriptTool, ScriptTurn, ScriptUsage } from './script.ts'
import {
  asList,
  asObject,
  asText,
  callNameOf,
  type JsonObject,
  type PreparedReply,
  piecesOf,
  type StreamText,
  textOf,
  turnFrom,
  type Wire,
} from './wire.ts'

const FINISH: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  filtered: 'refusal',
}

const ERROR_TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  529: 'overloaded_error',
}

const SIGNATURE = 'c2NyaXB0ZWQ='

export const anthropicWire: Wire = { protocol: 'anthropic', turnOf, stream, whole, error }

function turnOf(body: JsonObject, callIndex: number): ScriptTurn {
  const messages: ScriptMessage[] = []
  for (const raw of asList(body['messages'])) {
    const message = asObject(raw)
    const blocks = asList(message['content']).map(asObject)
    const text = textOf(message['content'])
    if (message['role'] === 'assistant') {
      const calls = blocks
        .filter((block) => block['type'] === 'tool_use')
        .map((block) => ({
          id: asText(block['id']),
          name: asText(block['name']),
          args: JSON.stringify(block['input'] ?? {}),
        }))
      messages.push({ role: 'assistant', text, images: [], calls, results: [] })
      continue
    }
    const results = blocks
      .filter((block) => block['type'] === 'tool_result')
      .map((block) => resultOf(block, messages))
    if (results.length > 0) {
      const resultText = results.map((result) => result.text).join('\n')
      messages.push({ role: 'tool', text: resultText, images: [], calls: [], results })
    }
    const images = blocks
      .filter((block) => block['type'] === 'image')
      .map((block) => asText(asObject(block['source'])['media_type']))
    if (text !== '' || images.length > 0 || results.length === 0) {
      messages.push({ role: 'user', text, images, calls: [], results: [] })
    }
  }
  return turnFrom('anthropic', callIndex, {
    model: asText(body['model']),
    system: textOf(body['system']),
    messages,
    tools: asList(body['tools']).map(toolOf),
  })
}

function stream(reply: PreparedReply): StreamText {
  const pieces: string[] = []
  let index = 0
  const block = (opening: string, deltas: readonly string[]) => {
    pieces.push(
      event('content_block_start', `"index":${index},"content_block":${opening}`),
      ...deltas.map((delta) => event('content_block_delta', `"index":${index},"delta":${delta}`)),
      event('content_block_stop', `"index":${index}`),
    )
    index += 1
  }
  if (reply.reasoning !== '') {
    block('{"type":"thinking","thinking":"","signature":""}', [
      ...piecesOf(reply.reasoning, reply.chunkSize).map(
        (piece) => `{"type":"thinking_delta","thinking":${JSON.stringify(piece)}}`,
      ),
      `{"type":"signature_delta","signature":"${SIGNATURE}"}`,
    ])
  }
  if (reply.text !== '') {
    block(
      '{"type":"text","text":""}',
      piecesOf(reply.text, reply.chunkSize).map(
        (piece) => `{"type":"text_delta","text":${JSON.stringify(piece)}}`,
      ),
    )
  }
  for (const call of reply.calls) {
    block(
      `{"type":"tool_use","id":${JSON.stringify(call.id)},"name":${JSON.stringify(call.name)},"input":{}}`,
      ['', ...piecesOf(call.args, reply.chunkSize)].map(
        (piece) => `{"type":"input_json_delta","partial_json":${JSON.stringify(piece)}}`,
      ),
    )
  }
  const usage = usageOf(reply.usage)
  const opening = `{"id":"msg_${reply.id}","type":"message","role":"assistant","model":${JSON.stringify(reply.model)},"content":[],"stop_reason":null,"stop_sequence":null,"usage":${JSON.stringify({ ...usage, output_tokens: 1 })}}`
  const head = event('message_start', `"message":${opening}`) + event('ping')
  if (reply.finish === 'none') return { head, pieces, tail: '' }
  const ending = `"delta":{"stop_reason":${JSON.stringify(finishOf(reply))},"stop_sequence":null},"usage":${JSON.stringify(usage)}`
  return { head, pieces, tail: event('message_delta', ending) + event('message_stop') }
}

function whole(reply: PreparedReply): string {
  const content: string[] = []
  if (reply.reasoning !== '') {
    content.push(JSON.stringify({ type: 'thinking', thinking: reply.reasoning, signature: SIGNATURE }))
  }
  if (reply.text !== '') content.push(JSON.stringify({ type: 'text', text: reply.text }))
  for (const call of reply.calls) {
    // Spliced in unparsed, so that a script's raw arguments stay byte for byte what it wrote.
    content.push(
      `{"type":"tool_use","id":${JSON.stringify(call.id)},"name":${JSON.stringify(call.name)},"input":${call.args}}`,
    )
  }
  const finish = reply.finish === 'none' ? null : finishOf(reply)
  return `{"id":"msg_${reply.id}","type":"message","role":"assistant","model":${JSON.stringify(reply.model)},"content":[${content.join(',')}],"stop_reason":${JSON.stringify(finish)},"stop_sequence":null,"usage":${JSON.stringify(usageOf(reply.usage))}}`
}

function error(status: number, message: string): string {
  return JSON.stringify({
    type: 'error',
    error: { type: ERROR_TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error'), message },
  })
}

function event(type: string, fields?: string): string {
  return `event: ${type}\ndata: {"type":"${type}"${fields === undefined ? '' : `,${fields}`}}\n\n`
}

function finishOf(reply: PreparedReply): string {
  return FINISH[reply.finish] ?? reply.finish
}

function usageOf(usage: ScriptUsage) {
  return {
    input_tokens: Math.max(0, usage.input - usage.cached - (usage.written ?? 0)),
    cache_creation_input_tokens: usage.written ?? 0,
    cache_read_input_tokens: usage.cached,
    output_tokens: usage.output,
    output_tokens_details: { thinking_tokens: usage.reasoning },
  }
}

function resultOf(block: JsonObject, messages: readonly ScriptMessage[]): ScriptResult {
  const callId = asText(block['tool_use_id'])
  return {
    callId,
    name: callNameOf(messages, callId),
    text: textOf(block['content']),
    isError: block['is_error'] === true,
  }
}

function toolOf(value: unknown): ScriptTool {
  const tool = asObject(value)
  return {
    name: asText(tool['name']),
    description: asText(tool['description']),
    schema: tool['input_schema'],
  }
}
