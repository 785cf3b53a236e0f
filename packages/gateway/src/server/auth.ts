/**
 * Owns who may speak. A request is signed by a paired device; the address it comes from gives nothing, and a page of
 * another origin cannot make one at all.
 */
import {
  addressHeader,
  CountersignError,
  DeviceId,
  type DeviceReach,
  helloText,
  type OperatorId,
  requestText,
} from '@countersign/contract'
import { publicKeyOf, sha256Hex, verifyText } from '@countersign/contract/node'
import type { Kernel } from '@countersign/kernel'
import { withinTime } from '../within-time.ts'
import type { Prover } from './proof.ts'
import type { ReceivedRequest, RequestPlace, RequestPlaces } from './request-place.ts'
import type { RequestSender } from './request-sender.ts'

export interface SignedRequest {
  readonly method: string
  /** As it was sent, which is what the device signed. */
  readonly path: string
  /** As the router reads it, decoded and without the query: what is decided on is what is done. */
  readonly routed: string
  readonly body: string
  readonly header: (name: string) => string | undefined
}

export interface Hello {
  readonly nonce: string
  /** The address that the gateway proved in its challenge. */
  readonly address: string
  readonly signature: string
}

export type RequestAuthenticator = ReturnType<typeof createRequestAuthenticator>

const clockToleranceMs = 60_000
const mostNonces = 100_000
/** What a browser says of a request that a page of somebody else made; another port is the same site. */
const foreign: ReadonlySet<string> = new Set(['cross-site', 'same-site'])

export function createRequestAuthenticator(options: {
  kernel: Kernel
  /** Whom this gateway serves. Providers, secrets and settings are theirs, so nobody else's device is let in. */
  operator: OperatorId
  places: RequestPlaces
  prover: Pick<Prover, 'addressFor'>
  clock: () => Date
  /** Since when nobody else can have our port; undefined before. */
  openSince: () => Date | undefined
}) {
  const seen = new Map<string, number>()
  const seenAt = new Map<DeviceId, Date>()

  /**
   * Exact names only: a name that merely points here is somebody else's page. Another page may lead a person to a page
   * of ours, and may not reach the API behind it. Undefined for what is not ours.
   */
  function placeOf(request: ReceivedRequest, wanted: 'api' | 'page' = 'api'): RequestPlace | undefined {
    const place = options.places.of(request)
    if (place === undefined) return undefined
    if (wanted === 'api' && foreign.has(String(request.headers['sec-fetch-site']))) return undefined
    const { origin } = request.headers
    return origin === undefined || options.places.isPage(origin, place) ? place : undefined
  }

  function useNonce(nonce: string, now: number): boolean {
    for (const [old, at] of seen) {
      if (now - at < 2 * clockToleranceMs && seen.size < mostNonces) break
      seen.delete(old)
    }
    if (seen.has(nonce)) return false
    seen.set(nonce, now)
    return true
  }

  /** While we were away another program could have our port, and would keep what it was sent. */
  function isFromBefore(time: string): boolean {
    const since = options.openSince()
    return since === undefined || Date.parse(time) < since.getTime()
  }

  async function speakerOf(request: SignedRequest): Promise<RequestSender> {
    const device = DeviceId.safeParse(request.header('countersign-device'))
    const time = request.header('countersign-time') ?? ''
    const nonce = request.header('countersign-nonce') ?? ''
    const now = options.clock().getTime()
    if (!device.success || nonce.length < 16 || nonce.length > 64)
      throw refusedRequest('The request is not signed by a device.')
    if (!(Math.abs(now - Date.parse(time)) < clockToleranceMs)) throw wrongClock(now, time)
    // Whoever has a clock that is a little behind is let in after as much time, and need not be paired again.
    if (isFromBefore(time))
      throw new CountersignError(
        'clock_wrong',
        'The request was signed before this gateway started, so it may be a replay.',
        { next: 'Try again in a moment.' },
      )
    const text = requestText({
      method: request.method,
      path: request.path,
      bodyHash: sha256Hex(request.body),
      time,
      nonce,
      gateway: options.kernel.gateway,
      device: device.data,
      // What was signed for another address was not meant for us, whoever passed it on.
      address: options.prover.addressFor(request.header(addressHeader)),
    })
    const speaker = await verified(device.data, text, request.header('countersign-signature') ?? '')
    if (!useNonce(`${device.data}/${nonce}`, now)) throw refusedRequest('This request was already made.')
    allowed(speaker, request)
    return speaker
  }

  /** Who was known before may have been revoked, so without an answer nobody is let in. */
  async function lookedUp(device: DeviceId) {
    const found = await withinTime(options.kernel.devices.lookUp(device))
    if ('value' in found) return found.value
    throw new CountersignError('database_unavailable', `The database does not respond: ${found.problem}`)
  }

  async function verified(device: DeviceId, text: string, signature: string): Promise<RequestSender> {
    const known = await lookedUp(device)
    const isTheirs = known?.operator === options.operator
    if (!known || !isTheirs || !verifyText(publicKeyOf(known.key), text, signature)) {
      throw refusedRequest(
        'This device is not paired, its key does not match, or the request is for another address.',
      )
    }
    seenAt.set(device, options.clock())
    const { operator, name, reach } = known
    return { operator, device, actor: { kind: 'operator', id: name }, reach }
  }

  return {
    placeOf,
    speakerOf,
    /** When a device spoke last, since this process began. */
    seenAt: (device: DeviceId): Date | undefined => seenAt.get(device),
    helloFrom: (device: DeviceId, { nonce, address, signature }: Hello) =>
      verified(device, helloText({ nonce, gateway: options.kernel.gateway, device, address }), signature),
  }
}

