/**
 * Owns the key of this browser: made here, kept here, and not to be read out by anybody, this page included. One for
 * each gateway. Refuses to sign for a gateway that it was not paired with.
 */
import type { DeviceId, GatewayId, PairingInfo } from '@countersign/contract'
import type { PairingPorts, Signer } from '@countersign/contract/client'
import { base64, base64Url, bytesOfBase64Url, sha256Hex } from './digest.ts'

export interface BrowserKey {
  readonly gateway: GatewayId
  /** The gateway's own public key, by which this browser knows it. */
  readonly gatewayKey: string
  readonly pair: CryptoKeyPair
  /** Ed25519, the raw 32 bytes, base64. */
  readonly publicKey: string
}

export interface PairedKey extends BrowserKey {
  readonly device: DeviceId
  readonly name: string
  readonly pairedAt: string
}

/** Keeps keys by gateway. */
export interface KeyStore {
  get(gateway: GatewayId): Promise<PairedKey | undefined>
  put(key: PairedKey): Promise<void>
  remove(gateway: GatewayId): Promise<void>
}

const algorithm = { name: 'Ed25519' } as const

export async function makeKey({
  gateway,
  key: gatewayKey,
}: Pick<PairingInfo, 'gateway' | 'key'>): Promise<BrowserKey> {
  const pair = (await crypto.subtle.generateKey(algorithm, false, ['sign', 'verify'])) as CryptoKeyPair
  const raw = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey))
  return { gateway, gatewayKey, pair, publicKey: base64(raw) }
}

/** Ed25519 over the text, base64. */
export async function signText(key: BrowserKey, text: string): Promise<string> {
  const signature = await crypto.subtle.sign(algorithm, key.pair.privateKey, new TextEncoder().encode(text))
  return base64(new Uint8Array(signature))
}

/** Whether the holder of an Ed25519 key, the raw 32 bytes as base64, signed the text. */
export async function verifyText(publicKey: string, text: string, signature: string): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', bytesOfBase64Url(publicKey), algorithm, false, ['verify'])
  return crypto.subtle.verify(algorithm, key, bytesOfBase64Url(signature), new TextEncoder().encode(text))
}

/** For a page that has no key yet. */
export const pairingMeans: PairingPorts = { nonce: freshNonce, hash: sha256Hex, verify: verifyText }

/** A number that was never used before, as text. */
export function freshNonce(): string {
  return base64Url(crypto.getRandomValues(new Uint8Array(24)))
}

export function createSigner(key: PairedKey, now: () => Date): Signer {
  return {
    device: key.device,
    gateway: key.gateway,
    sign: (text) => signText(key, text),
    proves: (text, signature) => verifyText(key.gatewayKey, text, signature),
    hash: sha256Hex,
    nonce: freshNonce,
    now,
  }
}

/** Proof of the secret in a link from the operator's own program; the secret itself stays here. */
export async function linkProof(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder()
  const key = await crypto.subtle.importKey(
    'raw',
    encoder.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  )
  return base64(new Uint8Array(await crypto.subtle.sign('HMAC', key, encoder.encode(text))))
}
