/**
 * Owns what a witness of the ledger does: it keeps the newest checkpoint that it saw, takes a newer one only with the
 * proof that nothing before it changed, and complains about everything else. Pure: hashes and signatures are passed in,
 * so that a browser, the command line and a node do the same.
 */
import {
  bytesOfText,
  checkpointAlgorithm,
  cosignatureAlgorithm,
  cosignatureParts,
  cosignedText,
  joinBytes,
  keyIdInput,
  type NoteHead,
  type NoteLine,
  noteLine,
  type OpenNote,
  readNote,
  readNoteKey,
  readNoteLines,
  sameBytes,
  secondsBytes,
  textOfBytes,
} from './signed-note.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** WebCrypto in a browser, `node:crypto` elsewhere. */
export interface WitnessMeans {
  sha256(bytes: Bytes): Promise<Uint8Array> | Uint8Array
  /** Ed25519; the key is its raw 32 bytes. False for a key or a signature of another form. */
  verifies(key: Bytes, text: Bytes, signature: Bytes): Promise<boolean> | boolean
}

/** What a witness keeps. */
export interface SeenHead extends NoteHead {
  /** As the gateway signed it: the proof that it was shown. */
  readonly note: string
}

/** What a gateway shows: its newest checkpoint, and the proof that it continues the size `from`. */
export interface ShownHead {
  readonly note: string
  readonly from: number
  /** Hashes in base64, as RFC 6962 orders them. */
  readonly proof: readonly string[]
}

export type ComplaintCode = 'form' | 'signature' | 'origin' | 'rollback' | 'fork'

export type WitnessStep =
  | { readonly kind: 'kept'; readonly seen: SeenHead }
  | {
      readonly kind: 'complaint'
      readonly code: ComplaintCode
      /** A sentence for people. */
      readonly reason: string
      /** The size that was shown, where the note could be read. */
      readonly size: number
    }

export const longestProof = 64

/**
 * `key` is the C2SP key of the ledger, as the witness knows it from its pairing. What was seen stays what it is unless
 * the step is `kept`. The one who asks names the size that it has seen, so an honest gateway never shows less.
 */
export async function witnessStep(
  seen: SeenHead | undefined,
  shown: ShownHead,
  key: string,
  means: WitnessMeans,
): Promise<WitnessStep> {
  const opened = await openSignedNote(shown.note, key, means)
  if (opened.kind === 'refused') return complaint(opened.code, opened.reason, opened.size)
  const { note } = opened
  if (note.extensions.length > 0)
    return complaint('form', 'the note has lines after the root, which no ledger of ours has', note.size)
  const kept: WitnessStep = {
    kind: 'kept',
    seen: { origin: note.origin, size: note.size, root: note.root, note: shown.note },
  }
  if (seen === undefined || (seen.size === 0 && seen.origin === note.origin)) return kept
  if (seen.origin !== note.origin)
    return complaint(
      'origin',
      `it is the ledger ${note.origin}, and ${seen.origin} was seen before`,
      note.size,
    )
  if (note.size < seen.size)
    return complaint('rollback', `it has ${note.size} entries, and ${seen.size} were seen before`, note.size)
  if (note.size === seen.size) {
    if (note.root === seen.root) return kept
    return complaint('fork', `another history of ${seen.size} entries was seen before`, note.size)
  }
  const continues =
    shown.from === seen.size &&
    (await provesGrowth({ from: seen, to: note, proof: shown.proof }, means.sha256))
  if (continues) return kept
  const reason = `nothing proves that its ${note.size} entries continue the ${seen.size} that were seen before`
  return complaint('fork', reason, note.size)
}

export type SignedNote =
  | { readonly kind: 'signed'; readonly note: OpenNote }
  | { readonly kind: 'refused'; readonly code: ComplaintCode; readonly reason: string; readonly size: number }

/** The note, if the holder of the key signed it. Signatures by others are left aside, as the format asks. */
export async function openSignedNote(text: string, vkey: string, means: WitnessMeans): Promise<SignedNote> {
  const key = readNoteKey(vkey)
  const note = readNote(text)
  const refused = (code: ComplaintCode, reason: string): SignedNote => ({
    kind: 'refused',
    code,
    reason,
    size: typeof note === 'string' ? 0 : note.size,
  })
  if (key === undefined || key.algorithm !== checkpointAlgorithm || !(await isOwnId(key, means)))
    return refused('form', 'the key of the ledger has an unknown form')
  if (typeof note === 'string') return refused('form', note)
  if (note.origin !== key.name)
    return refused('origin', `it is the ledger ${note.origin}, and not ${key.name}`)
  const own = linesOf(note.lines, key)
  if (own.length === 0) return refused('signature', 'the gateway did not sign it')
  for (const line of own) {
    if (!(await means.verifies(key.raw, utf8(note.text), line.bytes)))
      return refused('signature', 'the signature is not that of the gateway')
  }
  return { kind: 'signed', note }
}

