/** Owns finding a program as the sandbox would find it, and the hash of its content. */
import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, normalize } from 'node:path'
import { pipeline } from 'node:stream/promises'

export interface Programs {
  find(name: string): Promise<{ path: string; content: string } | undefined>
  /** A program that the operator named by its place on the host, wherever that is. */
  at(path: string): Promise<{ path: string; content: string } | undefined>
}

/** The same order as in the sandbox, which sees nothing of the host but `/usr` and Node. */
const searchPath = ['/usr/local/bin', '/usr/bin', '/bin']

export function createPrograms(nodePath: string): Programs {
  const hashes = new Map<string, string>()

  async function hashed(path: string): Promise<{ path: string; content: string } | undefined> {
    try {
      const real = await realpath(path)
      const found = await stat(real, { bigint: true })
      if (!found.isFile() || (found.mode & 0o111n) === 0n) return undefined
      // A changed content always changes the change time, which no program can set.
      const stamp = `${found.dev}:${found.ino}:${found.size}:${found.mtimeNs}:${found.ctimeNs}`
      const content = hashes.get(stamp) ?? (await hashFile(real))
      hashes.set(stamp, content)
      return { path: real, content }
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  return {
    at: hashed,
    async find(name) {
      if (isAbsolute(name)) return isVisible(name) && normalize(name) === name ? hashed(name) : undefined
      if (name.includes('/')) return undefined
      for (const folder of searchPath) {
        const found = await hashed(join(folder, name))
        if (found) return found
      }
      return name === 'node' ? hashed(nodePath) : undefined
    },
  }
}

function isVisible(path: string): boolean {
  return /^\/(usr|bin|sbin)\//.test(path)
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return (
    code === 'ENOENT' ||
    code === 'ENOTDIR' ||
    code === 'EACCES' ||
    code === 'ELOOP' ||
    code === 'ENAMETOOLONG'
  )
}
