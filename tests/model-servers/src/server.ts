/** A model server that answers from a script, on the loopback address only. It checks no keys and keeps no conversation. */

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { anthropicWire } from './anthropic-wire.ts'
import { openaiWire } from './openai-wire.ts'
import type { Protocol, Script, ScriptReply } from './script.ts'
import { asObject, asText, type JsonObject, prepare, type StreamText, type Wire } from './wire.ts'

export interface ModelServerOptions {
  readonly script: Script
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** How many received requests are kept; the oldest go first. */
  readonly keepRequests?: number
}

export interface ModelServer {
  /** Without a path; clients take `${url}/v1` as their base. */
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  close(): Promise<void>
}

export interface ReceivedRequest {
  readonly protocol: Protocol
  readonly body: JsonObject
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: number
  readonly at: number
}

const WIRES: Readonly<Record<string, Wire>> = {
  '/v1/chat/completions': openaiWire,
  '/v1/messages': anthropicWire,
}

const MODELS = JSON.stringify({
  object: 'list',
  data: [
    {
      id: 'scripted',
      object: 'model',
      created: 1_700_000_000,
      owned_by: 'countersign',
      type: 'model',
      display_name: 'Scripted',
      created_at: '2023-11-14T22:13:20Z',
    },
  ],
  has_more: false,
  first_id: 'scripted',
  last_id: 'scripted',
})

export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const requests: ReceivedRequest[] = []
  const keep = options.keepRequests ?? 1000
  const series = randomUUID().slice(0, 8)
  let received = 0

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else sendJson(response, 500, openaiWire.error(500, `The script failed: ${String(error)}`))
    })
  })
  server.keepAliveTimeout = 120_000

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = (request.url ?? '').split('?', 1)[0] ?? ''
    if (request.method === 'GET' && path === '/v1/models') return sendJson(response, 200, MODELS)
    const wire = request.method === 'POST' ? WIRES[path] : undefined
    if (!wire) return sendJson(response, 404, openaiWire.error(404, `Nothing is served at ${path}.`))

    const bytes = await read(request)
    const body = parse(bytes)
    if (!body) return sendJson(response, 400, wire.error(400, 'The body is not a JSON object.'))
    requests.push({
      protocol: wire.protocol,
      body,
      headers: request.headers,
      bytes: bytes.length,
      at: Date.now(),
    })
    if (requests.length > keep) requests.shift()
    const callIndex = received
    received += 1

    const reply = await options.script(wire.turnOf(body, callIndex))
    if (reply.firstDelayMs && !(await waitWhileOpen(response, reply.firstDelayMs))) return
    if (reply.truncateAfterBytes === 0) {
      response.destroy()
      return
    }
    if (reply.status !== undefined && reply.status >= 300) {
      if (reply.retryAfter !== undefined) response.setHeader('retry-after', String(reply.retryAfter))
      if (reply.location !== undefined) response.setHeader('location', reply.location)
      const message = reply.errorMessage ?? `Scripted status ${reply.status}.`
      return sendJson(response, reply.status, wire.error(reply.status, message))
    }
    const prepared = prepare(reply, {
      id: `${series}${callIndex}`,
      model: asText(body['model']),
      bytes: bytes.length,
    })
    if (body['stream'] !== true) return sendJson(response, 200, wire.whole(prepared, body))
    const text =
      reply.malformed === undefined
        ? wire.stream(prepared, body)
        : { head: reply.malformed, pieces: [], tail: '' }
    await sendStream(response, text, reply)
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

async function sendStream(response: ServerResponse, text: StreamText, reply: ScriptReply): Promise<void> {
  response.statusCode = 200
  response.setHeader('content-type', 'text/event-stream; charset=utf-8')
  response.setHeader('cache-control', 'no-cache')
  const delay = reply.tokenDelayMs ?? 0
  const writes =
    delay > 0 ? [text.head, ...text.pieces, text.tail] : [text.head + text.pieces.join('') + text.tail]
  let left = reply.stallAfterBytes ?? reply.truncateAfterBytes ?? Number.POSITIVE_INFINITY

  for (const [index, write] of writes.entries()) {
    const isPiece = delay > 0 && index > 0 && index < writes.length - 1
    if (isPiece && !(await waitWhileOpen(response, delay))) return
    const bytes = Buffer.from(write)
    if (bytes.length > left) return cut(response, bytes.subarray(0, left), reply)
    left -= bytes.length
    if (index === writes.length - 1) response.end(bytes)
    else response.write(bytes)
  }
}

function cut(response: ServerResponse, rest: Buffer, reply: ScriptReply): void {
  if (reply.stallAfterBytes !== undefined) response.write(rest)
  else if (reply.cutCleanly) response.end(rest)
  else response.write(rest, () => response.destroy())
}

function sendJson(response: ServerResponse, status: number, body: string): void {
  response.statusCode = status
  response.setHeader('content-type', 'application/json')
  response.end(body)
}

async function waitWhileOpen(response: ServerResponse, delayMs: number): Promise<boolean> {
  const closed = new AbortController()
  const onClose = () => closed.abort()
  response.once('close', onClose)
  try {
    await sleep(delayMs, undefined, { signal: closed.signal })
    return true
  } catch (error) {
    if (closed.signal.aborted) return false
    throw error
  } finally {
    response.off('close', onClose)
  }
}

async function read(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts)
}

function parse(bytes: Buffer): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? asObject(value) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
