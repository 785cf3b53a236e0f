/** Signed checkpoints (C2SP tlog-checkpoint as an Ed25519 signed note). Refuses a note that it cannot read to the last byte. */
import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'

export interface Checkpoint {
  readonly origin: string
  readonly size: number
  readonly root: Uint8Array
}

export interface NoteSignature {
  readonly name: string
  readonly keyHash: Uint8Array
  readonly signature: Uint8Array
}

export interface ParsedNote {
  readonly kind: 'note'
  readonly text: string
  readonly checkpoint: Checkpoint
  readonly signatures: readonly NoteSignature[]
}

export interface RefusedNote {
  readonly kind: 'refused'
  readonly reason: string
}

export type VerifiedNote = { readonly kind: 'verified'; readonly checkpoint: Checkpoint } | RefusedNote

/** The C2SP verifier key of a gateway: the key's name is the ledger's origin. */
export function vkeyOf(key: { readonly origin: string; readonly publicKey: KeyObject }): string {
  const raw = rawPublicKey(key.publicKey)
  const hash = keyHashOf(nameOrThrow(key.origin), raw).toString('hex')
  return `${key.origin}+${hash}+${Buffer.concat([ed25519, raw]).toString('base64')}`
}

export function signCheckpoint(draft: Checkpoint & { readonly privateKey: KeyObject }): string {
  const { origin, size, root, privateKey } = draft
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`No ledger has ${size} entries.`)
  if (root.length !== 32) throw new RangeError(`A root has 32 bytes, not ${root.length}.`)
  const text = `${nameOrThrow(origin)}\n${size}\n${Buffer.from(root).toString('base64')}\n`
  const keyHash = keyHashOf(origin, rawPublicKey(createPublicKey(privateKey)))
  const signature = sign(null, Buffer.from(text), privateKey)
  return `${text}\n— ${origin} ${Buffer.concat([keyHash, signature]).toString('base64')}\n`
}

export function parseCheckpoint(note: string): ParsedNote | RefusedNote {
  const blank = note.indexOf('\n\n')
  if (blank < 0) return refusedNote('the note has no blank line before its signatures')
  const text = note.slice(0, blank + 1)
  const [origin, size, root, ...more] = text.split('\n')
  if (origin === undefined || !keyName.test(origin)) return refusedNote('the origin is not a key name')
  if (size === undefined || !decimal.test(size) || !Number.isSafeInteger(Number(size))) {
    return refusedNote('the size is not a plain number')
  }
  const rootBytes = fromBase64(root)
  if (rootBytes?.length !== 32) return refusedNote('the root is not 32 bytes of base64')
  if (more.length !== 1 || more[0] !== '') return refusedNote('the note has lines after the root')

  const tail = note.slice(blank + 2)
  if (!tail.endsWith('\n')) return refusedNote('the note does not end with a line end')
  const signatures: NoteSignature[] = []
  for (const line of tail.slice(0, -1).split('\n')) {
    const signature = parseSignature(line)
    if (signature === undefined) return refusedNote('a signature line has an unknown form')
    signatures.push(signature)
  }
  return {
    kind: 'note',
    text,
    checkpoint: { origin, size: Number(size), root: rootBytes },
    signatures,
  }
}

/** Signatures by other keys are left aside, as the format asks; one by `vkey` must be there and hold. */
export function verifyCheckpoint(note: string, vkey: string): VerifiedNote {
  const key = parseVkey(vkey)
  if (key === undefined) return refusedNote('the verifier key has an unknown form')
  const parsed = parseCheckpoint(note)
  if (parsed.kind === 'refused') return parsed
  if (parsed.checkpoint.origin !== key.name)
    return refusedNote('the checkpoint has another origin than the key')
  const own = parsed.signatures.filter(
    (signature) => signature.name === key.name && key.hash.equals(signature.keyHash),
  )
  if (own.length === 0) return refusedNote('the checkpoint is not signed by this key')
  const holds = own.every((line) => verify(null, Buffer.from(parsed.text), key.publicKey, line.signature))
  return holds
    ? { kind: 'verified', checkpoint: parsed.checkpoint }
    : refusedNote('the signature does not match the checkpoint')
}

const ed25519 = Uint8Array.of(1)
const keyName = /^[^\s+\p{Cc}\p{Cs}]+$/u
const decimal = /^(0|[1-9][0-9]*)$/

interface VerifierKey {
  readonly name: string
  readonly hash: Buffer
  readonly publicKey: KeyObject
}

function parseVkey(vkey: string): VerifierKey | undefined {
  const match = /^([^+]+)\+([0-9a-f]{8})\+(.+)$/su.exec(vkey)
  const [, name, hex, encoded] = match ?? []
  const bytes = fromBase64(encoded)
  if (name === undefined || hex === undefined || !keyName.test(name)) return undefined
  if (bytes?.length !== 33 || bytes[0] !== ed25519[0]) return undefined
  const raw = bytes.subarray(1)
  const hash = keyHashOf(name, raw)
  if (hash.toString('hex') !== hex) return undefined
  const publicKey = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') },
    format: 'jwk',
  })
  return { name, hash, publicKey }
}

function parseSignature(line: string): NoteSignature | undefined {
  const match = /^— (\S+) (\S+)$/u.exec(line)
  const [, name, encoded] = match ?? []
  const bytes = fromBase64(encoded)
  if (name === undefined || !keyName.test(name) || bytes === undefined || bytes.length < 5) return undefined
  return { name, keyHash: bytes.subarray(0, 4), signature: bytes.subarray(4) }
}

function keyHashOf(name: string, raw: Uint8Array): Buffer {
  return createHash('sha256').update(`${name}\n`).update(ed25519).update(raw).digest().subarray(0, 4)
}

function rawPublicKey(key: KeyObject): Buffer {
  const { crv, x } = key.export({ format: 'jwk' })
  if (crv !== 'Ed25519' || x === undefined) throw new TypeError('Checkpoints are signed with Ed25519 keys.')
  return Buffer.from(x, 'base64url')
}

function nameOrThrow(origin: string): string {
  if (!keyName.test(origin))
    throw new TypeError(`"${origin}" cannot name a ledger key: no spaces, no plus sign.`)
  return origin
}

/** Buffer's decoder skips what it does not know, so only text that encodes back to itself is taken. */
function fromBase64(text: string | undefined): Buffer | undefined {
  if (text === undefined) return undefined
  const bytes = Buffer.from(text, 'base64')
  return bytes.toString('base64') === text ? bytes : undefined
}

function refusedNote(reason: string): RefusedNote {
  return { kind: 'refused', reason }
}
