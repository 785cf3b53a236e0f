/**
 * Owns the browser's passkeys: making one, and having one prove that its person was here for exactly this challenge.
 * The private key never leaves the authenticator.
 */

import type { PasskeyProof, RegisterPasskey } from '@countersign/contract'
import { attestedKey } from '@countersign/contract/client'
import { words } from '../words/deciding.ts'
import { base64, base64Url, bytesOfBase64Url, sha256 } from './digest.ts'

export interface MadePasskey {
  readonly credential: string
  /** The public key as COSE, base64. */
  readonly key: string
  readonly site: string
  /** What the authenticator answered, for the gateway to check. */
  readonly registration: RegisterPasskey['registration']
}

export type PasskeyOutcome<T> =
  | { readonly kind: 'done'; readonly value: T }
  /** The person closed the window, or it took too long. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'impossible'; readonly reason: string }

export interface Passkeys {
  /** Why none can be used here, or null. */
  readonly problem: () => string | null
  /** `text` is `registrationText` of the contract: a key made for it counts for nothing else. */
  readonly make: (about: {
    readonly text: string
    readonly name: string
    readonly exclude: readonly string[]
  }) => Promise<PasskeyOutcome<MadePasskey>>
  /** With no credentials named, the person may pick any that this site has. */
  readonly prove: (text: string, credentials: readonly string[]) => Promise<PasskeyOutcome<PasskeyProof>>
}

export function createPasskeys(window: Window & typeof globalThis): Passkeys {
  const site = window.location.hostname
  const problem = () => {
    if (!window.isSecureContext) return words.passkey.insecure(window.location.origin)
    if (/^[\d.]+$|^\[/.test(site)) return words.passkey.address(window.location.port)
    if (!('PublicKeyCredential' in window)) return words.passkey.missing
    return null
  }
  return {
    problem,
    async make({ text, name, exclude }) {
      const reason = problem()
      if (reason !== null) return { kind: 'impossible', reason }
      return attempt(async () => {
        const made = (await window.navigator.credentials.create({
          publicKey: {
            rp: { id: site, name: 'Countersign' },
            user: { id: window.crypto.getRandomValues(new Uint8Array(32)), name, displayName: name },
            challenge: await sha256(text),
            pubKeyCredParams: [
              { type: 'public-key', alg: -8 },
              { type: 'public-key', alg: -7 },
              { type: 'public-key', alg: -257 },
            ],
            authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
            excludeCredentials: exclude.map(descriptor),
            timeout: patienceMs,
          },
        })) as PublicKeyCredential
        const answer = made.response as AuthenticatorAttestationResponse
        const key = attestedKey(new Uint8Array(answer.getAuthenticatorData()))
        if (key === undefined) throw new DOMException('it made no key that can be read', 'DataError')
        return {
          ...key,
          site,
          registration: {
            clientData: base64(new Uint8Array(answer.clientDataJSON)),
            attestationObject: base64(new Uint8Array(answer.attestationObject)),
          },
        }
      })
    },
    async prove(text, credentials) {
      const reason = problem()
      if (reason !== null) return { kind: 'impossible', reason }
      return attempt(async () => {
        const proved = (await window.navigator.credentials.get({
          publicKey: {
            rpId: site,
            challenge: await sha256(text),
            allowCredentials: credentials.map(descriptor),
            userVerification: 'required',
            timeout: patienceMs,
          },
        })) as PublicKeyCredential
        const answer = proved.response as AuthenticatorAssertionResponse
        return {
          credential: base64Url(new Uint8Array(proved.rawId)),
          authenticatorData: base64(new Uint8Array(answer.authenticatorData)),
          clientData: base64(new Uint8Array(answer.clientDataJSON)),
          signature: base64(new Uint8Array(answer.signature)),
        }
      })
    },
  }
}

const patienceMs = 120_000

function descriptor(credential: string): PublicKeyCredentialDescriptor {
  return { type: 'public-key', id: bytesOfBase64Url(credential) }
}

async function attempt<T>(run: () => Promise<T>): Promise<PasskeyOutcome<T>> {
  try {
    return { kind: 'done', value: await run() }
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    if (error.name === 'NotAllowedError' || error.name === 'AbortError') return { kind: 'cancelled' }
    if (error.name === 'InvalidStateError') return { kind: 'impossible', reason: words.passkey.exists }
    return { kind: 'impossible', reason: words.passkey.failed(error.message) }
  }
}
