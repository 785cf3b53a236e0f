/** The few file operations that the database folder does the same way everywhere. */
import { lstat, open, readFile, rename, rm } from 'node:fs/promises'

export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined
}

export async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}

export async function readIfPresent(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Replaces a file in one step; `group` lets the account that runs PostgreSQL read what it must not change. */
export async function replaceFile(path: string, text: string, mode: number, group?: number): Promise<void> {
  const next = `${path}.next`
  await rm(next, { force: true })
  const file = await open(next, 'wx', mode)
  try {
    await file.writeFile(text)
    if (group !== undefined) await file.chown(-1, group)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(next, path)
}

export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
