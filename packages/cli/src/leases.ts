/**
 * Finds the gateway processes of this host by the signed note that each keeps while it runs. Refuses stale ones, those
 * that our gateway did not sign, and a folder that another user could have filled.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { jsonIn } from '@countersign/contract'
import { type Lease, leaseIn, requireOwnFolder, type SignedLease } from './signed-lease.ts'

export type { Lease } from './signed-lease.ts'

export interface LeasePaths {
  readonly lease: string
  readonly trust: string
}

/** The leases of processes that live and that our gateway signed, newest first. Throws where the folder is not ours. */
export function liveLeases(paths: LeasePaths): Lease[] {
  return leasesIn(paths)
    .flatMap(({ lease }) => (lease === null ? [] : [lease]))
    .filter((lease) => isAlive(lease.pid) && !isReused(lease))
    .toSorted((left, right) => right.startedAt.localeCompare(left.startedAt))
}

/** The files of processes that are gone. What nobody signed is left alone: it may be just being written. */
export function staleLeases(paths: LeasePaths): string[] {
  return leasesIn(paths).flatMap(({ path, lease }) =>
    lease !== null && (!isAlive(lease.pid) || isReused(lease)) ? [path] : [],
  )
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // A process of somebody else is alive, but cannot be ours.
    if (['ESRCH', 'EPERM'].includes(codeOf(error))) return false
    throw error
  }
}

interface FoundLease {
  readonly path: string
  /** Null where the file has gone, is not whole, or was not signed by our gateway. */
  readonly lease: SignedLease | null
}

function leasesIn({ lease: folder, trust }: LeasePaths): FoundLease[] {
  const gateway = gatewayIn(trust)
  if (gateway === undefined || !existsSync(folder)) return []
  requireOwnFolder(folder)
  return readdirSync(folder)
    .filter((name) => /^\d+\.json$/.test(name))
    .map((name) => join(folder, name))
    .map((path) => ({ path, lease: leaseIn(textOf(path), gateway) }))
}

/** Empty where it has gone: its gateway is just ending. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return ''
    throw error
  }
}

/** Undefined while this host has no trust file, or a damaged one: then nobody can have signed anything. */
function gatewayIn(trust: string): { readonly id: string; readonly key: string } | undefined {
  if (!existsSync(trust)) return undefined
  const found = jsonIn(readFileSync(trust, 'utf8')) as
    | { gateway?: Record<string, unknown> }
    | null
    | undefined
  const { id, key } = found?.gateway ?? {}
  return typeof id === 'string' && typeof key === 'string' ? { id, key } : undefined
}

const slackMs = 5_000
const ticksPerSecond = 100

/** True when the process began after the lease was written: the number now belongs to another program. */
function isReused(lease: Lease): boolean {
  const began = beganAt(lease.pid)
  return began !== undefined && began > Date.parse(lease.startedAt) + slackMs
}

/** Undefined where the system does not say. */
function beganAt(pid: number): number | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program stands in brackets and may hold spaces; the fields are counted after it.
    const ticks = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19])
    const boot = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1])
    const at = (boot + ticks / ticksPerSecond) * 1_000
    return Number.isFinite(at) ? at : undefined
  } catch (error) {
    if (['ENOENT', 'EACCES', 'ESRCH'].includes(codeOf(error))) return undefined
    throw error
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
