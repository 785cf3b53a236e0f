/** Owns looking at files of the workspace for schedules that wait for a change. Refuses to look outside it. */
import { lstat, realpath } from 'node:fs/promises'
import { dirname, join, sep } from 'node:path'
import type { FileWatcher } from './scheduler.ts'

export function createWorkspaceWatcher(workspace: string): FileWatcher {
  return {
    async stat(path) {
      try {
        const root = await realpath(workspace)
        const wanted = join(root, path)
        // A link on the way may lead anywhere; the last part is looked at and not followed.
        const folder = await realpath(dirname(wanted))
        if (folder !== root && !folder.startsWith(`${root}${sep}`)) return null
        const { mtimeMs, size } = await lstat(wanted)
        return { mtimeMs: Math.floor(mtimeMs), size }
      } catch (problem) {
        if (isMissing(problem)) return null
        throw problem
      }
    },
  }
}

function isMissing(problem: unknown): boolean {
  const { code } = problem as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENOTDIR'
}
