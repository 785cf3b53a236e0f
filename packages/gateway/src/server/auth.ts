/**
 * Owns who may speak. A request is signed by a paired device; the address it comes from gives nothing, and a page of
 * another origin cannot make one at all.
 */
import type { IncomingMessage } from 'node:http'
import {
  CountersignError,
  DeviceId,
  type DeviceReach,
  helloText,
  type OperatorId,
  requestText,
} from '@countersign/contract'
import { publicKeyOf, sha256Hex, verifyText } from '@countersign/contract/node'
import type { Actor, Kernel } from '@countersign/kernel'

export interface Speaker {
  readonly operator: OperatorId
  readonly device: DeviceId
  readonly actor: Actor
  /** The highest tier that the device may decide by itself; one of reach 0 looks only. */
  readonly reach: DeviceReach
}

export interface SignedRequest {
  readonly method: string
  readonly path: string
  readonly body: string
  readonly header: (name: string) => string | undefined
}

export type Gatekeeper = ReturnType<typeof createGatekeeper>

const clockToleranceMs = 60_000
const mostNonces = 100_000

export function createGatekeeper(options: {
  kernel: Kernel
  names: () => readonly string[]
  clock: () => Date
}) {
  const seen = new Map<string, number>()
  const seenAt = new Map<DeviceId, Date>()

  /** Exact names only: a name that merely points here is somebody else's page. */
  function isOurs(request: Pick<IncomingMessage, 'headers'>): boolean {
    const names = options.names()
    if (!names.includes(request.headers.host ?? '')) return false
    const { origin } = request.headers
    return origin === undefined || names.some((name) => origin === `http://${name}`)
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

  async function speakerOf(request: SignedRequest): Promise<Speaker> {
    const device = DeviceId.safeParse(request.header('countersign-device'))
    const time = request.header('countersign-time') ?? ''
    const nonce = request.header('countersign-nonce') ?? ''
    const now = options.clock().getTime()
    if (!device.success || nonce.length < 16 || nonce.length > 64)
      throw refused('The request is not signed by a device.')
    if (!(Math.abs(now - Date.parse(time)) < clockToleranceMs))
      throw refused('The clock of this device is off by more than a minute.')
    const text = requestText({
      method: request.method,
      path: request.path,
      bodyHash: sha256Hex(request.body),
      time,
      nonce,
      gateway: options.kernel.gateway,
      device: device.data,
    })
    const speaker = await verified(device.data, text, request.header('countersign-signature') ?? '')
    if (!useNonce(`${device.data}/${nonce}`, now)) throw refused('This request was already made.')
    allowed(speaker, request)
    return speaker
  }

  async function verified(device: DeviceId, text: string, signature: string): Promise<Speaker> {
    const known = await options.kernel.devices.lookUp(device)
    if (!known || !verifyText(publicKeyOf(known.key), text, signature)) {
      throw refused('This device is not paired, or its key does not fit.')
    }
    seenAt.set(device, options.clock())
    const { operator, name, reach } = known
    return { operator, device, actor: { kind: 'operator', id: name }, reach }
  }

  return {
    isOurs,
    speakerOf,
    /** When a device spoke last, since this process began. */
    seenAt: (device: DeviceId): Date | undefined => seenAt.get(device),
    helloFrom: (device: DeviceId, nonce: string, signature: string) =>
      verified(device, helloText(nonce, options.kernel.gateway, device), signature),
  }
}

function refused(message: string): CountersignError {
  return new CountersignError('not_authenticated', message)
}

/** Refuses what a device of this reach may not ask for. What it may decide is asked of each decision. */
function allowed({ reach, actor }: Speaker, { method, path }: SignedRequest): void {
  if (reach === 3 || method === 'GET' || method === 'HEAD') return
  if (own.test(path)) return
  if (reach === 0)
    throw new CountersignError('step_up_needed', `${actor.id} may only look.`, {
      next: 'Do it on another device, or let this one do more on the Devices screen.',
    })
  if (authority.test(path))
    throw new CountersignError('step_up_needed', `${actor.id} may decide up to T2, and this is more.`, {
      next: 'Do it on a device that seals T3, or let this one do more on the Devices screen.',
    })
}

/** What a device does for itself: a statement carries its own authority, and whoever looks may be told. */
const own = /^\/v1\/(devices\/statements|push)(\/|\?|$)/

/** What decides who is in charge, where secrets go and what may run: never from a device that could not seal it. */
const authority =
  /^\/v1\/(devices|pairing|secrets|providers|model|routes|parts|tools|policies|policy|budgets|costs|onboarding)(\/|\?|$)/
