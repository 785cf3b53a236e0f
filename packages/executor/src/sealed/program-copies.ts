/**
 * Owns the executor's own copies of programs, each under the hash of its content. A copy is made once, hashed while it
 * is made, and never changed; a command that binds the hash runs the copy.
 */
import { constants } from 'node:fs'
import { access, chmod, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hashedCopy } from './seal-file.ts'

export interface ProgramCopies {
  /** The path of a file with that content, or nothing if the program has another by now. */
  copyOf(program: { readonly path: string; readonly content: string }): Promise<string | undefined>
}

export function createProgramCopies(folder: string): ProgramCopies {
  let count = 0
  return {
    async copyOf({ path, content }) {
      if (!/^[0-9a-f]{64}$/.test(content)) return undefined
      const kept = join(folder, content)
      if (await isThere(kept)) return kept
      await mkdir(folder, { recursive: true, mode: 0o700 })
      count += 1
      const fresh = join(folder, `${process.pid}-${count}.new`)
      const source = await open(path, constants.O_RDONLY)
      try {
        const copy = await open(fresh, constants.O_WRONLY | constants.O_CREAT | constants.O_TRUNC, 0o600)
        let sha256: string
        try {
          sha256 = await hashedCopy(source, copy)
        } finally {
          await copy.close()
        }
        if (sha256 !== content) return undefined
        await chmod(fresh, 0o555)
        await rename(fresh, kept)
        return kept
      } finally {
        await source.close()
        await rm(fresh, { force: true })
      }
    },
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
