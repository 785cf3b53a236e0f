/** Owns the folder in which one browser keeps its files: closed to others, and gone when the browser is. */
import { chmodSync, chownSync, lstatSync, mkdirSync, mkdtempSync, readdirSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { AvailableBrowser } from './program.ts'

export interface Profile {
  readonly path: string
  /** For what the driver keeps; the browser cannot write here. */
  readonly own: string
  remove(): Promise<void>
}

/** Clears away what browsers of ended processes left in the same place. */
export async function openProfile(root: string, user: AvailableBrowser['user']): Promise<Profile> {
  await Promise.all(leftIn(root).map(removeFolder))
  const folder = mkdtempSync(join(root, `${prefix}${process.pid}-`))
  const path = join(folder, 'profile')
  mkdirSync(path, { mode: 0o700 })
  if (user) {
    // The other user passes through a folder that stays ours, so it cannot put anything in place of its own.
    chmodSync(folder, 0o711)
    chownSync(path, user.uid, user.gid)
  }
  return { path, own: folder, remove: () => removeFolder(folder) }
}

const prefix = 'countersign-browser-'

function leftIn(root: string): string[] {
  return readdirSync(root)
    .filter((name) => {
      const pid = new RegExp(`^${prefix}(\\d+)-\\w+$`).exec(name)?.[1]
      return pid !== undefined && !isAlive(Number(pid))
    })
    .map((name) => join(root, name))
    .filter((path) => {
      const stat = lstatSync(path, { throwIfNoEntry: false })
      return stat?.isDirectory() === true && stat.uid === process.getuid?.()
    })
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

async function removeFolder(path: string): Promise<void> {
  // Its last processes may still be writing while they end.
  await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }).catch(() => undefined)
}
