/** Owns turns among processes: one at a time holds the file. A process that dies gives its turn back. */
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { CountersignError } from '@countersign/contract'

const patienceMs = 30_000

export async function inTurn<T>(path: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  closeSync(openSync(path, 'a', 0o600))
  const database = new DatabaseSync(path)
  try {
    await take(database, path)
    return await work()
  } finally {
    database.close()
  }
}

/** The lock is the operating system's, on an empty database: nobody has to clear up after a crash. */
async function take(database: DatabaseSync, path: string): Promise<void> {
  const until = performance.now() + patienceMs
  for (;;) {
    try {
      database.exec('BEGIN EXCLUSIVE')
      return
    } catch (cause) {
      if (!isBusy(cause)) throw cause
      if (performance.now() > until)
        throw new CountersignError('limit_reached', `Another process holds ${path}.`, { cause })
      await sleep(10)
    }
  }
}

function isBusy(error: unknown): boolean {
  return (error as { errcode?: number }).errcode === 5
}
