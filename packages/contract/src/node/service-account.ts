/**
 * Owns which user a service of root runs as: one of its own, without a name, so that what breaks into one service owns
 * nothing of another. The ranges do not overlap, and lie below 65,536 because containers often have no more users.
 */
import { readFileSync } from 'node:fs'
import { sha256Hex } from './sha256.ts'

export interface ServiceAccount {
  readonly uid: number
  readonly gid: number
}

const first = { database: 56_000, browser: 58_000 } as const
const count = 2_000

/** The same for the same place, as long as nobody takes the number. */
export function serviceAccount(service: keyof typeof first, place: string): ServiceAccount {
  const taken = new Set([...idsIn('/etc/passwd'), ...idsIn('/etc/group')])
  const start = Number.parseInt(sha256Hex(place).slice(0, 8), 16) % count
  for (let step = 0; step < count; step += 1) {
    const id = first[service] + ((start + step) % count)
    if (!taken.has(id)) return { uid: id, gid: id }
  }
  throw new Error(`every user from ${first[service]} to ${first[service] + count - 1} is taken`)
}

function idsIn(file: string): number[] {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => Number(line.split(':')[2]))
  } catch {
    // A system without the file gives out no numbers through it.
    return []
  }
}
