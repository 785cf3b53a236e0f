/**
 * Lets one process at a time create or start the database of a home directory.
 * The lock is SQLite's lock on an empty file: the kernel drops it when its holder dies, so no stale lock is left
 * behind by kill -9, and no process id has to be guessed at.
 */
import { open } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from './database-error.ts'
import { codeOf } from './file.ts'

const sqliteBusy = 5
const waitMs = 90_000

export async function withStartLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await createOnce(path)
  const file = new DatabaseSync(path, { timeout: 0 })
  try {
    const deadline = Date.now() + waitMs
    while (!tryLock(file)) {
      if (Date.now() > deadline) {
        throw new DatabaseError(
          'database_start_busy',
          `Another process has been starting the database for over ${waitMs / 1000} seconds and holds ${path}.`,
          'Stop that process, then start again.',
        )
      }
      await delay(20)
    }
    return await work()
  } finally {
    file.close()
  }
}

/** Never opens an existing file: closing a second descriptor would drop a lock that this process already holds. */
async function createOnce(path: string): Promise<void> {
  try {
    await (await open(path, 'wx', 0o600)).close()
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error
  }
}

function tryLock(file: DatabaseSync): boolean {
  try {
    file.exec('BEGIN EXCLUSIVE')
    return true
  } catch (error) {
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return false
    throw error
  }
}
