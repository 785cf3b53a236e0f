/**
 * Owns the one place that a coding agent reaches: a listener on the loopback of its sandbox, behind which its requests go
 * to the model service that the operator named, through the egress client. The key is added here, outside, and never
 * comes in; turns and cost are counted here, where the agent cannot say otherwise. Refuses every other place and method.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Server } from 'node:net'
import { type CodingAgent, secretHandle } from '@countersign/contract'
import type { ToolCapabilities } from '@countersign/tools'
import { agentLimits } from './limits.ts'
import { likelyTokens, type TokenUse, tokensIn } from './usage.ts'

export interface ModelDoorOptions {
  readonly agent: CodingAgent
  /** Reaches only what the permit names. */
  readonly web: ToolCapabilities['web']
  readonly maxTurns: number
  readonly maxBudgetUsd: number
  /** Takes values of secrets out of what comes back. */
  readonly mask: (text: string) => string
  /** Called once, when nothing more is answered. */
  readonly onSpent: (why: 'turns' | 'budget') => void
  readonly signal: AbortSignal
}

export interface ModelDoor {
  serve(listener: Server): Promise<{ close(): Promise<void> }>
  spent(): { readonly turns: number; readonly tokens: TokenUse; readonly costUsd: number | null }
  /** What it asked for and was refused, the first twenty. */
  refused(): readonly string[]
}

export function createModelDoor(options: ModelDoorOptions): ModelDoor {
  const { agent, web, maxTurns, maxBudgetUsd, signal } = options
  const base = new URL(agent.endpoint)
  const refusals: string[] = []
  let turns = 0
  let asides = 0
  let tokens: TokenUse = { input: 0, output: 0 }
  let isSpent = false
  let last: Promise<unknown> = Promise.resolve()
  const costUsd = () => costOf(tokens, agent.prices)
  const over = (why: 'turns' | 'budget'): void => {
    if (!isSpent) options.onSpent(why)
    isSpent = true
  }
  const refuse = (response: ServerResponse, status: number, why: string): void => {
    if (refusals.length < 20) refusals.push(why)
    sendJson(response, status, why)
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = pathOf(request.url ?? '', base)
    if (path === undefined) return refuse(response, 403, `${placeIn(request.url)} is not reached from here.`)
    if (request.method !== 'POST') return refuse(response, 405, `${request.method} is not passed on.`)
    const body = await bodyOf(request)
    if (body === undefined) return refuse(response, 413, 'The request is too large.')
    const pass = () => passOn(path, body, request, response)
    // Where money counts they go one after the other: what one costs is known before the next.
    const passed = agent.prices ? last.then(pass) : pass()
    last = passed.catch(() => undefined)
    await passed
  }

  async function passOn(
    path: string,
    body: string,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (isTurn(body)) turns += 1
    else asides += 1
    if (turns > maxTurns || asides > agentLimits.maxSideRequests) {
      over('turns')
      return refuse(response, 400, 'No more requests to the model are allowed for this task.')
    }
    if ((costUsd() ?? 0) >= maxBudgetUsd) {
      over('budget')
      return refuse(response, 400, 'The budget of this task is spent.')
    }
    const outcome = await web.request({
      url: new URL(path, base.origin).href,
      method: 'POST',
      headers: headersFor(request, agent),
      // A handle in the words of the agent stays its words: it never becomes a value.
      body: body.replaceAll('{{', '{\\u007b'),
      maxBytes: agentLimits.maxAnswerBytes,
      timeoutMs: agentLimits.answerMs,
      signal,
    })
    if (outcome.kind === 'failed') return refuse(response, 502, outcome.reason)
    const text = Buffer.from(outcome.body).toString('utf8')
    const used = outcome.status < 400 ? usedFor(body, text) : tokensIn(text)
    tokens = { input: tokens.input + used.input, output: tokens.output + used.output }
    const type = outcome.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1]
    response.writeHead(outcome.status, { 'content-type': type ?? 'application/json', connection: 'close' })
    response.end(options.mask(text))
  }

  return {
    async serve(listener) {
      const server = createServer({ maxHeaderSize: 16 * 1024 }, (request, response) => {
        answer(request, response).catch(() => response.destroy())
      })
      server.on('connect', (request, socket) => {
        if (refusals.length < 20) refusals.push(`${placeIn(request.url)} is not reached from here.`)
        socket.on('error', () => socket.destroy())
        socket.end('HTTP/1.1 403 Forbidden\r\nconnection: close\r\n\r\n')
      })
      server.on('upgrade', (_request, socket) => socket.destroy())
      server.maxConnections = 32
      listener.on('connection', (socket) => {
        // Whoever is cut off in the middle must not take the executor along.
        socket.on('error', () => socket.destroy())
        server.emit('connection', socket)
      })
      return {
        close: async () => {
          server.closeAllConnections()
          await new Promise<void>((resolve) => listener.close(() => resolve()))
        },
      }
    },
    spent: () => ({ turns: Math.min(turns, maxTurns), tokens, costUsd: costUsd() }),
    refused: () => [...refusals],
  }
}

/** A stream can be asked for in a form that does not tell its use; it is not free for that. */
function usedFor(request: string, answer: string): TokenUse {
  const told = tokensIn(answer)
  return told.input + told.output > 0 ? told : likelyTokens(request, answer)
}

export function costOf(tokens: TokenUse, prices: CodingAgent['prices']): number | null {
  if (!prices) return null
  return (tokens.input * prices.input + tokens.output * prices.output) / 1_000_000
}

/** Below the address that the operator named; in absolute form only where it names the listener itself. */
function pathOf(written: string, base: URL): string | undefined {
  if (!written.startsWith('/') && !/^http:\/\/(?:127\.0\.0\.1|localhost)(?::3128)?\//.test(written))
    return undefined
  const { pathname, search } = new URL(written, 'http://127.0.0.1')
  const folder = base.pathname.endsWith('/') ? base.pathname : `${base.pathname}/`
  // A handle of a secret in the agent's address stays its words, as in its body.
  return pathname.startsWith(folder) ? `${pathname}${search}`.replaceAll('{', '%7B') : undefined
}

function placeIn(written: string | undefined): string {
  return JSON.stringify((written ?? '').slice(0, 120))
}

/** A request with tools is a step of the work; others are for titles and the like. */
function isTurn(body: string): boolean {
  return /"(?:tools|functionDeclarations)"\s*:\s*\[\s*\{/.test(body)
}

/** What the agent says of itself stays here; the service is told what it needs to answer. */
function headersFor({ headers }: IncomingMessage, { protocol, key }: CodingAgent): Record<string, string> {
  const passed = ['accept', 'anthropic-version', 'anthropic-beta'].flatMap((name) => {
    const value = headers[name]
    return typeof value === 'string' && /^[\x20-\x7E]{1,500}$/.test(value) && !value.includes('{{')
      ? [[name, value] as const]
      : []
  })
  const handle = key === undefined ? undefined : secretHandle(key)
  const secret: Record<string, string> =
    handle === undefined
      ? {}
      : protocol === 'anthropic'
        ? { 'x-api-key': handle }
        : protocol === 'google'
          ? { 'x-goog-api-key': handle }
          : { authorization: `Bearer ${handle}` }
  return { ...Object.fromEntries(passed), 'content-type': 'application/json', ...secret }
}

async function bodyOf(request: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > agentLimits.maxRequestBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

function sendJson(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' })
  response.end(JSON.stringify({ error: { type: 'countersign', message } }))
}
