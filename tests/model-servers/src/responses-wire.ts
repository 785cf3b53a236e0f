/** OpenAI's Responses protocol, and xAI's version of it, as a server speaks them. */

import { openaiError } from './chat-dialects.ts'
import type { Protocol, ScriptCall, ScriptMessage, ScriptUsage } from './script.ts'
import {
  asList,
  asObject,
  asText,
  callNameOf,
  imagesOf,
  type JsonObject,
  type PreparedReply,
  piecesOf,
  type StreamText,
  turnFrom,
  type Wire,
} from './wire.ts'

/** Each ends a reply that is not whole, with this as its reason. */
const INCOMPLETE: Readonly<Record<string, string>> = {
  length: 'max_output_tokens',
  filtered: 'content_filter',
}

const CREATED = 1_700_000_000

export const responsesWire: Wire = wireOf('responses', openaiError)
/** A wrong key is a bad request there. */
export const xaiWire: Wire = {
  ...wireOf('xai', (status, message) =>
    status === 401
      ? { code: 'Client specified an invalid argument', error: `Incorrect API key provided. ${message}` }
      : { code: `Scripted status ${status}`, error: message },
  ),
  statusOf: (status) => (status === 401 ? 400 : status),
}

function wireOf(protocol: Protocol, error: (status: number, message: string) => JsonObject): Wire {
  return {
    protocol,
    turnOf: (body, callIndex) =>
      turnFrom(protocol, callIndex, {
        model: asText(body['model']),
        ...conversationOf(body),
        tools: asList(body['tools'])
          .map(asObject)
          .filter((tool) => tool['type'] === 'function')
          .map((tool) => ({
            name: asText(tool['name']),
            description: asText(tool['description']),
            schema: tool['parameters'],
          })),
      }),
    stream,
    whole: (reply) =>
      JSON.stringify(
        responseOf(
          reply,
          itemsOf(reply).map((item) => item.done),
        ),
      ),
    error: (status, message) => JSON.stringify(error(status, message)),
  }
}

function conversationOf(body: JsonObject): { system: string; messages: ScriptMessage[] } {
  const messages: ScriptMessage[] = []
  const system = [asText(body['instructions'])]
  const input = typeof body['input'] === 'string' ? [{ role: 'user', content: body['input'] }] : body['input']
  for (const item of asList(input).map(asObject)) {
    const text = textIn(item['content'])
    if (item['type'] === 'function_call') {
      const call = {
        id: asText(item['call_id']),
        name: asText(item['name']),
        args: asText(item['arguments']),
      }
      const last = messages.at(-1)
      if (last?.role === 'assistant') messages.splice(-1, 1, { ...last, calls: [...last.calls, call] })
      else messages.push({ role: 'assistant', text: '', images: [], calls: [call], results: [] })
    } else if (item['type'] === 'function_call_output') {
      const callId = asText(item['call_id'])
      const output = textIn(item['output'])
      const result = { callId, name: callNameOf(messages, callId), text: output, isError: false }
      messages.push({ role: 'tool', text: output, images: [], calls: [], results: [result] })
    } else if (item['role'] === 'system' || item['role'] === 'developer') {
      system.push(text)
    } else if (item['role'] === 'user' || item['role'] === 'assistant') {
      messages.push({
        role: item['role'],
        text,
        images: imagesOf(item['content']),
        calls: [],
        results: [],
      })
    }
  }
  return { system: system.filter((text) => text !== '').join('\n'), messages }
}

function textIn(content: unknown): string {
  if (typeof content === 'string') return content
  return asList(content)
    .map((part) => asText(asObject(part)['text']))
    .join('')
}

interface Item {
  readonly added: JsonObject
  readonly done: JsonObject
  /** Between the two, as type and fields. */
  readonly events: readonly (readonly [string, JsonObject])[]
}

