/**
 * The running server of one data directory: starts it, recognises it, asks it to end.
 * A process id counts as ours only while that process works in our data directory or was started for it, so a reused
 * id is never adopted or signalled.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { open, readdir, readFile, readlink, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runAs, spawnOptions } from './binaries.ts'
import type { Account } from './cluster-paths.ts'
import { DatabaseError } from './database-error.ts'
import { codeOf, readIfPresent } from './file.ts'

export interface PidFile {
  /** Absent when the file was cut short by a crash. */
  pid?: number
  socketDir: string
  ready: boolean
}

const fastShutdownMs = 20_000
const immediateShutdownMs = 5_000
const logLimit = 1_000_000

export async function readPidFile(cluster: string): Promise<PidFile | undefined> {
  const text = await readIfPresent(join(cluster, 'postmaster.pid'))
  if (text === undefined) return undefined
  const lines = text.split('\n')
  const pid = Number(lines[0])
  return {
    ...(Number.isInteger(pid) && pid > 1 ? { pid } : {}),
    socketDir: lines[4] ?? '',
    ready: lines[7]?.trim() === 'ready',
  }
}

export function removePidFile(cluster: string): Promise<void> {
  return rm(join(cluster, 'postmaster.pid'), { force: true })
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/** False for a zombie too: its command is empty. */
export async function isPostmasterOf(pid: number, cluster: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  const command = await commandOf(pid)
  return (
    command !== '' && (command.includes(` -D ${cluster} `) || (await workingDirectoryOf(pid)) === cluster)
  )
}

export async function spawnPostmaster(options: {
  account: Account
  program: string
  args: string[]
  logFile: string
}): Promise<{ child: ChildProcess; logOffset: number }> {
  if ((await logSize(options.logFile)) > logLimit) await rename(options.logFile, `${options.logFile}.old`)
  const log = await open(options.logFile, 'a', 0o600)
  try {
    const { size: logOffset } = await log.stat()
    const child = spawn(options.program, options.args, {
      ...spawnOptions(options.account),
      detached: true,
      stdio: ['ignore', log.fd, log.fd],
    })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    child.unref()
    return { child, logOffset }
  } finally {
    await log.close()
  }
}

export async function stopPostmaster(pid: number, cluster: string): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGINT', fastShutdownMs],
    ['SIGQUIT', immediateShutdownMs],
  ] as const) {
    if (!(await isPostmasterOf(pid, cluster))) return
    signalProcess(pid, signal)
    for (const deadline = Date.now() + waitMs; Date.now() < deadline; await delay(10)) {
      if (!(await isPostmasterOf(pid, cluster))) return
    }
  }
  throw new DatabaseError(
    'database_not_stopped',
    `PostgreSQL (process ${pid}) did not stop within ${(fastShutdownMs + immediateShutdownMs) / 1000} seconds.`,
    `Check its log, then stop process ${pid}. No acknowledged data is lost.`,
  )
}

/**
 * Ends backends that outlived a killed server: a busy one notices only when its query ends, and until then it keeps
 * the shared memory that a new server must not share. Where /proc is missing they are waited for instead.
 */
export async function endOrphans(clusterName: string): Promise<void> {
  if (process.platform !== 'linux') return
  for (const name of await readdir('/proc')) {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid < 2) continue
    if ((await commandOf(pid)).startsWith(`postgres: ${clusterName}: `)) signalProcess(pid, 'SIGQUIT')
  }
}

export async function logSize(path: string): Promise<number> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return 0
    throw error
  }
}

export async function logSince(path: string, offset: number): Promise<string> {
  const log = Buffer.from((await readIfPresent(path)) ?? '')
  return log.subarray(offset).toString().trim().slice(-2000)
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
}

/** The command as words, each followed by a space; empty for a zombie and for no process. */
async function commandOf(pid: number): Promise<string> {
  if (process.platform === 'linux') {
    try {
      return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
    } catch (error) {
      if (isOutOfSight(error)) return ''
      throw error
    }
  }
  const ourselves = { uid: -1, gid: -1, switched: false }
  const { output } = await runAs(ourselves, '/bin/ps', ['-ww', '-o', 'command=', '-p', String(pid)])
  return output.trim() === '' ? '' : `${output.trim()} `
}

/** Survives a rename of the data directory, which the command does not; not readable by root in every container. */
async function workingDirectoryOf(pid: number): Promise<string | undefined> {
  if (process.platform !== 'linux') return undefined
  try {
    return await readlink(`/proc/${pid}/cwd`)
  } catch (error) {
    if (isOutOfSight(error)) return undefined
    throw error
  }
}

function isOutOfSight(error: unknown): boolean {
  return ['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(codeOf(error) ?? '')
}
