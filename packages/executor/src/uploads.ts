/**
 * Owns the contents that the operator sent in parts and that a call puts into the workspace. The gateway writes them; here
 * they are only believed where their SHA-256 is the one that the permit holds.
 */
import { constants } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { largestUpload } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'

export interface Uploads {
  read(sha256: string): Promise<Uint8Array | { readonly reason: string }>
  drop(sha256: string): Promise<void>
}

const name = /^[0-9a-f]{64}$/

export function createUploads(folder: string): Uploads {
  return {
    async read(sha256) {
      if (!name.test(sha256)) return { reason: 'An upload is named by its SHA-256.' }
      const handle = await open(join(folder, sha256), constants.O_RDONLY | constants.O_NOFOLLOW).catch(
        () => null,
      )
      if (handle === null) return { reason: 'The upload is no longer here. Upload the file again.' }
      try {
        const { size } = await handle.stat()
        if (size > largestUpload) return { reason: 'The upload is too large.' }
        const bytes = await handle.readFile()
        return sha256Hex(bytes) === sha256
          ? bytes
          : { reason: 'The upload is not whole. Upload the file again.' }
      } finally {
        await handle.close()
      }
    },
    drop: async (sha256) => {
      if (name.test(sha256)) await rm(join(folder, sha256), { force: true })
    },
  }
}
