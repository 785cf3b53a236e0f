/**
 * Owns reading outside the workspace: one regular file, found behind its links before it is shown, and opened only
 * if it is still there. Refuses the product's own keys and records, and the kernel's pseudo files.
 */
import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { sep } from 'node:path'
import { sha256Hex } from '@countersign/contract/node'
import type { FileSight } from '@countersign/tools'

export interface HostFiles {
  look(path: string): Promise<FileSight>
  /** `path` must be the one that the look gave. */
  read(
    path: string,
    maxBytes: number,
  ): Promise<{ bytes: Uint8Array; size: number; sha256: string } | { reason: string }>
}

const largestFile = 16 * 1024 * 1024
const pseudo = ['/proc', '/sys', '/dev', '/run']

export function createHostFiles(options: { readonly closed: readonly string[] }): HostFiles {
  const isClosed = (path: string) =>
    [...pseudo, ...options.closed].some((root) => path === root || path.startsWith(root + sep))

  async function opened<T>(
    path: string,
    use: (handle: FileHandle, size: number) => Promise<T>,
  ): Promise<T | { reason: string }> {
    if (isClosed(path)) return { reason: `${path} is closed to tools.` }
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stat = await handle.stat()
      if (!stat.isFile()) return { reason: `${path} is not a file.` }
      if (stat.size > largestFile) return { reason: `${path} is larger than 16 MiB.` }
      // O_NOFOLLOW guards the last name only; the kernel's answer covers the folders above it.
      if (process.platform === 'linux' && (await readlink(`/proc/self/fd/${handle.fd}`)) !== path) {
        return { reason: `${path} leads elsewhere.` }
      }
      return await use(handle, stat.size)
    } finally {
      await handle.close()
    }
  }

  return {
    async look(path) {
      try {
        const real = await realpath(path)
        return await opened(real, async (handle): Promise<FileSight> => {
          const stat = await handle.stat({ bigint: true })
          const bytes = await handle.readFile()
          const identity = { device: String(stat.dev), inode: String(stat.ino) }
          return { kind: 'file', identity, content: sha256Hex(bytes), size: bytes.length, path: real }
        }).then((sight) =>
          'reason' in sight && !('kind' in sight) ? { kind: 'refused', reason: sight.reason } : sight,
        )
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        return code === 'ENOENT' || code === 'ENOTDIR'
          ? { kind: 'absent' }
          : { kind: 'refused', reason: message }
      }
    },
    async read(path, maxBytes) {
      try {
        return await opened(path, async (handle) => {
          const bytes = await handle.readFile()
          return { bytes: bytes.subarray(0, maxBytes), size: bytes.length, sha256: sha256Hex(bytes) }
        })
      } catch (error) {
        return { reason: (error as Error).message }
      }
    },
  }
}
