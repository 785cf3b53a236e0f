/** The Converse protocol of Amazon Bedrock, as a server speaks it: events in binary frames, each with its checksums. */
import { crc32 } from 'node:zlib'
import type { ScriptMessage, ScriptTurn } from './script.ts'
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

const STOP: Readonly<Record<string, string>> = {
  stop: 'end_turn',
  calls: 'tool_use',
  length: 'max_tokens',
  filtered: 'content_filtered',
}

export const bedrockWire: Wire = {
  protocol: 'bedrock',
  contentType: 'application/vnd.amazon.eventstream',
  binary: true,
  callId: (id, index) => `tooluse_${id}_${index}`,
  turnOf,
  stream,
  whole: (reply) =>
    JSON.stringify({
      output: { message: { role: 'assistant', content: [{ text: reply.text }] } },
      stopReason: STOP[reply.finish] ?? reply.finish,
      usage: usageOf(reply),
    }),
  error: (_status, message) => JSON.stringify({ message }),
}

function turnOf(body: JsonObject, callIndex: number, address: Address): ScriptTurn {
  const messages: ScriptMessage[] = []
  for (const message of asList(body['messages']).map(asObject)) {
    const blocks = asList(message['content']).map(asObject)
    const text = blocks.map((block) => asText(block['text'])).join('')
    if (message['role'] === 'assistant') {
      const calls = blocks
        .filter((block) => block['toolUse'] !== undefined)
        .map((block) => asObject(block['toolUse']))
        .map((use) => ({
          id: asText(use['toolUseId']),
          name: asText(use['name']),
          args: JSON.stringify(use['input'] ?? {}),
        }))
      messages.push({ role: 'assistant', text, images: [], calls, results: [] })
      continue
    }
    const results = blocks
      .filter((block) => block['toolResult'] !== undefined)
      .map((block) => asObject(block['toolResult']))
      .map((result) => ({
        callId: asText(result['toolUseId']),
        name: callNameOf(messages, asText(result['toolUseId'])),
        text: asList(result['content'])
          .map((part) => asText(asObject(part)['text']))
          .join(''),
        isError: result['status'] === 'error',
      }))
    if (results.length > 0)
      messages.push({
        role: 'tool',
        text: results.map((result) => result.text).join('\n'),
        images: [],
        calls: [],
        results,
      })
    const images = blocks
      .filter((block) => block['image'] !== undefined)
      .map((block) => `image/${asText(asObject(block['image'])['format'])}`)
    if (text !== '' || images.length > 0 || results.length === 0)
      messages.push({ role: 'user', text, images, calls: [], results: [] })
  }
  return turnFrom('bedrock', callIndex, {
    model: address.model ?? '',
    system: asList(body['system'])
      .map((part) => asText(asObject(part)['text']))
      .join('\n'),
    messages,
    tools: asList(asObject(body['toolConfig'])['tools'])
      .map((tool) => asObject(asObject(tool)['toolSpec']))
      .map((tool) => ({
        name: asText(tool['name']),
        description: asText(tool['description']),
        schema: asObject(tool['inputSchema'])['json'],
      })),
  })
}

function stream(reply: PreparedReply): StreamText {
  let index = 0
  const pieces: string[] = []
  const block = (deltas: readonly string[]) => {
    if (deltas.length === 0) return
    for (const delta of deltas)
      pieces.push(frame('contentBlockDelta', `{"contentBlockIndex":${index},"delta":${delta}}`))
    pieces.push(frame('contentBlockStop', `{"contentBlockIndex":${index}}`))
    index += 1
  }
  block(
    piecesOf(reply.reasoning, reply.chunkSize).map((text) => JSON.stringify({ reasoningContent: { text } })),
  )
  block(piecesOf(reply.text, reply.chunkSize).map((text) => JSON.stringify({ text })))
  for (const call of reply.calls) {
    const start = { toolUse: { toolUseId: call.id, name: call.name } }
    pieces.push(frame('contentBlockStart', JSON.stringify({ contentBlockIndex: index, start })))
    block(piecesOf(call.args, reply.chunkSize).map((input) => JSON.stringify({ toolUse: { input } })))
  }
  const stopReason = STOP[reply.finish] ?? reply.finish
  return {
    head: frame('messageStart', '{"role":"assistant"}'),
    pieces,
    tail:
      reply.finish === 'none'
        ? ''
        : frame('messageStop', JSON.stringify({ stopReason })) +
          frame('metadata', JSON.stringify({ usage: usageOf(reply), metrics: { latencyMs: 1 } })),
  }
}

/** What was read from a cache or put into one is counted apart. */
function usageOf({ usage }: PreparedReply): JsonObject {
  const written = usage.written ?? 0
  return {
    inputTokens: usage.input - usage.cached - written,
    outputTokens: usage.output,
    totalTokens: usage.input + usage.output,
    cacheReadInputTokens: usage.cached,
    cacheWriteInputTokens: written,
  }
}

/** Lengths, checksum of them, headers, payload, checksum of all; one character for each byte. */
export function frame(type: string, payload: string, messageType: 'event' | 'exception' = 'event'): string {
  const headers = Buffer.concat([
    header(messageType === 'event' ? ':event-type' : ':exception-type', type),
    header(':content-type', 'application/json'),
    header(':message-type', messageType),
  ])
  const body = Buffer.from(payload)
  const prelude = Buffer.alloc(8)
  prelude.writeUInt32BE(16 + headers.length + body.length, 0)
  prelude.writeUInt32BE(headers.length, 4)
  const summed = Buffer.concat([prelude, checksum(prelude), headers, body])
  return Buffer.concat([summed, checksum(summed)]).toString('latin1')
}

function header(name: string, value: string): Buffer {
  const text = Buffer.from(value)
  const length = Buffer.alloc(3)
  // 7 is text.
  length.writeUInt8(7, 0)
  length.writeUInt16BE(text.length, 1)
  return Buffer.concat([Buffer.from([Buffer.byteLength(name)]), Buffer.from(name), length, text])
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(bytes), 0)
  return sum
}
