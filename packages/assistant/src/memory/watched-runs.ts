/** Owns the list of ended runs that are still to be looked at. It holds no words, only where they stand. */
import {
  hasMoved,
  type JsonObject,
  type Label,
  type RunId,
  type SessionId,
  type StoredRecord,
} from '@countersign/contract'
import { z } from 'zod'
import type { AssistantTransaction } from '../assistant-context.ts'

const Watched = z.object({
  session: z.string(),
  attempts: z.int(),
  notBefore: z.string(),
})

export interface WatchedRun {
  readonly run: RunId
  readonly session: SessionId
  readonly attempts: number
  /** What the run had become worth; null where that is no less than the operator's own. */
  readonly label: Label | null
  readonly version: number
}

export async function watch(
  tx: AssistantTransaction,
  run: RunId,
  session: SessionId,
  label: Label | null,
): Promise<void> {
  try {
    await tx.records.insert(watchCollection, run, dataOf(session, 0, tx.now), label)
  } catch (error) {
    // Watched already.
    if (!hasMoved(error)) throw error
  }
}

/** Those whose time has come, the oldest first. */
export async function dueRuns(
  { records }: Pick<AssistantTransaction, 'records'>,
  now: Date,
): Promise<WatchedRun[]> {
  const { records: due } = await records.list(watchCollection, {
    between: { field: 'notBefore', to: now.toISOString() },
    order: [{ field: 'createdAt', direction: 'up' }],
    limit: mostAtOnce,
  })
  return due.map(watchedIn)
}

/** Takes one try of it, so that no other process tries at the same time; nothing when somebody else has. */
export async function claim(tx: AssistantTransaction, watched: WatchedRun): Promise<WatchedRun | undefined> {
  const found = await tx.records.get(watchCollection, watched.run)
  if (!found || found.version !== watched.version) return undefined
  const attempts = watched.attempts + 1
  const again = new Date(tx.now.getTime() + attempts * betweenTriesMs)
  const data = dataOf(watched.session, attempts, again)
  try {
    const claimed = await tx.records.replace(watchCollection, watched.run, found.version, data, found.label)
    return watchedIn(claimed)
  } catch (error) {
    if (hasMoved(error)) return undefined
    throw error
  }
}

/** False when it was taken off meanwhile. */
export async function dropWatchedRun({ records }: AssistantTransaction, run: RunId): Promise<boolean> {
  const found = await records.get(watchCollection, run)
  if (!found) return false
  await records.remove(watchCollection, run, found.version)
  return true
}

/** Who forgets something does not want it found again in what was said before. */
export async function unwatch({ records }: AssistantTransaction): Promise<void> {
  await records.clear(watchCollection)
}

export const mostAttempts = 3

const watchCollection = 'memory_watch'
const mostAtOnce = 10
const betweenTriesMs = 300_000

function dataOf(session: SessionId, attempts: number, notBefore: Date): JsonObject {
  return { session, attempts, notBefore: notBefore.toISOString() }
}

function watchedIn({ id, data, label, version }: StoredRecord): WatchedRun {
  const { session, attempts } = Watched.parse(data)
  return { run: id as RunId, session: session as SessionId, attempts, label, version }
}