function stream(reply: PreparedReply): StreamText {
  let sequence = 0
  const event = (type: string, fields: JsonObject) => {
    const text = `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: sequence, ...fields })}\n\n`
    sequence += 1
    return text
  }
  const started = { ...responseOf(reply, []), status: 'in_progress', incomplete_details: null, usage: null }
  const head =
    event('response.created', { response: started }) + event('response.in_progress', { response: started })
  const items = itemsOf(reply)
  const pieces = items.flatMap((item, index) => [
    event('response.output_item.added', { output_index: index, item: item.added }),
    ...item.events.map(([type, fields]) =>
      event(type, { item_id: item.done['id'], output_index: index, ...fields }),
    ),
    event('response.output_item.done', { output_index: index, item: item.done }),
  ])
  if (reply.finish === 'none') return { head, pieces, tail: '' }
  const response = responseOf(
    reply,
    items.map((item) => item.done),
  )
  return { head, pieces, tail: event(`response.${asText(response['status'])}`, { response }) }
}

function itemsOf(reply: PreparedReply): readonly Item[] {
  return [
    ...(reply.reasoning === '' ? [] : [reasoningItem(reply)]),
    ...(reply.text === '' ? [] : [messageItem(reply)]),
    ...reply.calls.map((call, index) => callItem(reply, call, index)),
  ]
}

function reasoningItem(reply: PreparedReply): Item {
  const item = { id: `rs_${reply.id}`, type: 'reasoning', status: 'in_progress', summary: [] }
  const part = { type: 'summary_text', text: reply.reasoning }
  const where = { summary_index: 0 }
  return {
    added: item,
    events: [
      ['response.reasoning_summary_part.added', { ...where, part: { ...part, text: '' } }],
      ...piecesOf(reply.reasoning, reply.chunkSize).map(
        (delta) => ['response.reasoning_summary_text.delta', { ...where, delta }] as const,
      ),
      ['response.reasoning_summary_text.done', { ...where, text: reply.reasoning }],
      ['response.reasoning_summary_part.done', { ...where, part }],
    ],
    done: { ...item, status: 'completed', summary: [part] },
  }
}

function messageItem(reply: PreparedReply): Item {
  const item = {
    id: `msg_${reply.id}`,
    type: 'message',
    status: 'in_progress',
    role: 'assistant',
    content: [],
  }
  const part = { type: 'output_text', text: reply.text, annotations: [], logprobs: [] }
  const where = { content_index: 0 }
  return {
    added: item,
    events: [
      ['response.content_part.added', { ...where, part: { ...part, text: '' } }],
      ...piecesOf(reply.text, reply.chunkSize).map(
        (delta) => ['response.output_text.delta', { ...where, delta, logprobs: [] }] as const,
      ),
      ['response.output_text.done', { ...where, text: reply.text, logprobs: [] }],
      ['response.content_part.done', { ...where, part }],
    ],
    done: { ...item, status: 'completed', content: [part] },
  }
}

function callItem(reply: PreparedReply, call: ScriptCall, index: number): Item {
  const item = {
    id: `fc_${reply.id}_${index}`,
    type: 'function_call',
    status: 'in_progress',
    call_id: call.id,
    name: call.name,
    arguments: '',
  }
  return {
    added: item,
    events: [
      ...piecesOf(call.args, reply.chunkSize).map(
        (delta) => ['response.function_call_arguments.delta', { delta }] as const,
      ),
      ['response.function_call_arguments.done', { arguments: call.args }],
    ],
    done: { ...item, status: 'completed', arguments: call.args },
  }
}

function responseOf(reply: PreparedReply, output: readonly JsonObject[]): JsonObject {
  const whole = reply.finish === 'stop' || reply.finish === 'calls'
  return {
    id: `resp_${reply.id}`,
    object: 'response',
    created_at: CREATED,
    status: whole ? 'completed' : 'incomplete',
    error: null,
    incomplete_details: whole ? null : { reason: INCOMPLETE[reply.finish] ?? reply.finish },
    model: reply.model,
    output,
    parallel_tool_calls: true,
    store: false,
    usage: usageOf(reply.usage),
  }
}

function usageOf(usage: ScriptUsage): JsonObject {
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  }
}
