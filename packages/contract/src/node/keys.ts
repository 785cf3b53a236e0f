/** Owns Ed25519 keys on disk and the signatures made with them. Refuses a key file that others can read. */
import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { CountersignError } from '../errors.ts'
import { writeNew } from './files.ts'
import { sha256Hex } from './sha256.ts'

export interface KeyPair {
  readonly privateKey: KeyObject
  /** The raw 32 bytes, base64. */
  readonly publicKey: string
}

const spkiPrefix = Buffer.from('302a300506032b6570032100', 'hex')

export function generateKey(): KeyPair {
  return pairOf(generateKeyPairSync('ed25519').privateKey)
}

export function readKey(path: string): KeyPair {
  const mode = statSync(path).mode & 0o077
  if (mode !== 0 && process.platform !== 'win32') {
    throw new CountersignError(
      'config_invalid',
      `The key ${path} can be read by others. Run \`chmod 600 ${path}\`.`,
    )
  }
  return pairOf(createPrivateKey(readFileSync(path, 'utf8')))
}

/** Reads the key, or makes it with mode 0600. Two processes at once end with the same key. */
export function readOrCreateKey(path: string): KeyPair {
  const fresh = generateKey()
  writeNew(path, fresh.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string)
  return readKey(path)
}

export function publicKeyOf(raw: string): KeyObject {
  return createPublicKey({
    key: Buffer.concat([spkiPrefix, Buffer.from(raw, 'base64')]),
    format: 'der',
    type: 'spki',
  })
}

export function fingerprint(rawPublicKey: string): string {
  return sha256Hex(Buffer.from(rawPublicKey, 'base64'))
}

export function signText(key: KeyObject, text: string): string {
  return sign(null, Buffer.from(text), key).toString('base64')
}

export function verifyText(key: KeyObject, text: string, signature: string): boolean {
  const bytes = Buffer.from(signature, 'base64')
  return bytes.length === 64 && verify(null, Buffer.from(text), key, bytes)
}

function pairOf(privateKey: KeyObject): KeyPair {
  const spki = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  return { privateKey, publicKey: spki.subarray(spkiPrefix.length).toString('base64') }
}
