/**
 * The one way out to the network. Resolves a name once, checks every answer, connects to a checked address and
 * looks again at what it is connected to. Follows no redirect: the caller decides about each hop anew.
 */

import { lookup as systemLookup } from 'node:dns/promises'
import type { Socket } from 'node:net'
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { buildConnector, Client } from 'undici'
import { type AddressClass, addressClass, isSameAddress } from './address.ts'
import { describeTarget, type Target, type TargetRefusal } from './target.ts'

export interface AddressPolicy {
  /** Besides 80 and 443. */
  readonly ports: readonly number[]
  /** Local places that the operator has named, host and port exactly as they stand in the URL. */
  readonly allowPrivate: readonly { readonly host: string; readonly port: number }[]
}

export interface EgressLimits {
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly connectTimeoutMs: number
  /** How far a body may grow when it is decompressed. */
  readonly maxRatio: number
  readonly minBytesPerSecond: number
  /** How long a body may stay below that rate. */
  readonly slowAfterMs: number
}

export type Lookup = (host: string) => Promise<readonly string[]>

export interface EgressOptions {
  readonly allow: AddressPolicy
  readonly limits: EgressLimits
  readonly lookup?: Lookup
  readonly connect?: buildConnector.connector
}

export interface EgressRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | string | null
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly maxRedirects: 0
}

export type EgressRefusal = TargetRefusal | 'port' | 'address' | 'method' | 'header' | 'connected-address'

/** `refused`: nothing was sent. Elsewhere `sent` says whether the other side may have seen the request. */
export type EgressResult =
  | {
      readonly kind: 'response'
      readonly status: number
      readonly headers: Readonly<Record<string, string | string[]>>
      readonly body: Uint8Array
      /** Where a 3xx points, absolute; another request and another decision. */
      readonly location: string | null
      readonly remoteAddress: string
    }
  | { readonly kind: 'refused'; readonly reason: EgressRefusal; readonly detail: string }
  | {
      readonly kind: 'failed'
      readonly reason: 'dns' | 'connection' | 'too-large' | 'ratio' | 'slow-body' | 'encoding'
      readonly message: string
      readonly sent: boolean
    }
  | { readonly kind: 'timeout' | 'cancelled'; readonly sent: boolean }

export interface Egress {
  /** Never rejects for anything the network does. */
  request(request: EgressRequest, signal: AbortSignal): Promise<EgressResult>
}

export const defaultEgressLimits: EgressLimits = {
  maxBytes: 16 * 1024 * 1024,
  timeoutMs: 60_000,
  connectTimeoutMs: 10_000,
  maxRatio: 100,
  minBytesPerSecond: 64,
  slowAfterMs: 10_000,
}

export function createEgress(options: EgressOptions): Egress {
  const { allow, limits } = options
  const lookup = options.lookup ?? lookupAll
  const dial =
    options.connect ??
    buildConnector({ allowH2: false, timeout: limits.connectTimeoutMs, maxCachedSessions: 0 })

  return {
    async request(request, signal) {
      const target = describeTarget(request.url)
      if (target.kind === 'refused') return { ...target, detail: '' }
      const objection = objectionTo(request, target, allow)
      if (objection !== null) return objection
      const deadline = AbortSignal.timeout(Math.min(request.timeoutMs, limits.timeoutMs))
      const stop = AbortSignal.any([signal, deadline])
      const progress: Progress = { connected: null, refusal: null }
      try {
        if (signal.aborted) return { kind: 'cancelled', sent: false }
        const checked = await resolve(target, allow, lookup, stop)
        if ('kind' in checked) return checked
        return await exchange(request, target, checked.addresses, { dial, limits, stop, progress })
      } catch (error) {
        const sent = progress.connected !== null
        if (signal.aborted) return { kind: 'cancelled', sent }
        if (deadline.aborted) return { kind: 'timeout', sent }
        if (progress.refusal !== null) return progress.refusal
        if (error instanceof BodyFailure)
          return { kind: 'failed', reason: error.reason, message: error.message, sent }
        return { kind: 'failed', reason: 'connection', message: messageOf(error), sent }
      }
    },
  }
}

