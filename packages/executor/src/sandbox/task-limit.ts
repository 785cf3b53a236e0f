/**
 * Bounds the number of tasks of a sandbox that runs as root, for whom the kernel does not enforce RLIMIT_NPROC.
 * Groups are made below the group this process is in, so a limit from outside still holds.
 */

import { randomBytes } from 'node:crypto'
import {
  accessSync,
  constants,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface TaskGroup {
  /** Puts a process that has started no other into the group. The kernel may take some milliseconds for it. */
  join(pid: number): Promise<void>
  /** Resolves when the group is gone, or when it could not be removed within a second. */
  remove(): Promise<void>
}

export interface TaskLimit {
  open(maxTasks: number): TaskGroup
}

/** Null where no task-counting group can be made. Clears away groups that processes which were killed have left. */
export function findTaskLimit(groupRoot = '/sys/fs/cgroup'): TaskLimit | null {
  for (const parent of candidates(groupRoot)) {
    const limit: TaskLimit = { open: (maxTasks) => openGroup(parent, maxTasks) }
    try {
      void limit.open(1).remove()
      sweep(parent)
      return limit
    } catch {
      // Read-only or undelegated: the next hierarchy may still serve.
      continue
    }
  }
  return null
}

const prefix = 'countersign-'

function candidates(groupRoot: string): string[] {
  const lines = readFileSync('/proc/self/cgroup', 'utf8').trim().split('\n')
  const parents: string[] = []
  for (const line of lines) {
    const [, controllers = '', path = '/'] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (controllers.split(',').includes('pids')) parents.push(join(groupRoot, 'pids', path))
    if (controllers === '') parents.push(join(groupRoot, path))
  }
  return parents
}

/** Tens of microseconds for each step, which is less than the way to another thread and back. */
function openGroup(parent: string, maxTasks: number): TaskGroup {
  accessSync(join(parent, 'cgroup.procs'), constants.W_OK)
  const path = join(parent, `${prefix}${randomBytes(8).toString('hex')}`)
  mkdirSync(path)
  const remove = (): Promise<void> => removeGroup(path)
  try {
    writeFileSync(join(path, 'pids.max'), String(maxTasks), { flag: 'r+' })
  } catch (cause) {
    void remove()
    throw new Error(`no task limit in ${parent}`, { cause })
  }
  return {
    join: (pid) => writeFile(join(path, 'cgroup.procs'), String(pid), { flag: 'r+' }),
    remove,
  }
}

/** One that is in use cannot be removed, and one that is new is about to be used. */
function sweep(parent: string): void {
  for (const name of readdirSync(parent)) {
    if (!name.startsWith(prefix)) continue
    try {
      const path = join(parent, name)
      if (Date.now() - statSync(path).ctimeMs > 60_000) rmdirSync(path)
    } catch {
      // In use, or gone already.
      continue
    }
  }
}

/** A group stays busy until its last process is reaped, which may be a moment after the sandbox has ended. */
async function removeGroup(path: string): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    try {
      rmdirSync(path)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY') return
      await sleep(2)
    }
  }
}
