/**
 * Owns the way out for programs that cannot be given the egress client: an HTTP proxy that authorises every
 * connection by host and port, checks the address it connects to, and counts bytes and time. It serves one run and is
 * closed after it. Refuses everything but CONNECT and plain HTTP in absolute form, and whoever does not know its
 * password: a port on loopback is open to every user of the host.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { AddressInfo, Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Connection } from './checked-connect.ts'
import { type DialOptions, dialChecked } from './dial.ts'
import type { AddressPolicy } from './resolve-checked.ts'
import { describeTarget, type Target } from './target.ts'

export interface ProxyLimits {
  /** In both directions and over all connections; then every connection is cut. */
  readonly maxBytes: number
  /** At one time. */
  readonly maxConnections: number
  readonly connectTimeoutMs: number
  /** How long a connection may carry nothing. */
  readonly idleMs: number
}

export const defaultProxyLimits: ProxyLimits = {
  maxBytes: 512 * 1024 * 1024,
  maxConnections: 64,
  connectTimeoutMs: 10_000,
  idleMs: 30_000,
}

export interface ProxyCredential {
  readonly username: string
  readonly password: string
}

export interface ProxyOptions extends Pick<DialOptions, 'lookup' | 'connect'> {
  /** Asked for every connection, with the host in lower case and ASCII. */
  readonly allow: (host: string, port: number) => boolean
  readonly policy: AddressPolicy
  /** A port of its own and who may use it, or a listener that nobody else reaches, as inside a network namespace. */
  readonly listen: { readonly credential: ProxyCredential } | { readonly server: Server }
  readonly limits?: ProxyLimits
  readonly onRefused?: (what: string) => void
  readonly signal: AbortSignal
}

export interface EgressProxy {
  /** What a client connects to: `127.0.0.1:port`. */
  readonly address: string
  /** Host, port and reason of what was refused, the first hundred. */
  refused(): readonly string[]
  /** Ends every connection there is, also those that are only being made. The proxy goes on for new ones. */
  cut(): void
  /** Cuts every connection. Resolves when none is left. */
  close(): Promise<void>
}

export async function openEgressProxy(options: ProxyOptions): Promise<EgressProxy> {
  const { limits = defaultProxyLimits, signal } = options
  const refusals: string[] = []
  const sockets = new Set<Duplex>()
  const isKnown = guard(options.listen)
  let bytes = 0
  let cuts = 0
  let closed = false
  const refuse = (what: string): void => {
    if (refusals.length < mostRefusals) refusals.push(what)
    options.onRefused?.(what)
  }
  const hold = (socket: Duplex): void => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.once('close', () => sockets.delete(socket))
  }
  const cutAll = (): void => {
    cuts += 1
    for (const socket of sockets) socket.destroy()
  }
  const spend = (size: number): void => {
    bytes += size
    if (bytes <= limits.maxBytes) return
    refuse(`more than ${limits.maxBytes} bytes`)
    cutAll()
  }
  const reach = async (
    target: TargetOrReason,
  ): Promise<{ socket: Socket } | { reason: string; status: number }> => {
    const cutsBefore = cuts
    const result = await authorise(target, options, limits)
    if (result.kind === 'connected' && (closed || cuts !== cutsBefore)) result.socket.destroy()
    if (result.kind === 'connected') {
      hold(result.socket)
      result.socket.setTimeout(limits.idleMs, () => result.socket.destroy())
      return result
    }
    const place = 'target' in target ? `${target.target.asciiHost}:${target.target.port}` : target.written
    const reason = result.kind === 'failed' ? result.message : refusalText(result)
    if (result.kind === 'refused') refuse(`${place}: ${reason}`)
    return { reason, status: result.kind === 'failed' ? 502 : 403 }
  }

  const server = createServer({ maxHeaderSize: 16 * 1024, requestTimeout: limits.idleMs, keepAlive: false })
  server.maxConnections = limits.maxConnections
  server.on('connection', (socket: Socket) => {
    hold(socket)
    if (closed || sockets.size > 2 * limits.maxConnections) socket.destroy()
  })
  server.on('connect', (request: IncomingMessage, client: Duplex, head: Buffer) => {
    if (!isKnown(request)) {
      client.end(plainAnswer(407, unknownText, challenge))
      return
    }
    void reach(readAuthority(request.url ?? '')).then((reached) => {
      if (!('socket' in reached)) {
        client.end(plainAnswer(reached.status, reached.reason))
        return
      }
      const { socket } = reached
      if (client.destroyed) {
        socket.destroy()
        return
      }
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      if (head.length > 0) socket.write(head)
      spend(head.length)
      for (const side of [client, socket]) side.on('data', (chunk: Buffer) => spend(chunk.length))
      client.pipe(socket)
      socket.pipe(client)
      client.once('close', () => socket.destroy())
      socket.once('close', () => client.destroy())
    })
  })
  server.on('upgrade', (request: IncomingMessage, client: Duplex) => {
    if (!isKnown(request)) {
      client.end(plainAnswer(407, unknownText, challenge))
      return
    }
    refuse('an upgrade of the connection')
    client.end(plainAnswer(403, 'Upgrades are not passed on. Use CONNECT.'))
  })
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    if (!isKnown(request)) {
      response.writeHead(407, { 'content-type': 'text/plain', connection: 'close', ...challenge })
      response.end(`${unknownText}\n`)
      return
    }
    const target = readAbsolute(request)
    void reach(target).then((reached) => {
      if (!('socket' in reached) || !('target' in target)) {
        const { status, reason } = 'socket' in reached ? { status: 403, reason: '' } : reached
        response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' }).end(`${reason}\n`)
        return
      }
      forward(request, response, target.target, reached.socket, spend)
    })
  })

  const address = await listenOn(server, options.listen)
  const close = async (): Promise<void> => {
    closed = true
    signal.removeEventListener('abort', onAbort)
    cutAll()
    const own = 'server' in options.listen ? options.listen.server : server
    await new Promise<void>((resolve) => own.close(() => resolve()))
  }
  const onAbort = (): void => void close()
  signal.addEventListener('abort', onAbort, { once: true })
  if (signal.aborted) await close()
  return { address, refused: () => [...refusals], cut: cutAll, close }
}

