/**
 * Owns what a passkey must show: that a person was there and verified, at the site that it was made for, over exactly
 * this text. The library is large, so it is loaded by the first passkey and not before.
 */
import { Buffer } from 'node:buffer'
import { createHash } from 'node:crypto'
import type { PasskeyProof } from '@countersign/contract'
import type { ProofSubject, VerifyPasskey } from '@countersign/contract/node'

export interface Registration {
  readonly clientData: string
  readonly attestationObject: string
}

export interface PasskeyRules {
  /** The ports of this computer at which the page may have been; any, where none is named. */
  readonly ports?: readonly number[]
  /** The origins elsewhere at which this program has pages; all that were accepted, where none is named. */
  readonly pages?: readonly string[]
}

/** Signed by the authenticator or not: whatever goes wrong on the way, the answer is no. */
export const verifyPasskey: VerifyPasskey = passkeyVerifier()

/** For who knows at which ports the pages are, as a gateway does. */
export function passkeyVerifier(rules: () => PasskeyRules = () => ({})): VerifyPasskey {
  return async (proof, { key, site, text, origins }) => {
    if (![proof.authenticatorData, proof.clientData, proof.signature, key].every(isCanonical)) return false
    if (isCurveKey(key) && !isOneSpelling(Buffer.from(proof.signature, 'base64'))) return false
    const origin = originIn(proof.clientData, { site, origins }, rules())
    if (origin === undefined) return false
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
    try {
      const { verified } = await verifyAuthenticationResponse({
        response: responseOf(proof),
        expectedChallenge: challengeOf(text),
        expectedOrigin: origin,
        expectedRPID: site,
        // No counter is kept: a passkey that is synchronised has none, and an append-only file could not count.
        credential: {
          id: proof.credential,
          publicKey: new Uint8Array(Buffer.from(key, 'base64')),
          counter: 0,
        },
        requireUserVerification: true,
      })
      return verified
    } catch {
      // The library tells every refusal by throwing.
      return false
    }
  }
}

/** The key that the authenticator made, in answer to the SHA-256 of this text. Undefined when it does not hold. */
export async function registeredKey(
  registration: Registration & { readonly credential: string },
  about: Omit<ProofSubject, 'key'>,
  rules: PasskeyRules = {},
): Promise<string | undefined> {
  const origin = originIn(registration.clientData, about, rules)
  if (origin === undefined) return undefined
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        id: registration.credential,
        rawId: registration.credential,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: toBase64Url(registration.clientData),
          attestationObject: toBase64Url(registration.attestationObject),
        },
      },
      expectedChallenge: challengeOf(about.text),
      expectedOrigin: origin,
      expectedRPID: about.site,
      requireUserVerification: true,
    })
    if (!verified || registrationInfo.credential.id !== registration.credential) return undefined
    return Buffer.from(registrationInfo.credential.publicKey).toString('base64')
  } catch {
    return undefined
  }
}

/** The origin that the browser wrote down, if it is a page of the site that it may be. */
function originIn(
  clientData: string,
  { site, origins }: Pick<ProofSubject, 'site' | 'origins'>,
  { ports, pages }: PasskeyRules,
): string | undefined {
  const data = jsonIn(Buffer.from(clientData, 'base64').toString('utf8'))
  if (!data || data['crossOrigin'] === true || data['topOrigin'] !== undefined) return undefined
  const origin = data['origin']
  const url = typeof origin === 'string' ? URL.parse(origin) : null
  if (typeof origin !== 'string' || !url || url.origin !== origin || url.hostname !== site) return undefined
  if (url.protocol === 'https:')
    return origins.includes(origin) && (pages === undefined || pages.includes(origin)) ? origin : undefined
  // Only the machine itself needs no certificate to be what it says.
  if (url.protocol !== 'http:' || site !== 'localhost') return undefined
  return ports === undefined || ports.includes(Number(url.port || 80)) ? origin : undefined
}

function jsonIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

function responseOf({ credential, authenticatorData, clientData, signature }: PasskeyProof) {
  return {
    id: credential,
    rawId: credential,
    type: 'public-key' as const,
    clientExtensionResults: {},
    response: {
      authenticatorData: toBase64Url(authenticatorData),
      clientDataJSON: toBase64Url(clientData),
      signature: toBase64Url(signature),
    },
  }
}

function challengeOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url')
}

function toBase64Url(base64: string): string {
  return Buffer.from(base64, 'base64').toString('base64url')
}

/** Two spellings of one proof would be two proofs. */
function isCanonical(base64: string): boolean {
  return Buffer.from(base64, 'base64').toString('base64') === base64
}

/** In the order that authenticators must write, the kind of the key comes first. */
function isCurveKey(key: string): boolean {
  const bytes = Buffer.from(key, 'base64')
  return bytes[1] === 1 && bytes[2] === 2
}

/** Two whole numbers as DER writes them; the library also takes other spellings of the same two. */
function isOneSpelling(signature: Uint8Array): boolean {
  if (signature[0] !== 0x30 || signature[1] !== signature.length - 2) return false
  const second = endOfNumber(signature, 2)
  return second !== undefined && endOfNumber(signature, second) === signature.length
}

function endOfNumber(bytes: Uint8Array, start: number): number | undefined {
  const [tag = 0, length = 0, first = 0, next = 0] = bytes.subarray(start, start + 4)
  if (tag !== 0x02 || length === 0 || first >= 0x80) return undefined
  return first === 0 && length > 1 && next < 0x80 ? undefined : start + 2 + length
}
