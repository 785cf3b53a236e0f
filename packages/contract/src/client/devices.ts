/** The part of the typed client that speaks of devices and passkeys, and the few calls of whoever has no device yet. */
import { z } from 'zod'
import { Receipt } from '../api.ts'
import {
  DeviceList,
  PairingInfo,
  type PairingRequestBody,
  PairingRequested,
  PairingRequestView,
  PairingState,
  type RegisterPasskey,
} from '../api-devices.ts'
import { CountersignError } from '../errors.ts'
import type { SignedStatement } from '../trust-statement.ts'
import { type Call, part } from './call.ts'
import { errorOf, type Transport } from './transport.ts'

export function deviceCalls(call: Call) {
  return {
    devices: () => call(DeviceList, 'GET', '/v1/devices'),
    /** Adds, limits or revokes. The gateway only keeps what it is given: the signature is what counts. */
    stateDevice: (signed: SignedStatement) => call(Receipt, 'POST', '/v1/devices/statements', signed),
    registerPasskey: (registered: RegisterPasskey) =>
      call(Receipt, 'POST', '/v1/devices/passkeys', registered),
    renameDevice: (id: string, name: string) =>
      call(Receipt, 'POST', `/v1/devices/${part(id)}/rename`, { name }),
    /** Who asks to be let in. */
    pairingRequests: () => call(z.array(PairingRequestView), 'GET', '/v1/pairing/requests'),
    refusePairing: (id: string) => call(Receipt, 'POST', `/v1/pairing/requests/${part(id)}/refuse`, {}),
  }
}

export type PairingCalls = ReturnType<typeof pairingCalls>

const timeoutMs = 15_000

/** Without a signature: there is no device yet. */
export function pairingCalls(url: string, send: Transport = fetch) {
  async function call<T>(shape: z.ZodType<T>, method: 'GET' | 'POST', path: string, body?: unknown) {
    const response = await send(new URL(path, url), {
      method,
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((cause: unknown) => {
      throw new CountersignError('gateway_unreachable', `No gateway answers at ${url}.`, { cause })
    })
    if (!response.ok) throw await errorOf(response)
    return shape.parse(await response.json())
  }
  return {
    info: () => call(PairingInfo, 'GET', '/v1/pairing'),
    request: (body: PairingRequestBody) => call(PairingRequested, 'POST', '/v1/pairing/requests', body),
    state: (id: string) => call(PairingState, 'GET', `/v1/pairing/requests/${part(id)}`),
    /** Lets this browser in with the proof of a passkey alone. */
    byPasskey: (signed: SignedStatement) => call(Receipt, 'POST', '/v1/pairing/by-passkey', signed),
  }
}
