/** Opens signed checkpoints (C2SP signed notes, Ed25519). Refuses any second spelling of the same note. */
import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto'
import { bytesOfBase64 } from './base64.ts'
import { type FailureCode, quoted } from './failure.ts'
import type { Hash } from './merkle.ts'

export interface VerifierKey {
  readonly vkey: string
  readonly name: string
  readonly publicKey: KeyObject
  /** The four bytes that name this key in a signature line. */
  readonly id: string
}

export interface SignedHead {
  readonly kind: 'head'
  readonly size: number
  readonly root: Hash
  /** Names of the witnesses whose keys are known and who cosigned it. */
  readonly cosigners: readonly string[]
  /** Signatures by other keys, which were not checked. */
  readonly others: number
}

export interface RefusedNote {
  readonly kind: 'refused'
  readonly code: FailureCode
  readonly what: string
}

export type SignatureCheck = (key: KeyObject, text: Uint8Array, signature: Uint8Array) => boolean

/** Ed25519 over the note itself, or over a time and the note (C2SP cosignature/v1). */
export const keyTypes = { log: 1, witness: 4 } as const

export function parseKey(vkey: string, type: number = keyTypes.log): VerifierKey | undefined {
  const [name, id, encoded, ...more] = splitAtPlus(vkey)
  if (name === undefined || id === undefined || encoded === undefined || more.length > 0) return undefined
  const bytes = bytesOfBase64(encoded)
  if (!isName(name) || bytes === undefined || bytes.length !== 33 || bytes[0] !== type) return undefined
  const expected = hash('sha256', Buffer.concat([Buffer.from(`${name}\n`), bytes]), 'hex').slice(0, 8)
  if (id !== expected) return undefined
  const publicKey = createPublicKey({
    key: Buffer.concat([subjectPublicKeyInfo, bytes.subarray(1)]),
    format: 'der',
    type: 'spki',
  })
  return { vkey, name, publicKey, id: Buffer.from(id, 'hex').toString('latin1') }
}

export function signatureHolds(key: KeyObject, text: Uint8Array, signature: Uint8Array): boolean {
  return verify(null, text, key, signature)
}

export function openNote(
  note: string,
  key: VerifierKey,
  holds: SignatureCheck,
  witnesses: readonly VerifierKey[] = [],
): SignedHead | RefusedNote {
  const lines = note.split('\n')
  const [origin, size, root, blank, ...rest] = lines
  const signatures = rest.slice(0, -1)
  if (
    origin === undefined ||
    size === undefined ||
    root === undefined ||
    blank !== '' ||
    rest.at(-1) !== ''
  ) {
    return refusedNote('checkpoint-form', 'it is not an origin, a size, a root, a blank line and signatures')
  }
  if (origin !== key.name)
    return refusedNote('checkpoint-origin', 'its origin is not the origin of this ledger')
  if (!/^(0|[1-9]\d{0,15})$/.test(size) || !Number.isSafeInteger(Number(size))) {
    return refusedNote('checkpoint-form', 'its size is not a plain number')
  }
  const rootBytes = bytesOfBase64(root)
  if (rootBytes?.length !== 32) return refusedNote('checkpoint-form', 'its root is not 32 bytes of base64')

  const text = Buffer.from(`${origin}\n${size}\n${root}\n`)
  let own = 0
  const cosigners: string[] = []
  for (const line of signatures) {
    const signature = signatureOf(line)
    if (signature === undefined) return refusedNote('checkpoint-form', 'a signature line has an unknown form')
    const witness = witnesses.find(({ name, id }) => name === signature.name && id === signature.id)
    if (witness !== undefined) {
      if (!cosignatureHolds(witness, text, signature.bytes, holds))
        return refusedNote('cosignature', `the cosignature of ${quoted(witness.name)} does not belong to it`)
      cosigners.push(witness.name)
    }
    if (signature.name !== key.name || signature.id !== key.id) continue
    own += 1
    if (!holds(key.publicKey, text, signature.bytes)) {
      return refusedNote('checkpoint-signature', 'its signature does not belong to its text and this key')
    }
  }
  if (own !== 1) return refusedNote('checkpoint-unsigned', `it has ${own} signatures by this key, not one`)
  return {
    kind: 'head',
    size: Number(size),
    root: rootBytes.toString('latin1'),
    cosigners,
    others: signatures.length - own - cosigners.length,
  }
}

/** Eight bytes of time in seconds stand before the signature, and the same time before what is signed. */
function cosignatureHolds(
  witness: VerifierKey,
  text: Uint8Array,
  bytes: Buffer,
  holds: SignatureCheck,
): boolean {
  if (bytes.length !== 72) return false
  const head = Buffer.from(`cosignature/v1\ntime ${bytes.readBigUInt64BE(0)}\n`)
  return holds(witness.publicKey, Buffer.concat([head, text]), bytes.subarray(8))
}

/** DER before the 32 raw bytes of every Ed25519 public key (RFC 8410). */
const subjectPublicKeyInfo = Buffer.from('302a300506032b6570032100', 'hex')

/** The base64 part may itself hold plus signs, so only the first two divide. */
function splitAtPlus(vkey: string): string[] {
  const first = vkey.indexOf('+')
  const second = vkey.indexOf('+', first + 1)
  if (first < 0 || second < 0) return []
  return [vkey.slice(0, first), vkey.slice(first + 1, second), vkey.slice(second + 1)]
}

function signatureOf(line: string): { name: string; id: string; bytes: Buffer } | undefined {
  const [dash, name, encoded, ...more] = line.split(' ')
  if (dash !== '\u2014' || name === undefined || encoded === undefined || more.length > 0) return undefined
  const bytes = bytesOfBase64(encoded)
  if (!isName(name) || bytes === undefined || bytes.length <= 4) return undefined
  return { name, id: bytes.toString('latin1', 0, 4), bytes: bytes.subarray(4) }
}

function isName(name: string): boolean {
  return /^[^\s+\p{Cc}\p{Cs}]+$/u.test(name)
}

function refusedNote(code: FailureCode, what: string): RefusedNote {
  return { kind: 'refused', code, what }
}