/** RFC 6962, 2.1.4.2: that the larger tree begins with the smaller one. Sizes and roots are of checked notes. */
export async function provesGrowth(
  { from, to, proof }: { from: NoteHead; to: NoteHead; proof: readonly string[] },
  sha256: WitnessMeans['sha256'],
): Promise<boolean> {
  if (from.size > to.size || proof.length > longestProof) return false
  if (from.size === to.size) return proof.length === 0 && from.root === to.root
  if (from.size === 0) return proof.length === 0
  const hashes: Bytes[] = []
  // A smaller tree that is whole is its own first step, and is left out of the proof.
  for (const text of isWhole(from.size) ? [from.root, ...proof] : proof) {
    const hash = bytesOfText(text)
    if (hash?.length !== 32) return false
    hashes.push(hash)
  }
  const [first, ...rest] = hashes
  if (first === undefined) return false
  let place = from.size - 1
  let last = to.size - 1
  for (; place % 2 === 1; place = half(place)) last = half(last)
  const join = async (left: Bytes, right: Bytes) => bytesOf(await sha256(joinBytes(nodePrefix, left, right)))
  let old = first
  let now = first
  for (const hash of rest) {
    if (last === 0) return false
    if (place % 2 === 1 || place === last) {
      old = await join(hash, old)
      now = await join(hash, now)
      for (; place % 2 === 0 && place !== 0; place = half(place)) last = half(last)
    } else {
      now = await join(now, hash)
    }
    place = half(place)
    last = half(last)
  }
  return last === 0 && textOfBytes(old) === from.root && textOfBytes(now) === to.root
}

/** The C2SP key of a ledger, or of a witness, from its raw key in base64. */
export async function vkeyFor(
  key: { readonly name: string; readonly raw: string; readonly signs: 'checkpoints' | 'cosignatures' },
  means: Pick<WitnessMeans, 'sha256'>,
): Promise<string> {
  const raw = bytesOfText(key.raw)
  if (raw?.length !== 32) throw new TypeError('A key of a note is 32 bytes.')
  const algorithm = key.signs === 'checkpoints' ? checkpointAlgorithm : cosignatureAlgorithm
  const id = await keyId(key.name, algorithm, raw, means)
  const hex = Array.from(id, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return `${key.name}+${hex}+${textOfBytes(joinBytes(Uint8Array.of(algorithm), raw))}`
}

/** The line by which a witness says that it saw the checkpoint: C2SP cosignature/v1. */
export async function cosign(
  seen: Pick<SeenHead, 'note'>,
  by: {
    readonly name: string
    /** Its raw key, base64. */
    readonly raw: string
    readonly at: Date
    readonly sign: (text: string) => Promise<string> | string
  },
  means: Pick<WitnessMeans, 'sha256'>,
): Promise<string> {
  const note = readNote(seen.note)
  const raw = bytesOfText(by.raw)
  if (typeof note === 'string' || raw === undefined) throw new TypeError('Only what was seen is cosigned.')
  const seconds = Math.floor(by.at.getTime() / 1000)
  const signature = bytesOfText(await by.sign(cosignedText(note.text, seconds)))
  if (signature?.length !== 64) throw new TypeError('A signature of a witness is 64 bytes.')
  const id = await keyId(by.name, cosignatureAlgorithm, raw, means)
  return noteLine(by.name, id, secondsBytes(seconds), signature)
}

/** When the witness says that it saw the note; undefined where the line is not a cosignature of this key. */
export async function cosignedAt(
  note: string,
  line: string,
  vkey: string,
  means: WitnessMeans,
): Promise<Date | undefined> {
  const opened = readNote(note)
  const key = readNoteKey(vkey)
  const lines = readNoteLines(line)
  if (typeof opened === 'string' || typeof lines === 'string' || key === undefined) return undefined
  if (key.algorithm !== cosignatureAlgorithm || !(await isOwnId(key, means))) return undefined
  const [own, ...more] = linesOf(lines, key)
  const parts = own && cosignatureParts(own.bytes)
  if (parts === undefined || more.length > 0) return undefined
  const holds = await means.verifies(key.raw, utf8(cosignedText(opened.text, parts.seconds)), parts.signature)
  return holds ? new Date(parts.seconds * 1000) : undefined
}

/** What a device or a node is called where it cosigns. */
export function witnessName(gateway: string, witness: string): string {
  return `countersign/${gateway}/${witness}`
}

/** What the ledger of an operator is called. */
export function ledgerOrigin(gateway: string, operator: string): string {
  return `countersign/${gateway}/${operator}`
}

/** WebCrypto, which browsers and Node have. */
export const webWitnessMeans: WitnessMeans = {
  sha256: async (bytes) => new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)),
  async verifies(raw, text, signature) {
    if (raw.length !== 32 || signature.length !== 64) return false
    const key = await crypto.subtle.importKey('raw', raw, ed25519, false, ['verify'])
    return crypto.subtle.verify(ed25519, key, signature, text)
  },
}

const ed25519 = { name: 'Ed25519' } as const
const nodePrefix = Uint8Array.of(1)

function half(value: number): number {
  return Math.floor(value / 2)
}

function isWhole(size: number): boolean {
  let rest = size
  while (rest % 2 === 0) rest /= 2
  return rest === 1
}

function linesOf(
  lines: readonly NoteLine[],
  key: { readonly name: string; readonly id: Uint8Array },
): NoteLine[] {
  return lines.filter((line) => line.name === key.name && sameBytes(line.id, key.id))
}

async function isOwnId(
  key: {
    readonly name: string
    readonly algorithm: number
    readonly raw: Uint8Array
    readonly id: Uint8Array
  },
  means: Pick<WitnessMeans, 'sha256'>,
): Promise<boolean> {
  return sameBytes(key.id, await keyId(key.name, key.algorithm, key.raw, means))
}

async function keyId(
  name: string,
  algorithm: number,
  raw: Uint8Array,
  means: Pick<WitnessMeans, 'sha256'>,
): Promise<Uint8Array> {
  return bytesOf(await means.sha256(keyIdInput(name, algorithm, raw))).slice(0, 4)
}

function bytesOf(bytes: Uint8Array): Bytes {
  return bytes.slice()
}

function utf8(text: string): Bytes {
  return new TextEncoder().encode(text)
}

function complaint(code: ComplaintCode, reason: string, size: number): WitnessStep {
  return { kind: 'complaint', code, reason, size }
}
