/** Owns the note by which programs on this host find a running gateway. It grants nothing. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '@countersign/contract/node'

export interface Lease {
  readonly pid: number
  readonly url: string
  readonly startedAt: string
  readonly version: string
}

/** Writes the lease and returns what removes it. */
export function writeLease(folder: string, lease: Lease): () => void {
  const path = join(folder, `${lease.pid}.json`)
  replaceFile(path, `${JSON.stringify(lease)}\n`)
  return () => rmSync(path, { force: true })
}

/** Whether another process of this home is running. */
export function hasOtherLease(folder: string, itself: number): boolean {
  if (!existsSync(folder)) return false
  return readdirSync(folder)
    .map((name) => Number.parseInt(name, 10))
    .some((pid) => pid !== itself && isAlive(pid))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
