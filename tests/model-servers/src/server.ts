/** A model server that answers from a script, on the loopback address only. It checks no keys and keeps no conversation. */

import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BilledCall, type BillPrices, chargedUsage } from './bill.ts'
import { openaiWire } from './chat-dialects.ts'
import { costReportAt } from './cost-reports.ts'
import { listingAt } from './listing.ts'
import { basePaths, placeOf } from './places.ts'
import { createPromptCache } from './prompt-cache.ts'
import type { Protocol, Script, ScriptReply, ScriptTurn } from './script.ts'
import { asObject, asText, type JsonObject, type PreparedReply, prepare, type StreamText } from './wire.ts'

export interface ModelServerOptions {
  readonly script: Script
  /** What it reads in a person's words; left out, that they ask for nothing. */
  readonly wishes?: Script
  /** 0, the default, takes any free port. */
  readonly port?: number
  /** How many received requests and billed calls are kept; the oldest go first. */
  readonly keepRequests?: number
  /** The models that are listed; `scripted` where nothing is said. Requests may name others. */
  readonly models?: readonly string[]
  /** What the server of Ollama's protocol says of every model; left out, it says nothing. */
  readonly contextLength?: number
  /** Keeps what requests of Anthropic's protocol ask to be kept, and tells it as their usage. */
  readonly caches?: true
  /** What the cost reports reckon with. */
  readonly prices?: BillPrices
}

export interface ModelServer {
  /** Without a path; see `baseUrl` for what a client of each protocol takes. */
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  readonly bill: readonly BilledCall[]
  baseUrl(protocol: Protocol): string
  close(): Promise<void>
}

export interface ReceivedRequest {
  readonly protocol: Protocol
  readonly body: JsonObject
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly bytes: number
  readonly at: number
  /** When the client went away before the reply was whole; null while it did not. */
  readonly leftAt: number | null
}

const noWishes: Script = () => ({ calls: [{ name: 'asked_for', args: { items: [] } }] })

/** The request in which somebody's words are read for what they ask for. */
function isAboutWishes({ tools: [tool, ...others] }: ScriptTurn): boolean {
  return tool?.name === 'asked_for' && others.length === 0
}

export async function startModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const requests: ReceivedRequest[] = []
  const bill: BilledCall[] = []
  const keep = options.keepRequests ?? 1000
  const prices = options.prices ?? {}
  const series = randomUUID().slice(0, 8)
  const cache = createPromptCache()
  let received = 0

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else sendJson(response, 500, openaiWire.error(500, `The script failed: ${String(error)}`))
    })
  })
  server.keepAliveTimeout = 120_000

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    if (request.method === 'GET') {
      const told =
        listingAt(url.pathname, options.models ?? ['scripted']) ?? costReportAt(url, bill, prices, Date.now())
      if (told !== undefined) return sendJson(response, 200, told)
    }
    if (url.pathname === `${basePaths.ollama}/show` && options.contextLength !== undefined) {
      const info = { 'general.architecture': 'scripted', 'scripted.context_length': options.contextLength }
      return sendJson(response, 200, JSON.stringify({ model_info: info }))
    }
    const place = request.method === 'POST' ? placeOf(url.pathname) : undefined
    if (!place) return sendJson(response, 404, openaiWire.error(404, `Nothing is served at ${url.pathname}.`))
    const { wire, address } = place

    const bytes = await read(request)
    const body = parse(bytes)
    if (!body) return sendJson(response, 400, wire.error(400, 'The body is not a JSON object.'))
    const seen = {
      protocol: wire.protocol,
      body,
      headers: request.headers,
      bytes: bytes.length,
      at: Date.now(),
      leftAt: null as number | null,
    }
    requests.push(seen)
    response.once('close', () => {
      if (!response.writableFinished) seen.leftAt = Date.now()
    })
    if (requests.length > keep) requests.shift()
    const callIndex = received
    received += 1

    const refusal = wire.refuses?.(body)
    if (refusal !== undefined) return sendJson(response, 400, wire.error(400, refusal))
    const turn = wire.turnOf(body, callIndex, address)
    const reply = await (isAboutWishes(turn) ? (options.wishes ?? noWishes) : options.script)(turn)
    const model = address.model ?? asText(body['model'])
    const use = options.caches && wire.protocol === 'anthropic' ? cache(body) : undefined
    const prepared = prepare(use ? { ...reply, usage: { ...use, ...reply.usage } } : reply, {
      id: `${series}${callIndex}`,
      model,
      bytes: bytes.length,
      wire,
      prices,
    })
    const charge = chargeOnce(bill, keep, {
      protocol: wire.protocol,
      prepared,
      requestId: request.headers['x-client-request-id'],
      at: seen.at,
    })
    if (reply.firstDelayMs && !(await waitWhileOpen(response, reply.firstDelayMs))) {
      return charge('nothing')
    }
    if (reply.truncateAfterBytes === 0) {
      response.destroy()
      return charge('nothing')
    }
    if (reply.status !== undefined && reply.status >= 300) {
      if (reply.retryAfter !== undefined) response.setHeader('retry-after', String(reply.retryAfter))
      if (reply.location !== undefined) response.setHeader('location', reply.location)
      const message = reply.errorMessage ?? `Scripted status ${reply.status}.`
      const status = wire.statusOf?.(reply.status) ?? reply.status
      return sendJson(response, status, wire.error(reply.status, message))
    }
    const streams =
      address.stream ?? (wire.streamsByDefault ? body['stream'] !== false : body['stream'] === true)
    if (!streams) {
      charge('whole')
      return sendJson(response, 200, wire.whole(prepared, body))
    }
    const text =
      reply.malformed === undefined
        ? wire.stream(prepared, body)
        : { head: reply.malformed, pieces: [], tail: '' }
    response.setHeader('content-type', wire.contentType ?? 'text/event-stream; charset=utf-8')
    await sendStream(response, text, reply, charge, wire.binary ? 'latin1' : 'utf8')
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(options.port ?? 0, '127.0.0.1', resolve)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    requests,
    bill,
    baseUrl: (protocol) => url + basePaths[protocol],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** `share` is the part of the content that was sent, from 0 to 1. Only the first word counts. */