function refusedRequest(message: string): CountersignError {
  return new CountersignError('not_authenticated', message)
}

/** With both times, so that a person sees which of the two is wrong. */
function wrongClock(now: number, time: string): CountersignError {
  const theirs = new Date(time)
  const told = Number.isNaN(theirs.getTime()) ? 'none' : shortTime(theirs)
  return new CountersignError(
    'clock_wrong',
    `The clock of this device and that of the gateway differ by more than a minute: ${told} here, ${shortTime(new Date(now))} there (UTC).`,
    { details: { now: new Date(now).toISOString() } },
  )
}

function shortTime(moment: Date): string {
  return moment.toISOString().slice(0, 19).replace('T', ' ')
}

/** Refuses what a device of this reach may not ask for. What it may decide is asked of each decision. */
function allowed({ reach, actor }: RequestSender, { method, path, routed }: SignedRequest): void {
  if (isForeignRequest(path) || isForeignRequest(routed))
    throw new CountersignError('usage', 'The first part of the path must not contain percent signs.', {
      next: 'Write it as in docs/api.md.',
    })
  if (reach === 3 || method === 'GET' || method === 'HEAD') return
  // None of what they may do has a name in it that needs an escape.
  if (!path.split('?')[0]?.includes('%') && mayAsk(reach, `${method} ${routed}`)) return
  throw reach === 0
    ? new CountersignError('step_up_needed', `${actor.id} may only look.`, {
        next: 'Use another device, or raise the access of this one on the Devices screen.',
      })
    : new CountersignError(
        'step_up_needed',
        `${actor.id} may not decide what leaves your hands, and this does.`,
        {
          next: 'Use a device that may, or raise the access of this one on the Devices screen.',
        },
      )
}

/** Which room is meant is spelled out; a name in it may need an escape. */
function isForeignRequest(path: string): boolean {
  return /^\/[^/?]*(\/[^/?]*)?%/.test(path)
}

/** Whatever is not named here needs a device that seals. */
function mayAsk(reach: DeviceReach, asked: string): boolean {
  const may = reach === 2 ? [...own, ...deciding] : own
  return may.some((each) => each.test(asked))
}

/** What a device does for itself: a statement carries its own authority, and whoever looks may be told. */
const own: readonly RegExp[] = [
  /^POST \/v1\/devices\/statements$/,
  /^(POST|DELETE) \/v1\/push$/,
  /^PUT \/v1\/push\/preferences$/,
  /^POST \/v1\/push\/test$/,
  // A device cosigns what it saw, under its own name.
  /^POST \/v1\/ledger\/witnesses\/seen$/,
]

/** What a device that decides up to T2 may do besides: talk, answer, hold back, and keep its conversations in order. */
const deciding: readonly RegExp[] = [
  /^POST \/v1\/messages$/,
  /^POST \/v1\/approvals\/[\w-]+\/(decision|ask|extend)$/,
  /^POST \/v1\/questions\/[\w-]+\/(?:answer|reply)$/,
  /^POST \/v1\/runs\/[\w-]+\/stop$/,
  // As much as sending its message again.
  /^POST \/v1\/runs\/[\w-]+\/retry$/,
  /^POST \/v1\/pause$/,
  /^POST \/v1\/ledger\/witnesses\/complaints$/,
  /^POST \/v1\/grants\/[\w-]+\/revoke$/,
  /^POST \/v1\/grants\/prune$/,
  /^POST \/v1\/asked-for\/[\w-]+\/take-back$/,
  // It asks, and nothing more.
  /^POST \/v1\/unasked\/[\w-]+\/(ask|dismiss)$/,
  /^POST \/v1\/files\/(trust|distrust)$/,
  /^POST \/v1\/sessions\/[\w-]+\/archive$/,
  /^PUT \/v1\/sessions\/[\w-]+\/title$/,
]
