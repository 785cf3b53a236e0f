/** Finds the gateway processes of this host by the lease file that each keeps while it runs. Refuses stale ones. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Lease {
  readonly pid: number
  readonly url: string
  readonly startedAt: string
  readonly version: string
}

/** The leases of processes that live, newest first. */
export function liveLeases(folder: string): Lease[] {
  return names(folder)
    .flatMap((name) => readLease(join(folder, name)))
    .filter((lease) => isAlive(lease.pid) && !isReused(lease))
    .toSorted((left, right) => right.startedAt.localeCompare(left.startedAt))
}

/** The files of processes that are gone. What cannot be read is left out: it may be just being written. */
export function staleLeases(folder: string): string[] {
  return names(folder)
    .map((name) => join(folder, name))
    .filter((path) => readLease(path).some((lease) => !isAlive(lease.pid) || isReused(lease)))
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

function names(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^\d+\.json$/.test(name))
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
}

/** Nothing when the file has gone or is not whole: its gateway is just starting or just ending. */
function readLease(path: string): Lease[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  }
  const value = parsed(text)
  if (typeof value !== 'object' || value === null) return []
  const { pid, url, startedAt, version } = value as Partial<Record<keyof Lease, unknown>>
  if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 1) return []
  if (typeof url !== 'string' || !URL.canParse(url) || typeof startedAt !== 'string') return []
  return [{ pid, url, startedAt, version: typeof version === 'string' ? version : '' }]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
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
