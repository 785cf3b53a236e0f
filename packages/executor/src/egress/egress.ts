/**
 * The one way out to the network. Resolves a name once for each hop, checks every answer, connects to a checked address
 * and looks again at what it is connected to. Follows a redirect only where the permit says so, to the same host; any
 * other is handed back, to be decided about anew.
 */

import { isIP } from 'node:net'
import type { UrlResource } from '@countersign/contract'
import { buildConnector, Client } from 'undici'
import { BodyFailure, type BodyLimits, readBody } from './body.ts'
import { checkedConnect } from './checked-connect.ts'
import { type EgressRefused, type EgressResult, messageOf } from './outcome.ts'
import { type Hop, locationOf, mostHops, nextHop, type PinnedParts } from './redirect.ts'
import { type AddressPolicy, type Lookup, resolveChecked, systemLookup } from './resolve-checked.ts'
import { describeTarget, type Target } from './target.ts'

export type { EgressRefusal, EgressResult } from './outcome.ts'
export type { AddressPolicy, Lookup } from './resolve-checked.ts'

export interface EgressLimits extends BodyLimits {
  readonly maxBytes: number
  readonly timeoutMs: number
  readonly connectTimeoutMs: number
}

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
  /** For all hops together. */
  readonly timeoutMs: number
  readonly redirects: UrlResource['redirects']
  readonly pinned?: PinnedParts
  /** Told how an answer begins; what it gives hears the body as it comes, unpacked. The result is the whole all the same. */
  readonly listen?: (head: ResponseHead) => ((chunk: Uint8Array) => void) | undefined
  /** While it says so, a body may be slow. */
  readonly isPatient?: () => boolean
}

export interface ResponseHead {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[]>>
}

export interface Egress {
  /** Never rejects for anything the network does. */
  request(request: EgressRequest, signal: AbortSignal): Promise<EgressResult>
}

export const defaultEgressLimits: EgressLimits = {
  maxBytes: 16 * 1024 * 1024,
  timeoutMs: 30_000,
  connectTimeoutMs: 10_000,
  maxRatio: 100,
  minBytesPerSecond: 64,
  slowAfterMs: 10_000,
}

export function createEgress(options: EgressOptions): Egress {
  const { allow, limits } = options
  const lookup = options.lookup ?? systemLookup
  const dial =
    options.connect ??
    buildConnector({
      allowH2: false,
      timeout: limits.connectTimeoutMs,
      maxCachedSessions: 0,
      // Said aloud, since a variable of the environment could otherwise turn it off.
      rejectUnauthorized: true,
    })

  return {
    async request(request, signal) {
      const target = describeTarget(request.url)
      if (target.kind === 'refused') return { ...target, detail: '' }
      const objection = objectionTo(request)
      if (objection !== null) return objection
      const deadline = AbortSignal.timeout(Math.min(request.timeoutMs, limits.timeoutMs))
      const stop = AbortSignal.any([signal, deadline])
      const journey: Journey = { hop: { ...request, target }, hops: 0, connected: null, refusal: null }
      try {
        if (signal.aborted) return { kind: 'cancelled', sent: false }
        for (;;) {
          const checked = await resolveChecked(journey.hop.target, allow, lookup, stop)
          if (checked.kind !== 'checked') return onTheWay(checked, journey)
          const end = await exchange(request, journey, checked.addresses, {
            first: target,
            dial,
            limits,
            stop,
          })
          if (end !== 'led on') return end
        }
      } catch (error) {
        const sent = hasSent(journey)
        if (signal.aborted) return { kind: 'cancelled', sent }
        if (deadline.aborted) return { kind: 'timeout', sent }
        if (journey.refusal !== null) return onTheWay(journey.refusal, journey)
        const reason = error instanceof BodyFailure ? error.reason : 'connection'
        return { kind: 'failed', reason, message: messageOf(error), sent }
      }
    },
  }
}

/** A request on its way from hop to hop. */
interface Journey {
  hop: Hop
  hops: number
  /** The address of the connection of this hop. */
  connected: string | null
  refusal: EgressRefused | null
}

function hasSent({ hops, connected }: Journey): boolean {
  return hops > 0 || connected !== null
}

