/** Owns small private files: written whole or not at all, readable by their owner only. */
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** Replaces the file in one step. */
export function replaceFile(path: string, text: string): void {
  renameSync(writeBeside(path, text), path)
}

/** Creates the file only if it does not exist; the first of two writers wins. Says whether it was created. */
export function writeNew(path: string, text: string): boolean {
  const beside = writeBeside(path, text)
  try {
    linkSync(beside, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(beside, { force: true })
  }
}

function writeBeside(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const beside = `${path}.${process.pid}.${process.hrtime.bigint()}`
  const handle = openSync(beside, 'wx', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  return beside
}