type Refused = Extract<EgressResult, { kind: 'refused' }>
type Failure = Extract<EgressResult, { kind: 'failed' }>

interface Progress {
  connected: string | null
  refusal: Refused | null
}

class BodyFailure extends Error {
  readonly reason: Failure['reason']
  constructor(reason: Failure['reason'], message: string) {
    super(message)
    this.reason = reason
  }
}

/** Set by the client itself, or able to change how the message is framed or routed. */
const reservedHeaders = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'accept-encoding',
  'proxy-authorization',
  'proxy-connection',
])

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

function objectionTo(request: EgressRequest, target: Target, allow: AddressPolicy): Refused | null {
  if (!methods.has(request.method)) return { kind: 'refused', reason: 'method', detail: request.method }
  for (const [name, value] of Object.entries(request.headers)) {
    const isSound = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    if (!isSound || reservedHeaders.has(name.toLowerCase()))
      return { kind: 'refused', reason: 'header', detail: name }
  }
  const isOpenPort = [80, 443, ...allow.ports].includes(target.port)
  if (!isOpenPort && !isNamed(target, allow))
    return { kind: 'refused', reason: 'port', detail: String(target.port) }
  return null
}

function isNamed(target: Target, allow: AddressPolicy): boolean {
  return allow.allowPrivate.some(({ host, port }) => host === target.asciiHost && port === target.port)
}

async function resolve(
  target: Target,
  allow: AddressPolicy,
  lookup: Lookup,
  stop: AbortSignal,
): Promise<{ readonly addresses: readonly string[] } | Refused | Failure> {
  const isLiteral = target.ipClass !== undefined
  let answers: readonly string[]
  try {
    answers = isLiteral ? [target.asciiHost] : await orStopped(lookup(target.asciiHost), stop)
  } catch (error) {
    stop.throwIfAborted()
    return { kind: 'failed', reason: 'dns', message: messageOf(error), sent: false }
  }
  if (answers.length === 0) return { kind: 'failed', reason: 'dns', message: 'no address', sent: false }
  const named = isNamed(target, allow)
  for (const answer of answers) {
    const found = addressClass(answer)
    const isFine = found === 'public' || (named && (isLiteral ? found !== 'invalid' : nearby.has(found)))
    if (!isFine) return { kind: 'refused', reason: 'address', detail: `${answer} is ${found}` }
  }
  return { addresses: answers }
}

/** What a name that the operator has allowed may resolve to. Link-local, where clouds keep secrets, is not in it. */
const nearby = new Set<AddressClass>(['loopback', 'private', 'carrier-grade-nat'])

interface Exchange {
  readonly dial: buildConnector.connector
  readonly limits: EgressLimits
  readonly stop: AbortSignal
  readonly progress: Progress
}

