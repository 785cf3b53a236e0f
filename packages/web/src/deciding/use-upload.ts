/** Puts a file of this browser into the workspace by the same door as every other write, with how far it is and a way to stop. */
import { uploadCall } from '@countersign/contract/client'
import { useRef, useState } from 'react'
import { hex } from '../data/digest.ts'
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
  readonly put: (file: File, path: string, done: string) => Promise<Put>
}

export interface Put {
  readonly outcome: DirectOutcome
  /** Of the bytes that were sent. */
  readonly sha256: string
}

export class UploadStopped extends Error {}

export function useFileUploads(): FileUploads {
  const client = useClient()
  const direct = useDirectCalls('files')
  const [current, setCurrent] = useState<Transfer | null>(null)
  const stopping = useRef<AbortController | null>(null)
  return {
    current,
    stop: () => stopping.current?.abort(new UploadStopped()),
    async put(file, path, done) {
      const stopper = new AbortController()
      stopping.current = stopper
      try {
        const ports = {
          send: client.uploadPart,
          base64: base64Of,
          sha256: sha256Of,
          signal: stopper.signal,
          onProgress: (share: number) => setCurrent({ name: file.name, share }),
        }
        const bytes = new Uint8Array(await file.arrayBuffer())
        const { tool, args } = await uploadCall(ports, path, bytes)
        return { outcome: await direct.call(tool, args, done), sha256: await sha256Of(bytes) }
      } finally {
        stopping.current = null
        setCurrent(null)
      }
    },
  }
}

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}