type Charge = (sent: BilledCall['sent'], share?: number) => void

function chargeOnce(
  bill: BilledCall[],
  keep: number,
  call: {
    readonly protocol: Protocol
    readonly prepared: PreparedReply
    readonly requestId: string | string[] | undefined
    readonly at: number
  },
): Charge {
  let charged = false
  return (sent, share = 0) => {
    if (charged) return
    charged = true
    bill.push({
      protocol: call.protocol,
      model: call.prepared.model,
      usage: chargedUsage(call.prepared.usage, sent, share),
      sent,
      requestId: typeof call.requestId === 'string' ? call.requestId : null,
      at: call.at,
    })
    if (bill.length > keep) bill.shift()
  }
}

async function sendStream(
  response: ServerResponse,
  text: StreamText,
  reply: ScriptReply,
  charge: Charge,
  encoding: 'latin1' | 'utf8',
): Promise<void> {
  response.statusCode = 200
  response.setHeader('cache-control', 'no-cache')
  const delay = reply.tokenDelayMs ?? 0
  const content = text.pieces.join('')
  const writes = delay > 0 ? [text.head, ...text.pieces, text.tail] : [text.head + content + text.tail]
  const before = Buffer.byteLength(text.head, encoding)
  const within = Buffer.byteLength(content, encoding)
  let left = reply.stallAfterBytes ?? reply.truncateAfterBytes ?? Number.POSITIVE_INFINITY
  let sent = 0
  const chargeSent = () => {
    const share = within === 0 ? 0 : Math.min(1, Math.max(0, sent - before) / within)
    charge(share === 0 ? 'nothing' : 'part', share)
  }
  // Whoever goes away is charged for what was on its way by then.
  response.once('close', chargeSent)

  for (const [index, write] of writes.entries()) {
    const isPiece = delay > 0 && index > 0 && index < writes.length - 1
    if (isPiece && !(await waitWhileOpen(response, delay))) return
    if (response.destroyed) return
    const bytes = Buffer.from(write, encoding)
    if (bytes.length > left) {
      sent += left
      if (reply.stallAfterBytes === undefined) chargeSent()
      return cut(response, bytes.subarray(0, left), reply)
    }
    left -= bytes.length
    sent += bytes.length
    if (index < writes.length - 1) {
      response.write(bytes)
      continue
    }
    // A stream that never was a reply is no reply to charge for.
    charge(reply.malformed === undefined ? 'whole' : 'nothing')
    response.end(bytes)
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