const mostRefusals = 100
const unknownText = 'This proxy serves one client, and this is not it.'
const challenge = { 'proxy-authenticate': 'Basic realm="countersign"' } as const

function guard(listen: ProxyOptions['listen']): (request: IncomingMessage) => boolean {
  if ('server' in listen) return () => true
  const { username, password } = listen.credential
  const hashOf = (text: string) => createHash('sha256').update(text).digest()
  const expected = hashOf(`Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`)
  return ({ headers }) => timingSafeEqual(hashOf(headers['proxy-authorization'] ?? ''), expected)
}

function refusalText(refused: { readonly reason?: string; readonly detail: string }): string {
  return refused.reason === 'port' ? `port ${refused.detail} is closed` : refused.detail
}

type TargetOrReason = { readonly target: Target } | { readonly written: string; readonly problem: string }

async function authorise(
  place: TargetOrReason,
  options: ProxyOptions,
  limits: ProxyLimits,
): Promise<Connection | { kind: 'refused'; detail: string }> {
  if (!('target' in place)) return { kind: 'refused', detail: place.problem }
  const { target } = place
  if (!options.allow(target.asciiHost, target.port)) {
    return { kind: 'refused', detail: 'The permit does not name this place.' }
  }
  const { policy, signal, lookup, connect } = options
  return dialChecked(target, {
    policy,
    signal,
    timeoutMs: limits.connectTimeoutMs,
    ...(lookup ? { lookup } : {}),
    ...(connect ? { connect } : {}),
  })
}

/** `host:port`, both given. The scheme only serves the reader; what flows through a tunnel is not looked at. */
function readAuthority(written: string): TargetOrReason {
  const isWhole = /^[^/?#@\s]+:\d{1,5}$/.test(written)
  const target = isWhole ? describeTarget(`http://${written}/`) : null
  if (target?.kind === 'target') return { target }
  return { written: shown(written), problem: `Not a host and a port: ${target?.reason ?? 'bad form'}.` }
}

function readAbsolute({ url = '', headers, rawHeaders }: IncomingMessage): TargetOrReason {
  const target = describeTarget(url)
  const written = shown(url)
  if (target.kind === 'refused') return { written, problem: `Not an absolute address: ${target.reason}.` }
  if (target.scheme !== 'http') return { written, problem: 'Use CONNECT for https.' }
  const hosts = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === 'host')
  const host = headers.host === undefined ? target : describeTarget(`http://${headers.host}/`)
  // Two readings of one request would let a second server behind the first take the other one.
  const isSame = host.kind === 'target' && host.asciiHost === target.asciiHost && host.port === target.port
  if (hosts.length > 1 || !isSame) return { written, problem: 'The host header names another place.' }
  return { target }
}

/** Belong to one connection, or to the proxy itself. */
const hopHeaders = new Set([
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'host',
])

function forward(
  incoming: IncomingMessage,
  response: ServerResponse,
  target: Target,
  socket: Socket,
  spend: (size: number) => void,
): void {
  const named = new Set((incoming.headers.connection ?? '').toLowerCase().split(/\s*,\s*/))
  const kept: string[] = ['host', new URL(target.origin).host, 'connection', 'close']
  for (let index = 0; index + 1 < incoming.rawHeaders.length; index += 2) {
    const [name = '', value = ''] = incoming.rawHeaders.slice(index, index + 2)
    const lower = name.toLowerCase()
    if (!hopHeaders.has(lower) && !named.has(lower)) kept.push(name, value)
  }
  const hasBody = incoming.headers['transfer-encoding'] !== undefined
  if (hasBody) kept.push('transfer-encoding', 'chunked')
  const outgoing = httpRequest({
    createConnection: () => socket,
    method: incoming.method,
    path: target.path,
    headers: kept,
  })
  outgoing.on('response', (answer) => {
    const headers = answer.rawHeaders.flatMap((name, index, all) =>
      index % 2 === 0 && !hopHeaders.has(name.toLowerCase()) ? [name, all[index + 1] ?? ''] : [],
    )
    response.writeHead(answer.statusCode ?? 502, [...headers, 'connection', 'close'])
    answer.on('data', (chunk: Buffer) => spend(chunk.length))
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  outgoing.on('upgrade', (_answer, upgraded) => upgraded.destroy())
  outgoing.on('error', () => {
    if (response.headersSent) response.destroy()
    else response.writeHead(502, { connection: 'close' }).end('The place did not answer.\n')
  })
  incoming.on('data', (chunk: Buffer) => spend(chunk.length))
  incoming.pipe(outgoing)
  response.on('close', () => outgoing.destroy())
}

function plainAnswer(status: number, text: string, headers: Readonly<Record<string, string>> = {}): string {
  const body = `${text}\n`
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    'content-type: text/plain',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
    '',
    body,
  ].join('\r\n')
}

function listenOn(server: ReturnType<typeof createServer>, listen: ProxyOptions['listen']): Promise<string> {
  if ('server' in listen) {
    const { server: given } = listen
    given.on('connection', (socket) => server.emit('connection', socket))
    const { address = '', port = 0 } = (given.address() as AddressInfo | null) ?? {}
    return Promise.resolve(`${address}:${port}`)
  }
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => resolve(`127.0.0.1:${(server.address() as AddressInfo).port}`))
  })
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 200))
}
