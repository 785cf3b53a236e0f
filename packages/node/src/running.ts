/**
 * Owns that one program runs a node, and what it said last. It holds a lock that the system takes away with it, so that
 * neither a crash nor a number of a process that came again stands in the way of the next one.
 */
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { CountersignError } from '@countersign/contract'
import { type NodePaths, type NodeStatus, readStatus } from './node-home.ts'

const waitMs = 2_000

/** Ends with the process at the latest. */
export function holdNode(paths: Pick<NodePaths, 'lock' | 'status'>): { release(): void } {
  const held = lock(paths.lock, waitMs)
  if (held) return { release: () => held.close() }
  const pid = readStatus(paths)?.pid
  throw new CountersignError(
    'conflict',
    `The node runs already${pid === undefined ? '' : ` (pid ${pid})`}.`,
    {
      next: 'See `countersign node status`.',
    },
  )
}

/** What the program that runs said last; nothing where none runs. */
export function runningNode(paths: Pick<NodePaths, 'lock' | 'status'>): NodeStatus | undefined {
  if (!existsSync(paths.lock)) return undefined
  const held = lock(paths.lock, 0)
  held?.close()
  return held ? undefined : readStatus(paths)
}

function lock(path: string, timeout: number): DatabaseSync | undefined {
  const database = new DatabaseSync(path, { timeout })
  try {
    database.exec('begin exclusive')
    return database
  } catch (error) {
    database.close()
    if (/database is locked/.test(String(error))) return undefined
    throw error
  }
}
