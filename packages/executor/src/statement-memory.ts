/**
 * Owns what this program has seen of the statements about devices: a file may grow, and never begins otherwise than
 * it did. So a revocation that was seen once cannot be taken back by putting an older file in its place.
 */
import { readFileSync } from 'node:fs'
import { replaceFile, sha256Hex } from '@countersign/contract/node'
import { z } from 'zod'

export interface StatementMemory {
  /** Says why these bytes cannot follow what was seen. Remembers them when they can. */
  refusal(bytes: Uint8Array): string | null
}

const SeenStatements = z.strictObject({ v: z.literal(1), length: z.int().min(0), hash: z.string() })
type SeenStatements = z.infer<typeof SeenStatements>

export function openStatementMemory(path: string): StatementMemory {
  return {
    refusal(bytes) {
      const seen = readSeen(path)
      if (seen === 'damaged')
        return `the record of device statements is damaged; remove ${path}, then check the devices`
      if (bytes.length < seen.length || sha256Hex(bytes.subarray(0, seen.length)) !== seen.hash)
        return `the device statements differ from those seen before; restore the file, or remove ${path} and revoke again what must stay revoked`
      // Before anybody is believed: whoever reads next must not believe less than this.
      if (bytes.length > seen.length)
        replaceFile(
          path,
          `${JSON.stringify({ v: 1, length: bytes.length, hash: sha256Hex(bytes) } satisfies SeenStatements)}\n`,
        )
      return null
    },
  }
}

function readSeen(path: string): SeenStatements | 'damaged' {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return { v: 1, length: 0, hash: sha256Hex('') }
  }
  try {
    return SeenStatements.parse(JSON.parse(text))
  } catch {
    return 'damaged'
  }
}
