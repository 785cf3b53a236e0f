/** An authenticator in software, for tests: it says of its key what a browser and a security key say. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import type { PasskeyProof } from '@countersign/contract'

export interface AuthenticatorOptions {
  readonly site?: string
  readonly origin?: string
  /** Whether the person is verified, and not merely there. */
  readonly verifies?: boolean
  readonly present?: boolean
  readonly type?: 'webauthn.get' | 'webauthn.create'
  /** Further members of what the browser writes down. */
  readonly browserSays?: Readonly<Record<string, unknown>>
}

export interface Authenticator {
  /** The credential's id, base64url. */
  readonly credential: string
  /** The public key as COSE, base64. */
  readonly key: string
  /** Answers the SHA-256 of the text. */
  prove(text: string, changed?: AuthenticatorOptions): PasskeyProof
  /** What a browser hands over when the key was made. */
  register(
    text: string,
    changed?: AuthenticatorOptions,
  ): {
    readonly clientData: string
    readonly attestationObject: string
    readonly authenticatorData: Uint8Array
  }
}

const present = 0x01
const verified = 0x04
const attested = 0x40

export type Algorithm = 'ES256' | 'EdDSA' | 'RS256'

export function createAuthenticator(
  options: AuthenticatorOptions & { readonly algorithm?: Algorithm } = {},
): Authenticator {
  const { privateKey, cose, hash: signedHash } = makeKey(options.algorithm ?? 'ES256')
  const id = randomBytes(32)

  const headOf = (how: AuthenticatorOptions, flags: number) => {
    const head = Buffer.alloc(37)
    createHash('sha256')
      .update(how.site ?? 'localhost')
      .digest()
      .copy(head)
    head[32] = flags | (how.present === false ? 0 : present) | (how.verifies === false ? 0 : verified)
    return head
  }
  const browserData = (text: string, type: string, how: AuthenticatorOptions) =>
    Buffer.from(
      JSON.stringify({
        type: how.type ?? type,
        challenge: createHash('sha256').update(text).digest('base64url'),
        origin: how.origin ?? 'http://localhost:7347',
        crossOrigin: false,
        ...how.browserSays,
      }),
    )

  return {
    credential: id.toString('base64url'),
    key: cose.toString('base64'),
    prove(text, changed) {
      const how = { ...options, ...changed }
      const clientData = browserData(text, 'webauthn.get', how)
      const authenticatorData = headOf(how, 0)
      const hash = createHash('sha256').update(clientData).digest()
      return {
        credential: id.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64'),
        clientData: clientData.toString('base64'),
        signature: sign(signedHash, Buffer.concat([authenticatorData, hash]), privateKey).toString('base64'),
      }
    },
    register(text, changed) {
      const how = { ...options, ...changed }
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const data = Buffer.concat([headOf(how, attested), Buffer.alloc(16), length, id, cose])
      const attestation = Buffer.concat([
        Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746159', 'hex'),
        Buffer.from([data.length >> 8, data.length & 0xff]),
        data,
      ])
      return {
        clientData: browserData(text, 'webauthn.create', how).toString('base64'),
        attestationObject: attestation.toString('base64'),
        authenticatorData: new Uint8Array(data),
      }
    },
  }
}

interface MadeKey {
  readonly privateKey: KeyObject
  readonly cose: Buffer
  readonly hash: string | null
}

/** The maps that COSE writes for each kind: kind, algorithm, and what the key is made of. */
function makeKey(algorithm: Algorithm): MadeKey {
  const made = (pair: { privateKey: KeyObject; publicKey: KeyObject }, hash: string | null) => {
    const { x = '', y = '', n = '' } = pair.publicKey.export({ format: 'jwk' })
    const [bytesX, bytesY, bytesN] = [x, y, n].map((each) => Buffer.from(each, 'base64url').toString('hex'))
    const maps = {
      ES256: `a5010203262001215820${bytesX}225820${bytesY}`,
      EdDSA: `a4010103272006215820${bytesX}`,
      RS256: `a401030339010020590100${bytesN}2143010001`,
    }
    return { privateKey: pair.privateKey, cose: Buffer.from(maps[algorithm], 'hex'), hash }
  }
  switch (algorithm) {
    case 'ES256':
      return made(generateKeyPairSync('ec', { namedCurve: 'P-256' }), 'sha256')
    case 'EdDSA':
      return made(generateKeyPairSync('ed25519'), null)
    case 'RS256':
      return made(generateKeyPairSync('rsa', { modulusLength: 2048 }), 'sha256')
  }
}
