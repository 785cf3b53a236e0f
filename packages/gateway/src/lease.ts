/** Owns the signed notes of running gateways in the run folder, which the contract describes. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile, type SignedLease } from '@countersign/contract/node'

/** Writes the lease, clears away those of processes that were killed, and returns what removes it. */
export function writeLease(folder: string, lease: SignedLease): () => void {
  for (const pid of leasesIn(folder)) if (!isAlive(pid)) rmSync(join(folder, `${pid}.json`), { force: true })
  const path = join(folder, `${lease.pid}.json`)
  replaceFile(path, `${JSON.stringify(lease)}\n`)
  return () => rmSync(path, { force: true })
}

/** Whether another process of this home is running. */
export function hasOtherLease(folder: string, itself: number): boolean {
  return leasesIn(folder).some((pid) => pid !== itself && isAlive(pid))
}

function leasesIn(folder: string): number[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder).flatMap((name) => (/^\d+\.json$/.test(name) ? [Number.parseInt(name, 10)] : []))
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
