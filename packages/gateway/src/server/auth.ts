/**
 * Owns who may speak. A request is signed by a paired device; the address it comes from gives nothing, and a page of
 * another origin cannot make one at all.
 */
import type { IncomingMessage } from 'node:http'
import { CountersignError, DeviceId, helloText, type OperatorId, requestText } from '@countersign/contract'
import { publicKeyOf, sha256Hex, verifyText } from '@countersign/contract/node'
import type { Actor, Kernel } from '@countersign/kernel'

export interface Speaker {
  readonly operator: OperatorId
  readonly device: DeviceId
  readonly actor: Actor
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
    return speaker
  }

  async function verified(device: DeviceId, text: string, signature: string): Promise<Speaker> {
    const known = await options.kernel.devices.lookUp(device)
    if (!known || !verifyText(publicKeyOf(known.key), text, signature)) {
      throw refused('This device is not paired, or its key does not fit.')
    }
    return { operator: known.operator, device, actor: { kind: 'operator', id: known.name } }
  }

  return {
    isOurs,
    speakerOf,
    helloFrom: (device: DeviceId, nonce: string, signature: string) =>
      verified(device, helloText(nonce, options.kernel.gateway, device), signature),
  }
}

function refused(message: string): CountersignError {
  return new CountersignError('not_authenticated', message)
}