async function exchange(
  request: EgressRequest,
  target: Target,
  addresses: readonly string[],
  { dial, limits, stop, progress }: Exchange,
): Promise<EgressResult> {
  const client = new Client(target.origin, {
    connect: checkedConnect(target, addresses, dial, progress),
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: 32 * 1024,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    const response = await client.request({
      method: request.method,
      path: target.path,
      headers: { ...request.headers, 'accept-encoding': 'gzip, deflate, br' },
      body: request.body,
      signal: stop,
    })
    const headers = definedHeaders(response.headers)
    const maxBytes = Math.min(request.maxBytes, limits.maxBytes)
    const encoding = request.method === 'HEAD' ? '' : String(headers['content-encoding'] ?? '')
    const body = await readBody(response.body, encoding, maxBytes, limits, stop)
    return {
      kind: 'response',
      status: response.statusCode,
      headers,
      body,
      location: locationOf(response.statusCode, headers, request.url),
      remoteAddress: progress.connected ?? '',
    }
  } finally {
    await client.destroy()
  }
}

/** Tries the checked addresses in turn, and hands over no socket whose other end is not the one it dialled. */
function checkedConnect(
  target: Target,
  addresses: readonly string[],
  dial: buildConnector.connector,
  progress: Progress,
): buildConnector.connector {
  return (options, callback) => {
    const attempt = (index: number): void => {
      const address = addresses[index] ?? ''
      const servername = isIP(target.asciiHost) === 0 ? target.asciiHost : ''
      const place = { ...options, hostname: address, port: String(target.port), servername }
      dial(place, (...[error, socket]: Parameters<buildConnector.Callback>) => {
        if (error !== null) {
          if (index + 1 < Math.min(addresses.length, 4) && progress.refusal === null) attempt(index + 1)
          else callback(error, null)
          return
        }
        if (!isConnectedTo(socket, address, target.port)) {
          const detail = `dialled ${address}, reached ${socket.remoteAddress ?? 'nothing'}`
          progress.refusal = { kind: 'refused', reason: 'connected-address', detail }
          socket.destroy()
          callback(new Error(detail), null)
          return
        }
        progress.connected = address
        callback(null, socket)
      })
    }
    // One request has one connection; a second one would send it again unasked.
    if (progress.connected === null) attempt(0)
    else callback(new Error('the connection was lost'), null)
  }
}

function isConnectedTo(socket: Socket, address: string, port: number): boolean {
  return (
    socket.remoteAddress !== undefined &&
    isSameAddress(socket.remoteAddress, address) &&
    socket.remotePort === port
  )
}

async function readBody(
  raw: Readable,
  encoding: string,
  maxBytes: number,
  limits: EgressLimits,
  stop: AbortSignal,
): Promise<Uint8Array> {
  let received = 0
  let sinceLook = 0
  let failure: BodyFailure | null = null
  const fail = (reason: Failure['reason'], message: string): void => {
    failure ??= new BodyFailure(reason, message)
    raw.destroy(failure)
  }
  const watch = setInterval(() => {
    const least = (limits.minBytesPerSecond * limits.slowAfterMs) / 1000
    if (sinceLook < least) fail('slow-body', `fewer than ${least} bytes in ${limits.slowAfterMs} ms`)
    sinceLook = 0
  }, limits.slowAfterMs)
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of raw as AsyncIterable<Buffer>) {
      received += chunk.length
      sinceLook += chunk.length
      if (received > maxBytes) fail('too-large', `more than ${maxBytes} bytes`)
      yield chunk
    }
  }
  const decoder = decoderFor(encoding)
  const source =
    decoder === null
      ? counted()
      : Readable.from(counted())
          .once('error', (e) => decoder.destroy(e))
          .pipe(decoder)
  const kept: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) fail('too-large', `more than ${maxBytes} bytes`)
      else if (size > ratioFloor && size > received * limits.maxRatio)
        fail('ratio', `over ${limits.maxRatio} times larger`)
      if (failure !== null) throw failure
      kept.push(chunk)
    }
    return Buffer.concat(kept)
  } catch (error) {
    stop.throwIfAborted()
    if (failure !== null) throw failure
    if (decoder !== null) throw new BodyFailure('encoding', messageOf(error))
    throw error
  } finally {
    clearInterval(watch)
    decoder?.destroy()
    raw.destroy()
  }
}

/** A small body may shrink to next to nothing without being a bomb. */
const ratioFloor = 64 * 1024

function decoderFor(encoding: string): ReturnType<typeof createGunzip> | null {
  switch (encoding.trim().toLowerCase()) {
    case '':
    case 'identity':
      return null
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new BodyFailure('encoding', `unknown content encoding ${JSON.stringify(encoding)}`)
  }
}

function definedHeaders(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string | string[]> {
  const defined: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) defined[name] = value
  return defined
}

function locationOf(
  status: number,
  headers: Readonly<Record<string, string | string[]>>,
  base: string,
): string | null {
  const location = headers['location']
  if (status < 300 || status > 399 || typeof location !== 'string') return null
  return URL.parse(location, base)?.href ?? null
}

async function lookupAll(host: string): Promise<readonly string[]> {
  const answers = await systemLookup(host, { all: true, order: 'verbatim' })
  return answers.map(({ address }) => address)
}

/** A name lookup cannot be cancelled, but nobody has to wait for it. */
function orStopped<T>(work: Promise<T>, stop: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(stop.reason as Error)
    if (stop.aborted) onAbort()
    stop.addEventListener('abort', onAbort, { once: true })
    work.then(resolve, reject).finally(() => stop.removeEventListener('abort', onAbort))
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
