/** Owns when each secret was last used, to the minute, in a file of its own: it changes far more often than the vault. */
import { readFileSync } from 'node:fs'
import { replaceFile } from '@countersign/contract/node'
import { z } from 'zod'

export interface LastUses {
  all(): Readonly<Record<string, string>>
  used(name: string): void
}

const UsesFile = z.record(z.string(), z.string())
const grainMs = 60_000

export function openUses(path: string, clock: () => Date, onProblem: (error: unknown) => void): LastUses {
  /** It says nothing that anything depends on, so a file that cannot be read is as good as none. */
  function read(): Record<string, string> {
    try {
      return UsesFile.parse(JSON.parse(readFileSync(path, 'utf8')))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') onProblem(error)
      return {}
    }
  }
  return {
    all: read,
    used(name) {
      const uses = read()
      const now = clock()
      if (now.getTime() - Date.parse(uses[name] ?? '') < grainMs) return
      try {
        replaceFile(path, `${JSON.stringify({ ...uses, [name]: now.toISOString() })}\n`)
      } catch (error) {
        onProblem(error)
      }
    },
  }
}
