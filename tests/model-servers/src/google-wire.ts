/** Google's generateContent protocol, as a server speaks it. */

import type { ScriptMessage, ScriptTurn, ScriptUsage } from './script.ts'
import {
  type Address,
  asList,
  asObject,
  asText,
  callNameOf,
  type JsonObject,
  type PreparedReply,
  piecesOf,
  type StreamText,
  turnFrom,
  type Wire,
} from './wire.ts'

const FINISH: Readonly<Record<string, string>> = {
  stop: 'STOP',
  calls: 'STOP',
  length: 'MAX_TOKENS',
  filtered: 'SAFETY',
}

const STATUS: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'INVALID_ARGUMENT',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  503: 'UNAVAILABLE',
}

export const googleWire: Wire = {
  protocol: 'google',
  // A wrong key is a bad request there.
  statusOf: (status) => (status === 401 ? 400 : status),
  turnOf,
  stream,
  whole: (reply) => `{${candidateOf(partsOf(reply).join(','), reply, true)}}`,
  error,
}

function turnOf(body: JsonObject, callIndex: number, address: Address): ScriptTurn {
  const messages: ScriptMessage[] = []
  for (const content of asList(body['contents']).map(asObject)) {
    const parts = asList(content['parts']).map(asObject)
    const text = textIn(parts)
    if (content['role'] === 'model') {
      const calls = parts
        .filter((part) => part['functionCall'] !== undefined)
        .map((part, index) => {
          const call = asObject(part['functionCall'])
          const id = asText(call['id']) || `${messages.length}:${index}`
          return { id, name: asText(call['name']), args: JSON.stringify(call['args'] ?? {}) }
        })
      messages.push({ role: 'assistant', text, images: [], calls, results: [] })
      continue
    }
    const results = parts
      .filter((part) => part['functionResponse'] !== undefined)
      .map((part, index) => {
        const answered = asObject(part['functionResponse'])
        const response = asObject(answered['response'])
        // Some servers of this protocol know no ids: results come in the order of the calls.
        const callId = asText(answered['id']) || (messages.at(-1)?.calls[index]?.id ?? '')
        const said = response['content'] ?? response['output'] ?? response['error'] ?? response['result']
        return {
          callId,
          name: asText(answered['name']) || callNameOf(messages, callId),
          text: typeof said === 'string' ? said : JSON.stringify(said ?? response),
          isError: false,
        }
      })
    if (results.length > 0) {
      const said = results.map((result) => result.text).join('\n')
      messages.push({ role: 'tool', text: said, images: [], calls: [], results })
    }
    const images = parts
      .filter((part) => part['inlineData'] !== undefined)
      .map((part) => asText(asObject(part['inlineData'])['mimeType']))
    if (text !== '' || images.length > 0 || results.length === 0) {
      messages.push({ role: 'user', text, images, calls: [], results: [] })
    }
  }
  return turnFrom('google', callIndex, {
    model: address.model ?? '',
    system: textIn(asList(asObject(body['systemInstruction'])['parts']).map(asObject)),
    messages,
    tools: asList(body['tools'])
      .flatMap((tool) => asList(asObject(tool)['functionDeclarations']))
      .map(asObject)
      .map((tool) => ({
        name: asText(tool['name']),
        description: asText(tool['description']),
        schema: tool['parameters'] ?? tool['parametersJsonSchema'],
      })),
  })
}

function stream(reply: PreparedReply): StreamText {
  const event = (part: string, last = false) => `data: {${candidateOf(part, reply, last)}}\r\n\r\n`
  const pieces = [
    ...piecesOf(reply.reasoning, reply.chunkSize).map((piece) => thought(piece)),
    ...piecesOf(reply.text, reply.chunkSize).map((piece) => said(piece)),
    ...callParts(reply),
  ].map((part) => event(part))
  return { head: '', pieces, tail: reply.finish === 'none' ? '' : event(said(''), true) }
}

function partsOf(reply: PreparedReply): string[] {
  return [
    ...(reply.reasoning === '' ? [] : [thought(reply.reasoning)]),
    ...(reply.text === '' ? [] : [said(reply.text)]),
    ...callParts(reply),
  ]
}

function callParts(reply: PreparedReply): string[] {
  // Spliced in unparsed, so that a script's raw arguments stay byte for byte what it wrote.
  return reply.calls.map(
    (call) =>
      `{"functionCall":{"id":${JSON.stringify(call.id)},"name":${JSON.stringify(call.name)},"args":${call.args}}}`,
  )
}

function thought(text: string): string {
  return JSON.stringify({ text, thought: true })
}

function said(text: string): string {
  return JSON.stringify({ text })
}

function candidateOf(parts: string, reply: PreparedReply, last: boolean): string {
  const finish =
    last && reply.finish !== 'none' ? `"finishReason":"${FINISH[reply.finish] ?? reply.finish}",` : ''
  const usage = last ? usageOf(reply.usage) : { promptTokenCount: reply.usage.input }
  return `"candidates":[{"content":{"parts":[${parts}],"role":"model"},${finish}"index":0}],"usageMetadata":${JSON.stringify(usage)},"modelVersion":${JSON.stringify(reply.model)},"responseId":"${reply.id}"`
}

/** What was thought is counted apart from what was said. */
function usageOf(usage: ScriptUsage): JsonObject {
  return {
    promptTokenCount: usage.input,
    candidatesTokenCount: usage.output - usage.reasoning,
    thoughtsTokenCount: usage.reasoning,
    cachedContentTokenCount: usage.cached,
    totalTokenCount: usage.input + usage.output,
  }
}

function error(status: number, message: string): string {
  const wrongKey = status === 401
  return JSON.stringify({
    error: {
      code: wrongKey ? 400 : status,
      message: wrongKey ? `API key not valid. Please pass a valid API key. ${message}` : message,
      status: STATUS[status] ?? 'UNKNOWN',
      ...(wrongKey
        ? { details: [{ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason: 'API_KEY_INVALID' }] }
        : {}),
    },
  })
}

function textIn(parts: readonly JsonObject[]): string {
  return parts.map((part) => (part['thought'] === true ? '' : asText(part['text']))).join('')
}
