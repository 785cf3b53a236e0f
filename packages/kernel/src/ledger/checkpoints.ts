/** Owns the tree and its signed checkpoints: after 256 entries, after a minute, and after every outward effect. */
import type { KeyObject } from 'node:crypto'
import type { OperatorId } from '@countersign/contract'
import {
  appendLeaf,
  emptyFrontier,
  type Frontier,
  frontierRoot,
  parseFrontier,
  serialiseFrontier,
} from '@countersign/contract/node'
import { sql } from 'kysely'
import type { Db, Store } from '../store/store.ts'
import { signCheckpoint } from './checkpoint.ts'
import { hasSubtrees, keepSubtrees } from './subtrees.ts'

export interface Checkpoints {
  /** Called after entries were committed. */
  appended(operator: OperatorId, last: number, urgent: boolean): void
  /** Signs everything that is committed now; returns the size that the newest checkpoint covers. */
  sign(operator: OperatorId): Promise<number>
  /** Makes sure that the hashes of whole parts reach up to this size: a ledger may be older than they are. */
  keepParts(operator: OperatorId, size: number): Promise<void>
  close(): Promise<void>
}

export interface CheckpointOptions {
  readonly store: Store
  readonly key: KeyObject
  readonly originOf: (operator: OperatorId) => string
  readonly onProblem: (error: unknown) => void
  readonly everyEntries?: number
  readonly everyMs?: number
}

export function createCheckpoints(options: CheckpointOptions): Checkpoints {
  const everyEntries = options.everyEntries ?? 256
  const everyMs = options.everyMs ?? 60_000
  const signed = new Map<OperatorId, number>()
  const timers = new Map<OperatorId, NodeJS.Timeout>()
  const busy = new Map<OperatorId, Promise<number>>()

  function sign(operator: OperatorId): Promise<number> {
    const before = busy.get(operator) ?? Promise.resolve(0)
    const next = before.catch(() => 0).then(() => extend(options, operator))
    busy.set(operator, next)
    return next.then((size) => {
      signed.set(operator, size)
      if (busy.get(operator) === next) busy.delete(operator)
      return size
    })
  }

  function signSoon(operator: OperatorId): void {
    clearTimeout(timers.get(operator))
    timers.delete(operator)
    sign(operator).catch(options.onProblem)
  }

  return {
    appended(operator, last, urgent) {
      if (urgent || last - (signed.get(operator) ?? 0) >= everyEntries) {
        if (!busy.has(operator)) signSoon(operator)
      } else if (!timers.has(operator)) {
        timers.set(operator, setTimeout(() => signSoon(operator), everyMs).unref())
      }
    },
    sign,
    async keepParts(operator, size) {
      if (await options.store.single(operator, (db) => hasSubtrees(db, size))) return
      await options.store.transact(operator, async ({ db }) => {
        await lockTree(db, operator)
        await keepSubtrees(db, operator, size)
      })
    },
    async close() {
      for (const timer of timers.values()) clearTimeout(timer)
      timers.clear()
      await Promise.allSettled(busy.values())
    },
  }
}

async function extend(options: CheckpointOptions, operator: OperatorId): Promise<number> {
  const { value } = await options.store.transact(operator, async ({ db, now }) => {
    await lockTree(db, operator)
    const last = await db
      .selectFrom('checkpoints')
      .select(['size', 'frontier'])
      .orderBy('size', 'desc')
      .limit(1)
      .executeTakeFirst()
    const before = last ? parseFrontier(last.frontier) : emptyFrontier()
    const after = await withNewLeaves(db, before)
    if (after.size === before.size) return before.size
    const root = frontierRoot(after)
    const note = signCheckpoint({
      origin: options.originOf(operator),
      size: after.size,
      root,
      privateKey: options.key,
    })
    await db
      .insertInto('checkpoints')
      .values({
        operator_id: operator,
        size: after.size,
        frontier: Buffer.from(serialiseFrontier(after)),
        note,
        at: now,
      })
      .execute()
    await keepSubtrees(db, operator, after.size)
    return after.size
  })
  return value
}

/** One at a time signs, whichever process. */
async function lockTree(db: Db, operator: OperatorId): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('countersign/checkpoint'), hashtext(${operator}))`.execute(
    db,
  )
}

async function withNewLeaves(db: Db, start: Frontier): Promise<Frontier> {
  let frontier = start
  for (;;) {
    const rows = await db
      .selectFrom('ledger_entries')
      .select('leaf')
      .where('seq', '>', frontier.size)
      .orderBy('seq')
      .limit(5_000)
      .execute()
    for (const row of rows) frontier = appendLeaf(frontier, row.leaf)
    if (rows.length < 5_000) return frontier
  }
}
