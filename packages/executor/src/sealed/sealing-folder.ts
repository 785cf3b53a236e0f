/** Owns the folder in which one executor process keeps sealed bytes: closed to others, and gone when the process is. */
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

export interface SealingFolder {
  readonly path: string
  remove(): Promise<void>
}

/** Clears away what ended processes left in the same place. */
export async function openSealingFolder(parent: string): Promise<SealingFolder> {
  await mkdir(parent, { recursive: true, mode: 0o700 })
  for (const name of await readdir(parent)) {
    const pid = /^(\d+)-\w+$/.exec(name)?.[1]
    if (pid === undefined || !isAlive(Number(pid))) await removeFolder(join(parent, name))
  }
  const path = await mkdtemp(join(parent, `${process.pid}-`))
  return { path, remove: () => removeFolder(path) }
}

/** Also one that holds folders that their owner may not enter, or names that are no text; a command can leave such. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true })
  } catch {
    await program('/bin/chmod', '-R', 'u+rwX', path)
    await program('/bin/rm', '-rf', '--', path)
    await rm(path, { recursive: true, force: true })
  }
}

function program(file: string, ...args: string[]): Promise<void> {
  return new Promise((resolve) => {
    execFile(file, args, () => resolve())
  })
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
