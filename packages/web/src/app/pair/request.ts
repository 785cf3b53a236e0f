/** Owns how this browser asks to be let in: by a link, by six words, or by a passkey. */
import {
  type DeviceReach,
  type DeviceStatement,
  idFrom,
  invitationText,
  linkText,
  type PairingInfo,
  pairingText,
  statementText,
} from '@countersign/contract'
import type { PairingCalls } from '@countersign/contract/client'
import { base64Url, sha256 } from '../../data/digest.ts'
import {
  type BrowserKey,
  freshNonce,
  linkProof,
  makeKey,
  type PairedKey,
  signText,
} from '../../data/identity.ts'
import type { PasskeyOutcome, Passkeys } from '../../data/passkey.ts'
import { browserName, platformName } from './browser-name.ts'

export interface PairingRequest {
  readonly id: string
  readonly key: BrowserKey
  readonly name: string
  readonly expiresAt: string
  readonly words: readonly string[]
}

/** What a browser asks for: to decide and to seal. The one that lets it in may give less. */
const wantedReach: DeviceReach = 3

/** With the secret of a link the operator's program knows who asks, and from elsewhere nobody may ask without. */
export async function askToPair(
  pairing: PairingCalls,
  info: PairingInfo,
  secret: string | null,
): Promise<PairingRequest> {
  const key = await makeKey(info)
  const nonce = freshNonce()
  const text = pairingText(info.key, key.publicKey, nonce)
  const name = browserName(navigator.userAgent)
  const { id, expiresAt } = await pairing.request({
    key: key.publicKey,
    name,
    platform: platformName(navigator.userAgent),
    reach: wantedReach,
    nonce,
    signature: await signText(key, text),
    ...(secret === null
      ? {}
      : {
          proof: await linkProof(secret, linkText(key.publicKey, nonce)),
          invitation: base64Url(await sha256(invitationText(secret))),
        }),
  })
  const { pairingWords } = await import('@countersign/contract/words')
  return { id, key, name, expiresAt, words: pairingWords(await sha256(text)) }
}

export function paired(
  asked: Pick<PairingRequest, 'key' | 'name'>,
  device: PairedKey['device'],
  now: Date,
): PairedKey {
  return { ...asked.key, device, name: asked.name, pairedAt: now.toISOString() }
}

/** The passkey states that this browser's key is a device of the operator. */
export async function pairByPasskey(
  pairing: PairingCalls,
  info: PairingInfo,
  passkeys: Passkeys,
  now: Date,
): Promise<PasskeyOutcome<PairedKey>> {
  const key = await makeKey(info)
  const name = browserName(navigator.userAgent)
  const statement: DeviceStatement = {
    v: 1,
    kind: 'device',
    gateway: info.gateway,
    at: now.toISOString(),
    device: idFrom('dev', crypto.randomUUID()),
    key: key.publicKey,
    name,
    platform: platformName(navigator.userAgent),
    reach: wantedReach,
  }
  const proof = await passkeys.prove(statementText(statement), [])
  if (proof.kind !== 'done') return proof
  await pairing.byPasskey({ statement, by: null, passkey: proof.value })
  return { kind: 'done', value: paired({ key, name }, statement.device, now) }
}
