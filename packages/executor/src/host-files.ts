/**
 * Owns reading outside the workspace: one regular file, found behind its links before it is shown, and opened only
 * if it is still there. Refuses the product's own folders and the kernel's pseudo files. A look has one form of answer,
 * whatever is there, because whoever asked for it may learn that only after the operator has decided.
 */
import { constants } from 'node:fs'
import { type FileHandle, open, readlink, realpath } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { basename, dirname, join, sep } from 'node:path'
import { sha256Hex } from '@countersign/contract/node'
import { credentialAt, type HostFileInspection } from '@countersign/tools'

export interface HostFiles {
  inspect(path: string): Promise<HostFileInspection>
  /** `path` must be the one that the look gave. */
  read(
    path: string,
    maxBytes: number,
  ): Promise<{ bytes: Uint8Array; size: number; sha256: string } | { reason: string }>
}

export interface HostFilesOptions {
  /** Folders that no call ever reaches, by their real paths. */
  readonly closed: readonly string[]
  /** The home folder of the operator, in which their credentials are. */
  readonly home?: string
}

const largestFile = 16 * 1024 * 1024
const pseudo = ['/proc', '/sys', '/dev', '/run', '/var/run']

export function createHostFiles({ closed, home = userInfo().homedir }: HostFilesOptions): HostFiles {
  const isClosed = (path: string) =>
    [...pseudo, ...closed].some((root) => path === root || path.startsWith(root + sep))

  async function opened<T>(
    path: string,
    use: (handle: FileHandle, size: number) => Promise<T>,
  ): Promise<T | { reason: string }> {
    if (isClosed(path)) return { reason: `${path} is closed to tools.` }
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    try {
      const stat = await handle.stat()
      if (stat.isDirectory()) return { reason: `${path} is a folder.` }
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
    async inspect(path) {
      // By the words of the call alone, so that the answer says nothing about the host.
      if (isClosed(path)) return { kind: 'refused', reason: `${path} is closed to tools.` }
      const real = await nearestRealPath(path)
      const credential = credentialAt(path, home) ?? credentialAt(real, home)
      const nothing: HostFileInspection = {
        kind: 'host',
        path: real,
        identity: 'absent',
        content: null,
        credential,
      }
      try {
        const inspection = await opened(real, async (handle): Promise<HostFileInspection> => {
          const stat = await handle.stat({ bigint: true })
          const bytes = await handle.readFile()
          const identity = { device: String(stat.dev), inode: String(stat.ino) }
          return { ...nothing, identity, content: sha256Hex(bytes) }
        })
        return 'kind' in inspection ? inspection : nothing
      } catch {
        // Absent, unreadable or anything else: the read says which, after the decision.
        return nothing
      }
    },
    async read(path, maxBytes) {
      try {
        return await opened(path, async (handle) => {
          const bytes = await handle.readFile()
          return { bytes: bytes.subarray(0, maxBytes), size: bytes.length, sha256: sha256Hex(bytes) }
        })
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        const isMissing = code === 'ENOENT' || code === 'ENOTDIR'
        return { reason: isMissing ? `${path} does not exist.` : message }
      }
    },
  }
}

/** The path with every link followed, as far as there is something. */
async function nearestRealPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch {
    const folder = dirname(path)
    return folder === path ? path : join(await nearestRealPath(folder), basename(path))
  }
}
