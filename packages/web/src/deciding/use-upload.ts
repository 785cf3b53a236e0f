/** Puts a file of this browser into the workspace by the same door as every other write, with how far it is and a way to stop. */
import type { Attachment } from '@countersign/contract'
import { type AttachPorts, attachmentCall, uploadCall } from '@countersign/contract/client'
import { useRef, useState } from 'react'
import { hex } from '../data/digest.ts'
import { bytesOf } from '../data/file-bytes.ts'
import { base64Of } from '../data/upload.ts'
import { useClient } from '../environment/services.tsx'
import type { DirectOutcome } from './direct-call.ts'
import { useDirectCalls } from './use-direct-call.ts'

export interface Transfer {
  readonly name: string
  /** Between 0 and 1. */
  readonly share: number
}

export interface FileUploads {
  /** The file that is on its way, where it has so many parts that somebody waits for it. */
  readonly current: Transfer | null
  readonly stop: () => void
  /** Throws what went wrong, and `UploadStopped` where it was stopped. */
  readonly put: (file: File, path: string, done: string) => Promise<DirectOutcome>
  /** The same for a file that goes with a message; null where it waits for an approval and is not there yet. */
  readonly attach: (file: File, done: string) => Promise<Attachment | null>
}

export class UploadStopped extends Error {}

export function useFileUploads(): FileUploads {
  const client = useClient()
  const direct = useDirectCalls('files')
  const [current, setCurrent] = useState<Transfer | null>(null)
  const stopping = useRef<AbortController | null>(null)
  /** Says how far it is while the work goes on, and lets it be stopped. */
  async function during<T>(file: File, work: (ports: AttachPorts, bytes: Bytes) => Promise<T>): Promise<T> {
    const stopper = new AbortController()
    stopping.current = stopper
    try {
      const ports = {
        send: client.uploadPart,
        read: client.filePart,
        base64: base64Of,
        bytesOf,
        sha256: sha256Of,
        signal: stopper.signal,
        onProgress: (share: number) => setCurrent({ name: file.name, share }),
      }
      return await work(ports, new Uint8Array(await file.arrayBuffer()))
    } finally {
      stopping.current = null
      setCurrent(null)
    }
  }
  return {
    current,
    stop: () => stopping.current?.abort(new UploadStopped()),
    put: (file, path, done) =>
      during(file, async (ports, bytes) => {
        const { tool, args } = await uploadCall(ports, path, bytes)
        return direct.call(tool, args, done)
      }),
    attach: (file, done) =>
      during(file, async (ports, bytes) => {
        const { attachment, call } = await attachmentCall(ports, file.name, bytes)
        const outcome = call && (await direct.call(call.tool, call.args, done))
        return outcome?.kind === 'waits' ? null : attachment
      }),
  }
}

type Bytes = Uint8Array<ArrayBuffer>

export async function sha256Of(bytes: Bytes): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
