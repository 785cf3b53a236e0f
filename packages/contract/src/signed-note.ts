/**
 * Owns the text of C2SP signed notes over a tree: checkpoints, the keys that sign them, and the cosignatures of
 * witnesses. Refuses a note that it cannot read to the last byte. Reads and writes only; signatures are checked by
 * `ledger-witness.ts`.
 */

export interface NoteHead {
  readonly origin: string
  readonly size: number
  /** 32 bytes, base64. */
  readonly root: string
}

export interface NoteLine {
  readonly name: string
  /** The four bytes that name the key. */
  readonly id: Uint8Array<ArrayBuffer>
  readonly bytes: Uint8Array<ArrayBuffer>
}

export interface OpenNote extends NoteHead {
  /** What is signed, with the line end after its last line. */
  readonly text: string
  /** Lines after the root, which other logs than ours may have. */
  readonly extensions: readonly string[]
  readonly lines: readonly NoteLine[]
}

/** A key as `name+hash+base64` says it; whether the hash is that of the key is checked where keys are used. */
export interface NoteKey {
  readonly name: string
  readonly id: Uint8Array<ArrayBuffer>
  /** The first byte of the encoded key: how it signs. */
  readonly algorithm: number
  /** Ed25519, the raw 32 bytes. */
  readonly raw: Uint8Array<ArrayBuffer>
}

export const checkpointAlgorithm = 1
export const cosignatureAlgorithm = 4

const keyName = /^[^\s+\p{Cc}\p{Cs}]+$/u
const plainNumber = /^(0|[1-9][0-9]{0,15})$/

export function isKeyName(name: string): boolean {
  return keyName.test(name)
}

/** A number of entries as notes write it; undefined for every other spelling. */
export function plainSize(text: string | undefined): number | undefined {
  if (text === undefined || !plainNumber.test(text)) return undefined
  const size = Number(text)
  return Number.isSafeInteger(size) ? size : undefined
}

/** A text where the note has another form. */
export function readNote(note: string): OpenNote | string {
  const blank = note.indexOf('\n\n')
  if (blank < 0) return 'the note has no blank line before its signatures'
  const text = note.slice(0, blank + 1)
  const [origin = '', sizeText, root, ...more] = text.split('\n')
  if (!isKeyName(origin)) return 'the origin is not a key name'
  const size = plainSize(sizeText)
  if (size === undefined) return 'the size is not a plain number'
  if (root === undefined || bytesOfText(root)?.length !== 32) return 'the root is not 32 bytes of base64'
  const lines = readNoteLines(note.slice(blank + 2))
  if (typeof lines === 'string') return lines
  return { origin, size, root, text, extensions: more.slice(0, -1), lines }
}

/** Signature lines, each with its line end, one at least. */
export function readNoteLines(text: string): readonly NoteLine[] | string {
  if (!text.endsWith('\n')) return 'the note does not end with a line end'
  const lines: NoteLine[] = []
  for (const line of text.slice(0, -1).split('\n')) {
    const [dash, name = '', encoded, ...more] = line.split(' ')
    const bytes = encoded === undefined ? undefined : bytesOfText(encoded)
    if (dash !== '—' || more.length > 0 || !isKeyName(name) || bytes === undefined || bytes.length < 5)
      return 'a signature line has an unknown form'
    lines.push({ name, id: bytes.slice(0, 4), bytes: bytes.slice(4) })
  }
  return lines
}

/** With its line end. */
export function noteLine(name: string, ...parts: readonly Uint8Array[]): string {
  return `— ${name} ${textOfBytes(joinBytes(...parts))}\n`
}

export function readNoteKey(vkey: string): NoteKey | undefined {
  const first = vkey.indexOf('+')
  const second = vkey.indexOf('+', first + 1)
  if (first < 0 || second < 0) return undefined
  const name = vkey.slice(0, first)
  const hex = vkey.slice(first + 1, second)
  const bytes = bytesOfText(vkey.slice(second + 1))
  if (!isKeyName(name) || !/^[0-9a-f]{8}$/.test(hex) || bytes?.length !== 33) return undefined
  const id = Uint8Array.from([0, 2, 4, 6], (at) => Number.parseInt(hex.slice(at, at + 2), 16))
  return { name, id, algorithm: bytes[0] ?? 0, raw: bytes.slice(1) }
}

/** What the id of a key is the hash of. */
export function keyIdInput(name: string, algorithm: number, raw: Uint8Array): Uint8Array<ArrayBuffer> {
  return joinBytes(new TextEncoder().encode(`${name}\n`), Uint8Array.of(algorithm), raw)
}

/** What a witness signs: that it saw this checkpoint at this time, in whole seconds since 1970. */
export function cosignedText(noteText: string, seconds: number): string {
  return `cosignature/v1\ntime ${seconds}\n${noteText}`
}

/** The time in a cosignature, before the 64 bytes of the signature itself; undefined for another form. */
export function cosignatureParts(
  bytes: Uint8Array,
): { readonly seconds: number; readonly signature: Uint8Array<ArrayBuffer> } | undefined {
  if (bytes.length !== 72) return undefined
  const seconds = Number(new DataView(bytes.slice(0, 8).buffer).getBigUint64(0))
  return Number.isSafeInteger(seconds) ? { seconds, signature: bytes.slice(8) } : undefined
}

export function secondsBytes(seconds: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(seconds))
  return bytes
}

export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, at) => byte === right[at])
}

export function joinBytes(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Base64 in its only spelling; undefined for every other. */
export function bytesOfText(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return textOfBytes(bytes) === text ? bytes : undefined
}

export function textOfBytes(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
