/** Owns what this host's own device signs about others, and the six words that it compares first. */
import { createHash } from 'node:crypto'
import {
  type DeviceReach,
  type DeviceView,
  type NodePairingRequestView,
  type NodeStatement,
  nodePairingText,
  type PairingRequestView,
  type PasskeyRequestView,
  pairingText,
  passkeyRequestText,
  type SignedStatement,
  statementText,
  type TrustStatement,
} from '@countersign/contract'
import { type HostIdentity, signText } from '@countersign/contract/node'

type DescribedDevice = Pick<DeviceView, 'key' | 'name' | 'platform'>

/** Adds a device, or says anew what it may do. */
export function deviceSigned(
  identity: HostIdentity,
  device: DeviceView['id'],
  { key, name, platform }: DescribedDevice,
  reach: DeviceReach,
  now: Date,
): SignedStatement {
  return signed(identity, {
    v: 1,
    gateway: identity.trust.gateway.id,
    at: now.toISOString(),
    kind: 'device',
    device,
    key,
    name,
    platform,
    reach,
  })
}

/** Lets passkeys be made and used at the pages of this origin. */
export function originSigned(identity: HostIdentity, origin: string, now: Date): SignedStatement {
  const gateway = identity.trust.gateway.id
  return signed(identity, { v: 1, gateway, at: now.toISOString(), kind: 'origin', origin })
}

/** Lets another computer run calls, or gives it another name. */
export function nodeSigned(
  identity: HostIdentity,
  { node, executor, key, name, platform }: Omit<NodeStatement, 'v' | 'gateway' | 'at' | 'kind'>,
  now: Date,
): SignedStatement {
  const gateway = identity.trust.gateway.id
  const about = { node, executor, key, name, platform }
  return signed(identity, { v: 1, gateway, at: now.toISOString(), kind: 'node', ...about })
}

/** Takes a device or a passkey away for ever, or an origin until it is accepted again. */
export function revocationSigned(identity: HostIdentity, target: string, now: Date): SignedStatement {
  const gateway = identity.trust.gateway.id
  return signed(identity, { v: 1, gateway, at: now.toISOString(), kind: 'revoke', target })
}

/** From the gateway's key in the trust file of this host: what the gateway says of itself is not asked. */
export async function wordsFor(
  identity: HostIdentity,
  { key, nonce }: Pick<PairingRequestView, 'key' | 'nonce'>,
): Promise<string> {
  return wordsOf(pairingText(identity.trust.gateway.key, key, nonce))
}

/** Of a passkey that the device with this key made, as another device has to show them. */
export async function passkeyWordsFor(
  identity: HostIdentity,
  { credential, key, site }: Pick<PasskeyRequestView, 'credential' | 'key' | 'site'>,
  deviceKey: string,
): Promise<string> {
  const gatewayKey = identity.trust.gateway.key
  return wordsOf(passkeyRequestText({ gatewayKey, deviceKey, site, credential, key }))
}

/** With the keys of the gateway and of this device from this host, so that the gateway can put none of its own there. */
export async function nodeWordsFor(
  { trust, device }: HostIdentity,
  { key, nonce }: Pick<NodePairingRequestView, 'key' | 'nonce'>,
): Promise<string> {
  return wordsOf(
    nodePairingText({ gateway: trust.gateway.key, root: device.keys.publicKey, node: key }, nonce),
  )
}

async function wordsOf(text: string): Promise<string> {
  const { pairingWords } = await import('@countersign/contract/words')
  return pairingWords(createHash('sha256').update(text).digest()).join(' ')
}

function signed({ device: { id, keys } }: HostIdentity, statement: TrustStatement): SignedStatement {
  const signature = signText(keys.privateKey, statementText(statement))
  return { statement, by: { device: id, signature }, passkey: null }
}
