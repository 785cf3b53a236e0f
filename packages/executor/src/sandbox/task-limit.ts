/**
 * Bounds the number of tasks of a sandbox that runs as root, for whom the kernel does not enforce RLIMIT_NPROC.
 * Groups are made below the group this process is in, so a limit from outside still holds.
 */

import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, readFile, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export interface TaskGroup {
  /** The file a process writes its own id to in order to join. */
  readonly joinFile: string
  /** Resolves when the group is gone, or when it could not be removed within a second. */
  remove(): Promise<void>
}

export interface TaskLimit {
  open(maxTasks: number): Promise<TaskGroup>
}

/** Resolves to `null` where no task-counting group can be made. */
export async function findTaskLimit(groupRoot = '/sys/fs/cgroup'): Promise<TaskLimit | null> {
  for (const parent of await candidates(groupRoot)) {
    const limit: TaskLimit = { open: (maxTasks) => openGroup(parent, maxTasks) }
    try {
      const group = await limit.open(1)
      await group.remove()
      return limit
    } catch {
      // Read-only or undelegated: the next hierarchy may still serve.
      continue
    }
  }
  return null
}

async function candidates(groupRoot: string): Promise<string[]> {
  const lines = (await readFile('/proc/self/cgroup', 'utf8')).trim().split('\n')
  const parents: string[] = []
  for (const line of lines) {
    const [, controllers = '', path = '/'] = /^\d+:([^:]*):(.*)$/.exec(line) ?? []
    if (controllers.split(',').includes('pids')) parents.push(join(groupRoot, 'pids', path))
    if (controllers === '') parents.push(join(groupRoot, path))
  }
  return parents
}

async function openGroup(parent: string, maxTasks: number): Promise<TaskGroup> {
  await access(join(parent, 'cgroup.procs'), constants.W_OK)
  const path = join(parent, `countersign-${randomBytes(8).toString('hex')}`)
  await mkdir(path)
  const remove = (): Promise<void> => removeGroup(path)
  try {
    await writeFile(join(path, 'pids.max'), String(maxTasks), { flag: 'r+' })
  } catch (cause) {
    await remove()
    throw new Error(`no task limit in ${parent}`, { cause })
  }
  return { joinFile: join(path, 'cgroup.procs'), remove }
}

/** A group stays busy until its last process is reaped, which may be a moment after the sandbox has ended. */
async function removeGroup(path: string): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    try {
      await rmdir(path)
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY') return
      await sleep(2)
    }
  }
}
