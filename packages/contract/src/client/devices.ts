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
import { jsonIn } from '../json/plain.ts'
import type { SignedStatement } from '../trust-statement.ts'
import { type Call, part } from './call.ts'
import { ask, type ProofPorts, provableAddress, provenText, requireProof, unproven } from './proof.ts'
import type { Transport } from './transport.ts'

export function deviceCalls(call: Call) {
  return {
    devices: () => call(DeviceList, 'GET', '/v1/devices'),
    /** Adds, limits or revokes. The gateway only keeps what it is given: the signature is what counts. */
    stateDevice: (signed: SignedStatement) => call(Receipt, 'POST', '/v1/devices/statements', signed),
    registerPasskey: (registered: RegisterPasskey) =>
      call(Receipt, 'POST', '/v1/devices/passkeys', registered),
    renameDevice: (id: string, name: string) =>
      call(Receipt, 'POST', `/v1/devices/${part(id)}/rename`, { name }),
    /** Pending pairing requests. */
    pairingRequests: () => call(z.array(PairingRequestView), 'GET', '/v1/pairing/requests'),
    refusePairing: (id: string) => call(Receipt, 'POST', `/v1/pairing/requests/${part(id)}/refuse`, {}),
  }
}

export type PairingCalls = ReturnType<typeof pairingCalls>

const timeoutMs = 15_000

export interface PairingOptions {
  readonly url: string
  readonly fetch?: Transport
  /** Whether the gateway that answers may be this one. Its key is proven before. */
  readonly isExpected: (info: PairingInfo) => boolean | Promise<boolean>
  readonly ports: PairingPorts
}

/** What is needed of the machine: there is no signer yet. */
export interface PairingPorts {
  nonce(): string
  /** SHA-256 of the text, hex. */
  hash(text: string): Promise<string>
  /** Ed25519; the key as its raw 32 bytes, base64. */
  verify(key: string, text: string, signature: string): Promise<boolean>
}

/** Without a signature: there is no device yet. The gateway proves the key that it names, and keeps to it. */
export function pairingCalls({ url, fetch: given, isExpected, ports }: PairingOptions) {
  const send: Transport = given ?? fetch
  const address = provableAddress(url)
  let known: PairingInfo | undefined

  async function asked(method: 'GET' | 'POST', path: string, body?: unknown) {
    const question = { method, path, nonce: ports.nonce(), address }
    const sent = { timeoutMs, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    return { question, response: await ask(send, url, question, sent) }
  }

  /** By the key that the gateway itself names: it holds that key, and it answers for this address. */
  async function info(): Promise<PairingInfo> {
    const { question, response } = await asked('GET', '/v1/pairing')
    const text = await response.text()
    const told = PairingInfo.safeParse(jsonIn(text))
    if (!response.ok || !told.success)
      throw new CountersignError('gateway_unreachable', `No gateway identifies itself at ${url}.`)
    const { gateway, key } = told.data
    await requireProof(url, { ...question, gateway }, response, await ports.hash(text), provenBy(key))
    const before = known
    if ((before !== undefined && before.key !== key) || !(await isExpected(told.data))) throw unproven(url)
    known = told.data
    return told.data
  }

  const provenBy = (key: string): ProofPorts => ({
    hash: ports.hash,
    proves: (text, signature) => ports.verify(key, text, signature),
  })

  async function call<T>(shape: z.ZodType<T>, method: 'GET' | 'POST', path: string, body?: unknown) {
    const { gateway, key } = known ?? (await info())
    const { question, response } = await asked(method, path, body)
    return shape.parse(JSON.parse(await provenText(url, { ...question, gateway }, response, provenBy(key))))
  }
  return {
    info,
    request: (body: PairingRequestBody) => call(PairingRequested, 'POST', '/v1/pairing/requests', body),
    state: (id: string) => call(PairingState, 'GET', `/v1/pairing/requests/${part(id)}`),
    /** Lets this browser in with the proof of a passkey alone. */
    byPasskey: (signed: SignedStatement) => call(Receipt, 'POST', '/v1/pairing/by-passkey', signed),
  }
}
