/** The signer of a program that holds its device key in a file. */
import { randomBytes } from 'node:crypto'
import type { Signer } from '../client/signer.ts'
import { publicKeyOf, signText, verifyText } from './keys.ts'
import { sha256Hex } from './sha256.ts'
import type { HostIdentity } from './trust-file.ts'

export function fileSigner(identity: HostIdentity): Signer {
  const gatewayKey = publicKeyOf(identity.trust.gateway.key)
  return {
    device: identity.device.id,
    gateway: identity.trust.gateway.id,
    sign: (text) => Promise.resolve(signText(identity.device.keys.privateKey, text)),
    proves: (text, signature) => Promise.resolve(verifyText(gatewayKey, text, signature)),
    hash: (text) => Promise.resolve(sha256Hex(text)),
    nonce: () => randomBytes(16).toString('hex'),
    now: () => new Date(),
  }
}
