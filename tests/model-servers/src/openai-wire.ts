/** The OpenAI Chat Completions protocol, as a server speaks it. */

import type { ScriptMessage, ScriptTool, ScriptTurn, ScriptUsage } from './script.ts'
import {
  asList,
  asObject,
  asText,
  callNameOf,
  type JsonObject,
  lastResultsOf,
  lastUserOf,
  type PreparedReply,
  piecesOf,
  type StreamText,
  textOf,
  type Wire,
} from './wire.ts'

const FINISH: Readonly<Record<string, string>> = {
  stop: 'stop',
  calls: 'tool_calls',
  length: 'length',
  filtered: 'content_filter',
}

const CREATED = 1_700_000_000

export const openaiWire: Wire = { protocol: 'openai', turnOf, stream, whole, error }

function turnOf(body: JsonObject, callIndex: number): ScriptTurn {
  const messages: ScriptMessage[] = []
  const system: string[] = []
  for (const raw of asList(body['messages'])) {
    const message = asObject(raw)
    const text = textOf(message['content'])
    switch (message['role']) {
      case 'system':
      case 'developer':
        system.push(text)
        break
      case 'user':
        messages.push({ role: 'user', text, calls: [], results: [] })
        break
      case 'assistant':
        messages.push({
          role: 'assistant',
          text,
          calls: asList(message['tool_calls']).map((value) => {
            const call = asObject(value)
            const named = asObject(call['function'])
            return { id: asText(call['id']), name: asText(named['name']), args: asText(named['arguments']) }
          }),
          results: [],
        })
        break
      case 'tool': {
        const callId = asText(message['tool_call_id'])
        const result = { callId, name: callNameOf(messages, callId), text, isError: false }
        messages.push({ role: 'tool', text, calls: [], results: [result] })
        break
      }
    }
  }
  return {
    protocol: 'openai',
    model: asText(body['model']),
    system: system.join('\n'),
    messages,
    lastUser: lastUserOf(messages),
    lastResults: lastResultsOf(messages),
    tools: asList(body['tools']).map(toolOf),
    callIndex,
  }
}

function stream(reply: PreparedReply, body: JsonObject): StreamText {
  const start = `data: {"id":"chatcmpl-${reply.id}","object":"chat.completion.chunk","created":${CREATED},"model":${JSON.stringify(reply.model)},"choices":[`
  const delta = (text: string) =>
    `${start}{"index":0,"delta":${text},"logprobs":null,"finish_reason":null}]}\n\n`
  const pieces: string[] = []
  for (const piece of piecesOf(reply.reasoning, reply.chunkSize)) {
    pieces.push(delta(`{"reasoning_content":${JSON.stringify(piece)}}`))
  }
  for (const piece of piecesOf(reply.text, reply.chunkSize)) {
    pieces.push(delta(`{"content":${JSON.stringify(piece)}}`))
  }
  reply.calls.forEach((call, index) => {
    const name = JSON.stringify(call.name)
    const id = JSON.stringify(call.id)
    pieces.push(
      delta(
        `{"tool_calls":[{"index":${index},"id":${id},"type":"function","function":{"name":${name},"arguments":""}}]}`,
      ),
    )
    for (const piece of piecesOf(call.args, reply.chunkSize)) {
      pieces.push(
        delta(`{"tool_calls":[{"index":${index},"function":{"arguments":${JSON.stringify(piece)}}}]}`),
      )
    }
  })
  if (reply.finish === 'none') return { head: delta('{"role":"assistant","content":""}'), pieces, tail: '' }
  const finish = `${start}{"index":0,"delta":{},"logprobs":null,"finish_reason":${JSON.stringify(finishOf(reply))}}]}\n\n`
  const wantsUsage = asObject(body['stream_options'])['include_usage'] === true
  const usage = wantsUsage ? `${start}],"usage":${JSON.stringify(usageOf(reply.usage))}}\n\n` : ''
  return {
    head: delta('{"role":"assistant","content":""}'),
    pieces,
    tail: `${finish}${usage}data: [DONE]\n\n`,
  }
}

function whole(reply: PreparedReply): string {
  const message = {
    role: 'assistant',
    content: reply.text === '' && reply.calls.length > 0 ? null : reply.text,
    ...(reply.reasoning === '' ? {} : { reasoning_content: reply.reasoning }),
    ...(reply.calls.length === 0
      ? {}
      : {
          tool_calls: reply.calls.map((call) => ({
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
    choices: [
      {
        index: 0,
        message,
        logprobs: null,
        finish_reason: reply.finish === 'none' ? null : finishOf(reply),
      },
    ],
    usage: usageOf(reply.usage),
  })
}

function error(status: number, message: string): string {
  const type =
    status === 401
      ? 'authentication_error'
      : status === 429
        ? 'rate_limit_error'
        : status >= 500
          ? 'server_error'
          : 'invalid_request_error'
  return JSON.stringify({ error: { message, type, param: null, code: null } })
}

function finishOf(reply: PreparedReply): string {
  return FINISH[reply.finish] ?? reply.finish
}

function usageOf(usage: ScriptUsage) {
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
    completion_tokens_details: { reasoning_tokens: usage.reasoning },
  }
}

function toolOf(value: unknown): ScriptTool {
  const named = asObject(asObject(value)['function'])
  return {
    name: asText(named['name']),
    description: asText(named['description']),
    schema: named['parameters'],
  }
}
