/** Owns how a file gets from a surface to the workspace: in parts that no record keeps, and then by the call that writes it. */
import { type Attachment, attachmentOf, attachmentPath, largestUploadPart } from '../attachments.ts'
import { CountersignError } from '../errors.ts'
import type { Client } from './http.ts'

export interface UploadPorts {
  readonly send: Client['uploadPart']
  readonly base64: (bytes: Uint8Array) => string
  /** In hexadecimal digits. */
  readonly sha256: (bytes: Uint8Array<ArrayBuffer>) => Promise<string> | string
  /** Told after each part, for a file that has several. */
  readonly onProgress?: (share: number) => void
  readonly signal?: AbortSignal
}

export interface AttachPorts extends UploadPorts {
  readonly read: Client['filePart']
  readonly bytesOf: (base64: string) => Uint8Array
}

/** A call to be made next; the operator's policy decides about it as about any other. */
export interface UploadCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** The content goes in parts, however short it is: arguments of a call are kept in the records, the card and the ledger. */
export async function uploadCall(
  ports: UploadPorts,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<UploadCall> {
  return sendParts(ports, path, bytes, await ports.sha256(bytes))
}

async function sendParts(
  { send, base64, signal, onProgress: tell }: UploadPorts,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
  sha256: string,
): Promise<UploadCall> {
  const onProgress = bytes.length > largestUploadPart ? tell : undefined
  onProgress?.(0)
  let at = 0
  do {
    signal?.throwIfAborted()
    const { received } = await send(sha256, at, base64(bytes.subarray(at, at + largestUploadPart)))
    at = received
    onProgress?.(at / bytes.length)
  } while (at < bytes.length)
  signal?.throwIfAborted()
  return { tool: 'write_upload', args: { path, sha256, size: bytes.length } }
}

/** What goes with the message, and the call that puts the file there; none where the same bytes are there by that name. */
export async function attachmentCall(
  ports: AttachPorts,
  name: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ readonly attachment: Attachment; readonly call: UploadCall | null }> {
  const sha256 = await ports.sha256(bytes)
  const file = { name, sha256, bytes: bytes.length }
  const path = attachmentPath(name, sha256)
  const there = await contentAt(ports, path, bytes.length)
  if (there !== undefined && (await ports.sha256(there)) === sha256)
    return { attachment: attachmentOf({ ...file, path }), call: null }
  // What somebody changed since stays: it is undone or deleted by whoever wants that.
  const free = there === undefined ? path : attachmentPath(name, crypto.randomUUID())
  const call = await sendParts(ports, free, bytes, sha256)
  return { attachment: attachmentOf({ ...file, path: free }), call }
}

/** Nothing where no file is; something that is not the content where it has another size. */
async function contentAt(
  { read, bytesOf, signal }: AttachPorts,
  path: string,
  size: number,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  try {
    const first = await read(path)
    if (first.size !== size) return new Uint8Array(0)
    const bytes = new Uint8Array(size)
    let at = 0
    for (let part = first; ; part = await read(path, at)) {
      signal?.throwIfAborted()
      const more = bytesOf(part.base64).subarray(0, size - at)
      bytes.set(more, at)
      at += more.length
      if (at >= size || more.length === 0) return bytes
    }
  } catch (error) {
    if (error instanceof CountersignError && error.code === 'not_found') return undefined
    throw error
  }
}
