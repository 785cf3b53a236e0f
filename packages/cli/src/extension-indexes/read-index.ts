/**
 * Owns how an index is read: fetched without following anybody elsewhere, bounded, checked against the key that was pinned, and
 * against what was seen of it before. Refuses an older index, another one of the same version, and one that is not signed by the key.
 */
import { readFile, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { ExtensionIndex, type KeptIndex, mostIndexBytes } from '@countersign/contract'
import { publicKeyOf, sha256Hex, verifyText } from '@countersign/contract/node'
import { quote } from '../output/safe-text.ts'

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
  const isText = Buffer.from(text).equals(bytes)
  if (!isText) return refused('It is no UTF-8.')
  const unsigned =
    kept.key === null ? undefined : await signatureProblem(kept.place, kept.key, { text, send })
  if (unsigned !== undefined) return refused(unsigned)
  const parsed = parsedIndex(text)
  if (typeof parsed === 'string') return refused(parsed)
  const { key = kept.key } = parsed
  if (kept.key !== null && key !== kept.key)
    return refused(
      `It names another key than the one that you keep. If that is right, remove ${kept.name} and add it anew.`,
    )
  // The key that it names is kept from here on, as long as it is really signed by it.
  const untrue =
    key === kept.key || key === null ? undefined : await signatureProblem(kept.place, key, { text, send })
  if (untrue !== undefined) return refused(untrue)
  const seen = { version: parsed.version, sha256: sha256Hex(bytes) }
  const old = staleness(kept, seen)
  return old === undefined ? { kind: 'read', index: parsed, kept: { ...kept, key, seen } } : refused(old)
}

async function signatureProblem(
  place: string,
  key: string,
  { text, send }: { readonly text: string; readonly send: Fetch },
): Promise<string | undefined> {
  const signature = await bytesAt(withEnding(place), 1_000, send)
  if (typeof signature === 'string') return `It has no signature: ${signature}`
  return verifyText(publicKeyOf(key), text, Buffer.from(signature).toString('utf8').trim())
    ? undefined
    : 'It is not signed by the key that you keep for it, or that it names.'
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
    return `It is no JSON: ${quote(error instanceof Error ? error.message.slice(0, 200) : String(error))}`
  }
  const parsed = ExtensionIndex.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const why = `${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`
    return `It is not of the format: ${quote(why.slice(0, 300))}`
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
      return `${place} leads elsewhere, to ${led(response, place)}. Name that address if it is right.`
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

/** As it is read, so that no words stand in it. */
function led(response: Response, place: string): string {
  return URL.parse(response.headers.get('location') ?? '', place)?.href.slice(0, 500) ?? 'nowhere'
}

function refused(reason: string): ReadIndex {
  return { kind: 'refused', reason }
}
