/** Owns getting a file of the workspace into the page, part by part, and what may be shown of it. */
import { largestFilePart, type WorkspaceFilePart } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'

/** What a preview fetches at most, and what a download does. */
export const largestPreview = 4 * largestFilePart
export const largestDownload = 200_000_000

export interface FetchedFile {
  readonly first: WorkspaceFilePart
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** Throws where the file changed between two parts. */
export async function fetchFile(
  client: Pick<Client, 'filePart'>,
  path: string,
  { most, changed, onProgress }: { most: number; changed: string; onProgress?: (share: number) => void },
): Promise<FetchedFile> {
  const first = await client.filePart(path)
  const wanted = Math.min(first.size, most)
  const bytes = new Uint8Array(wanted)
  let at = 0
  for (let part = first; ; part = await client.filePart(path, at)) {
    if (part.version !== first.version) throw new Error(changed)
    const read = bytesOf(part.base64).subarray(0, wanted - at)
    bytes.set(read, at)
    at += read.length
    onProgress?.(wanted === 0 ? 1 : at / wanted)
    if (at >= wanted || read.length === 0) return { first, bytes }
  }
}

export type Preview =
  | { readonly kind: 'picture'; readonly type: string }
  | { readonly kind: 'markdown' | 'text'; readonly text: string }
  | { readonly kind: 'none' }

/** By what the bytes are, not by what the name says. A drawing with scripts in it is shown as its text. */
export function previewOf(path: string, bytes: Uint8Array<ArrayBuffer>): Preview {
  const picture = pictureType(bytes)
  if (picture !== undefined) return { kind: 'picture', type: picture }
  const text = textOf(bytes)
  if (text === undefined) return { kind: 'none' }
  return { kind: /\.(md|markdown)$/i.test(path) ? 'markdown' : 'text', text }
}

function pictureType(bytes: Uint8Array): string | undefined {
  const begins = (...first: number[]) => first.every((byte, place) => bytes[place] === byte)
  if (begins(0x89, 0x50, 0x4e, 0x47)) return 'image/png'
  if (begins(0xff, 0xd8, 0xff)) return 'image/jpeg'
  if (begins(0x47, 0x49, 0x46, 0x38)) return 'image/gif'
  const isRiff = begins(0x52, 0x49, 0x46, 0x46)
  return isRiff && new TextDecoder().decode(bytes.subarray(8, 12)) === 'WEBP' ? 'image/webp' : undefined
}

/** Undefined for what is no text. The last character may have been cut. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
  } catch {
    return undefined
  }
}

export function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
}