/** After a redirect it is no longer true that nothing was sent. */
function onTheWay(
  end: Exclude<EgressResult, { kind: 'response' | 'timeout' | 'cancelled' }>,
  journey: Journey,
): EgressResult {
  if (journey.hops === 0) return end
  const why = end.kind === 'refused' ? `${end.reason}, ${end.detail}` : end.message
  return {
    kind: 'failed',
    reason: 'redirect',
    message: `A redirect of the same host could not be followed: ${why}.`,
    sent: true,
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

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'REPORT'])

/** Names the header and never its value, which may be a secret. */
function objectionTo({ method, headers }: EgressRequest): EgressRefused | null {
  if (!methods.has(method)) return { kind: 'refused', reason: 'method', detail: method }
  for (const [name, value] of Object.entries(headers)) {
    const isSound = /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)
    if (!isSound || reservedHeaders.has(name.toLowerCase()))
      return { kind: 'refused', reason: 'header', detail: name }
  }
  return null
}

interface Exchange {
  readonly first: Target
  readonly dial: buildConnector.connector
  readonly limits: EgressLimits
  readonly stop: AbortSignal
}

async function exchange(
  request: EgressRequest,
  journey: Journey,
  addresses: readonly string[],
  { first, dial, limits, stop }: Exchange,
): Promise<EgressResult | 'led on'> {
  const { hop } = journey
  journey.connected = null
  const client = new Client(hop.target.origin, {
    connect: connectorTo(journey, addresses, dial),
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: 32 * 1024,
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  try {
    const response = await client.request({
      method: hop.method,
      path: hop.target.path,
      headers: { ...hop.headers, 'accept-encoding': 'gzip, deflate, br' },
      body: hop.body,
      signal: stop,
    })
    const headers = definedHeaders(response.headers)
    const location = locationOf(response.statusCode, headers, hop.url)
    const pinned = request.pinned ?? { headers: [], body: false }
    const following = { rule: request.redirects, first, pinned }
    const next = location === null ? null : nextHop(hop, response.statusCode, location, following)
    if (next !== null && journey.hops < mostHops) {
      // Nobody reads what a redirect says besides where it leads.
      response.body.on('error', () => undefined).destroy()
      journey.hop = next
      journey.hops += 1
      return 'led on'
    }
    const encoding = hop.method === 'HEAD' ? '' : String(headers['content-encoding'] ?? '')
    const maxBytes = Math.min(request.maxBytes, limits.maxBytes)
    const heard = request.listen?.({ status: response.statusCode, headers })
    const reading = { ...limits, heard, isPatient: request.isPatient }
    return {
      kind: 'response',
      url: hop.url,
      status: response.statusCode,
      headers,
      body: await readBody(response.body, encoding, maxBytes, reading, stop),
      location,
      remoteAddress: journey.connected ?? '',
      hops: journey.hops,
    }
  } finally {
    await client.destroy()
  }
}

function connectorTo(
  journey: Journey,
  addresses: readonly string[],
  dial: buildConnector.connector,
): buildConnector.connector {
  const { asciiHost, port } = journey.hop.target
  const servername = isIP(asciiHost) === 0 ? asciiHost : ''
  return (options, onConnected) => {
    // One hop has one connection; a second one would send the request again unasked.
    if (journey.connected !== null) {
      onConnected(new Error('the connection was lost'), null)
      return
    }
    const open = (address: string) =>
      new Promise<Parameters<typeof onConnected>[1] & object>((resolve, reject) => {
        const place = { ...options, hostname: address, port: String(port), servername }
        dial(place, (...[error, socket]: Parameters<buildConnector.Callback>) => {
          if (error === null) resolve(socket)
          else reject(error)
        })
      })
    void checkedConnect(addresses, port, open).then((connection) => {
      if (connection.kind === 'connected') {
        journey.connected = connection.address
        onConnected(null, connection.socket)
        return
      }
      if (connection.kind === 'refused') journey.refusal = connection
      onConnected(new Error(connection.kind === 'refused' ? connection.detail : connection.message), null)
    })
  }
}

function definedHeaders(
  headers: Record<string, string | string[] | undefined>,
): Record<string, string | string[]> {
  const defined: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) defined[name] = value
  return defined
}
