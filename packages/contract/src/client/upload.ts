/** Owns how a file gets from a surface to the workspace: in the call that writes it, or in parts before it. */
import { largestUploadPart } from '../attachments.ts'
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

/** The call that writes the file, to be made next; the operator's policy decides about it as about any other. */
export async function uploadCall(
  ports: UploadPorts,
  path: string,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<{ readonly tool: string; readonly args: Readonly<Record<string, unknown>> }> {
  const { send, base64, onProgress, signal } = ports
  if (bytes.length <= largestUploadPart)
    return { tool: 'write_binary_file', args: { path, base64: base64(bytes) } }
  const sha256 = await ports.sha256(bytes)
  onProgress?.(0)
  for (let at = 0; at < bytes.length; ) {
    signal?.throwIfAborted()
    const { received } = await send(sha256, at, base64(bytes.subarray(at, at + largestUploadPart)))
    at = received
    onProgress?.(at / bytes.length)
  }
  signal?.throwIfAborted()
  return { tool: 'write_upload', args: { path, sha256, size: bytes.length } }
}
