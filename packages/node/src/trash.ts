/** Owns what changes in the shared folder replaced, for a month, where no program of a call can reach it. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sha256Hex } from '@countersign/contract/node'

export interface Trash {
  /** Gives the name under which the bytes are kept, once they are on the disk. */
  keep(bytes: Uint8Array): string
  /** Nothing where they are not kept any more. */
  read(kept: string): Buffer | undefined
}

const keptMs = 30 * 24 * 60 * 60_000
const mostBytes = 1024 ** 3

export function openTrash(
  folder: string,
  parts: { readonly now: () => Date; readonly id: () => string },
): Trash {
  mkdirSync(folder, { recursive: true, mode: 0o700 })

  /** The oldest go first where there is too much. */
  function clear(more: number): void {
    const all = readdirSync(folder).map((name) => {
      const { size, mtimeMs } = statSync(join(folder, name))
      return { name, size, mtimeMs }
    })
    let total = all.reduce((sum, { size }) => sum + size, more)
    for (const { name, size, mtimeMs } of all.toSorted((one, other) => one.mtimeMs - other.mtimeMs)) {
      if (total <= mostBytes && mtimeMs > parts.now().getTime() - keptMs) continue
      rmSync(join(folder, name), { force: true })
      total -= size
    }
  }

  return {
    keep(bytes) {
      clear(bytes.length)
      const name = `${parts.id()}-${sha256Hex(bytes).slice(0, 16)}`
      writeFileSync(join(folder, name), bytes, { flag: 'wx', mode: 0o600, flush: true })
      return name
    },
    read(kept) {
      if (!/^[0-9a-f]{32}-[0-9a-f]{16}$/.test(kept)) return undefined
      try {
        const bytes = readFileSync(join(folder, kept))
        return sha256Hex(bytes).startsWith(kept.slice(33)) ? bytes : undefined
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
        throw error
      }
    },
  }
}
