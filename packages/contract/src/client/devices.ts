/** The part of the typed client that speaks of devices and passkeys, and the few calls of whoever has no device yet. */
import type { PairingInfo, PairingInvitation, PairingRequestBody, RegisterPasskey } from '../api-devices.ts'
import { CountersignError } from '../errors.ts'
import { jsonIn } from '../json/plain.ts'
import { deviceRoutes } from '../routes/devices.ts'
import type { SignedStatement } from '../trust-statement.ts'
import { type Call, type ClientRequest, callBy, requestOf } from './call.ts'
import { passkeyRequestCalls } from './passkey-requests.ts'
import { ask, type ProofPorts, provableAddress, provenText, requireProof, unproven } from './proof.ts'
import type { Transport } from './transport.ts'

export function deviceCalls(call: Call) {
  return {
    devices: () => call(deviceRoutes.devices),
    /** Adds, limits or revokes. The gateway only keeps what it is given: the signature is what counts. */
    stateDevice: (signed: SignedStatement) => call(deviceRoutes.stateDevice, { body: signed }),
    registerPasskey: (registered: RegisterPasskey) =>
      call(deviceRoutes.registerPasskey, { body: registered }),
    ...passkeyRequestCalls(call),
    renameDevice: (id: string, name: string) =>
      call(deviceRoutes.renameDevice, { params: { id }, body: { name } }),
    invite: (invitation: PairingInvitation) => call(deviceRoutes.invite, { body: invitation }),
    /** Who asks to be let in. */
    pairingRequests: () => call(deviceRoutes.pairingRequests),
    refusePairing: (id: string) => call(deviceRoutes.refusePairing, { params: { id } }),
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

  async function asked({ method, path, body }: ClientRequest) {
    const question = { method, path, nonce: ports.nonce(), address }
    const sent = { timeoutMs, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
    return { question, response: await ask(send, url, question, sent) }
  }

  /** By the key that the gateway itself names: it holds that key, and it answers for this address. */
  async function info(): Promise<PairingInfo> {
    const { question, response } = await asked(requestOf(deviceRoutes.pairing))
    const text = await response.text()
    const told = deviceRoutes.pairing.reply.safeParse(jsonIn(text))
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

  const call = callBy(async (request) => {
    const { gateway, key } = known ?? (await info())
    const { question, response } = await asked(request)
    return provenText(url, { ...question, gateway }, response, provenBy(key))
  })

  return {
    info,
    request: (body: PairingRequestBody) => call(deviceRoutes.requestPairing, { body }),
    state: (id: string) => call(deviceRoutes.pairingState, { params: { id } }),
    /** Lets this browser in with the proof of a passkey alone. */
    byPasskey: (signed: SignedStatement) => call(deviceRoutes.pairByPasskey, { body: signed }),
  }
}
