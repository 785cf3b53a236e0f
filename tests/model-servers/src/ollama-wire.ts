/** Ollama's own chat protocol, as a server speaks it: one JSON object on each line. */

import type { ScriptMessage, ScriptTurn } from './script.ts'
import {
  asList,
  asObject,
  asText,
  type JsonObject,
  type PreparedReply,
  piecesOf,
  type StreamText,
  turnFrom,
  type Wire,
} from './wire.ts'

const CREATED = '2023-11-14T22:13:20Z'

export const ollamaWire: Wire = {
  protocol: 'ollama',
  contentType: 'application/x-ndjson',
  streamsByDefault: true,
  turnOf,
  stream,
  whole,
  error: (_status, message) => JSON.stringify({ error: message }),
}

function turnOf(body: JsonObject, callIndex: number): ScriptTurn {
  const messages: ScriptMessage[] = []
  const system: string[] = []
  let answered = 0
  for (const message of asList(body['messages']).map(asObject)) {
    const text = asText(message['content'])
    switch (message['role']) {
      case 'system':
        system.push(text)
        break
      case 'user': {
        const images = asList(message['images']).map(() => '')
        messages.push({ role: 'user', text, images, calls: [], results: [] })
        break
      }
      case 'assistant': {
        const calls = asList(message['tool_calls']).map((value, index) => {
          const call = asObject(value)
          const named = asObject(call['function'])
          const id = asText(call['id']) || `${messages.length}:${index}`
          return { id, name: asText(named['name']), args: JSON.stringify(named['arguments'] ?? {}) }
        })
        answered = 0
        messages.push({ role: 'assistant', text, images: [], calls, results: [] })
        break
      }
      case 'tool': {
        // A result names no call: results answer the calls in their order.
        const call = messages.findLast((earlier) => earlier.role === 'assistant')?.calls[answered]
        answered += 1
        const name = asText(message['tool_name']) || call?.name || ''
        const result = {
          callId: asText(message['tool_call_id']) || call?.id || '',
          name,
          text,
          isError: false,
        }
        messages.push({ role: 'tool', text, images: [], calls: [], results: [result] })
        break
      }
    }
  }
  return turnFrom('ollama', callIndex, {
    model: asText(body['model']),
    system: system.join('\n'),
    messages,
    tools: asList(body['tools'])
      .map((tool) => asObject(asObject(tool)['function']))
      .map((tool) => ({
        name: asText(tool['name']),
        description: asText(tool['description']),
        schema: tool['parameters'],
      })),
  })
}

function stream(reply: PreparedReply): StreamText {
  const pieces = [
    ...piecesOf(reply.reasoning, reply.chunkSize).map((piece) => `,"thinking":${JSON.stringify(piece)}`),
    ...piecesOf(reply.text, reply.chunkSize).map((piece) => ({ content: piece })),
    ...reply.calls.map((_, index) => `,"tool_calls":[${callOf(reply, index)}]`),
  ].map((piece) => (typeof piece === 'string' ? line(reply, '', piece) : line(reply, piece.content, '')))
  return { head: '', pieces, tail: reply.finish === 'none' ? '' : line(reply, '', '', endingOf(reply)) }
}

function whole(reply: PreparedReply): string {
  const thinking = reply.reasoning === '' ? '' : `,"thinking":${JSON.stringify(reply.reasoning)}`
  const calls = reply.calls.map((_, index) => callOf(reply, index)).join(',')
  return line(reply, reply.text, thinking + (calls === '' ? '' : `,"tool_calls":[${calls}]`), endingOf(reply))
}

/** Arguments are an object there. They are spliced in unparsed, so that a script decides their every byte. */
function callOf(reply: PreparedReply, index: number): string {
  const call = reply.calls[index]
  return `{"id":${JSON.stringify(call?.id)},"function":{"index":${index},"name":${JSON.stringify(call?.name)},"arguments":${call?.args}}}`
}

function line(reply: PreparedReply, content: string, more: string, ending = '"done":false'): string {
  return `{"model":${JSON.stringify(reply.model)},"created_at":"${CREATED}","message":{"role":"assistant","content":${JSON.stringify(content)}${more}},${ending}}\n`
}

function endingOf(reply: PreparedReply): string {
  const reason = reply.finish === 'calls' ? 'stop' : reply.finish
  return `"done":true,"done_reason":${JSON.stringify(reason)},"total_duration":1,"load_duration":1,"prompt_eval_count":${reply.usage.input},"prompt_eval_duration":1,"eval_count":${reply.usage.output},"eval_duration":1`
}
