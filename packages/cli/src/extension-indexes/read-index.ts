/**
 * Owns how an index is read: fetched without following anybody elsewhere, bounded, checked against the key that was pinned, and
 * against what was seen of it before. Refuses an older index, another one of the same version, and one that is not signed by the key.
 */
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ExtensionIndex, type KeptIndex, mostIndexBytes } from '@countersign/contract'
import { publicKeyOf, sha256Hex, verifyText } from '@countersign/contract/node'

export type ReadIndex =
  | { readonly kind: 'read'; readonly index: ExtensionIndex; readonly kept: KeptIndex }
  | { readonly kind: 'refused'; readonly reason: string }

export type Fetch = typeof fetch

const patienceMs = 30_000
/** Beside the index: the signature over its bytes, base64. */
const signatureEnding = '.sig'

export async function readIndex(kept: KeptIndex, send: Fetch): Promise<ReadIndex> {
  const bytes = await bytesAt(kept.place, mostIndexBytes, send)
  if (typeof bytes === 'string') return refused(bytes)
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  if (kept.key !== null) {
    const signature = await bytesAt(withEnding(kept.place), 1_000, send)
    if (typeof signature === 'string') return refused(`It has no signature: ${signature}`)
    const signed = Buffer.from(signature).toString('utf8').trim()
    if (!Buffer.from(text).equals(bytes) || !verifyText(publicKeyOf(kept.key), text, signed))
      return refused('It is not signed by the key that you pinned.')
  }
  const parsed = parsedIndex(text)
  if (typeof parsed === 'string') return refused(parsed)
  const seen = { version: parsed.version, sha256: sha256Hex(bytes) }
  const old = staleness(kept, seen)
  return old === undefined ? { kind: 'read', index: parsed, kept: { ...kept, seen } } : refused(old)
}

function staleness(
  { seen: before, name }: KeptIndex,
  now: NonNullable<KeptIndex['seen']>,
): string | undefined {
  if (before === null || now.version > before.version) return undefined
  if (now.version < before.version)
    return `It is older than what you saw: version ${now.version} after ${before.version}. If that is right, remove ${name} and add it anew.`
  return now.sha256 === before.sha256
    ? undefined
    : `It is another one than you saw, with the same version ${now.version}. If that is right, remove ${name} and add it anew.`
}

/** A text says what is wrong. */
function parsedIndex(text: string): ExtensionIndex | string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return `It is no JSON: ${error instanceof Error ? error.message.slice(0, 200) : String(error)}`
  }
  const parsed = ExtensionIndex.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return `It is not of the format: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`.slice(0, 300)
  }
  const names = new Set<string>()
  for (const { name } of parsed.data.entries) {
    if (names.has(name)) return `It has two entries with the name ${name}.`
    names.add(name)
  }
  return parsed.data
}

export function isAddress(place: string): boolean {
  return /^[a-z][a-z+.-]*:\/\//i.test(place)
}

function withEnding(place: string): string {
  if (!isAddress(place)) return `${place}${signatureEnding}`
  const url = new URL(place)
  url.pathname = `${url.pathname}${signatureEnding}`
  return url.href
}

/** At most so many bytes. A text says what is wrong. */
export async function bytesAt(place: string, most: number, send: Fetch): Promise<Uint8Array | string> {
  return isAddress(place) ? fetched(place, most, send) : fileAt(resolve(place), most)
}

async function fileAt(path: string, most: number): Promise<Uint8Array | string> {
  const found = await stat(path).catch(() => undefined)
  if (!found?.isFile()) return `There is no file ${path}.`
  return found.size > most ? `${path} has more than ${most} bytes.` : readFile(path)
}

async function fetched(place: string, most: number, send: Fetch): Promise<Uint8Array | string> {
  if (!URL.canParse(place) || new URL(place).protocol !== 'https:')
    return `${place} is no address with https.`
  try {
    const response = await send(place, { redirect: 'manual', signal: AbortSignal.timeout(patienceMs) })
    if (response.status >= 300 && response.status < 400)
      return `${place} leads elsewhere, to ${response.headers.get('location') ?? 'nowhere'}. Name that address if it is right.`
    if (!response.ok || response.body === null) return `${place} answered with status ${response.status}.`
    const chunks: Uint8Array[] = []
    let size = 0
    for await (const chunk of response.body) {
      size += chunk.length
      if (size > most) return `${place} has more than ${most} bytes.`
      chunks.push(chunk)
    }
    return Buffer.concat(chunks)
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    return `${place} could not be fetched: ${cause instanceof Error ? cause.message : String(cause)}`
  }
}

function refused(reason: string): ReadIndex {
  return { kind: 'refused', reason }
}
