/**
 * Owns the memory of permits that were used. A nonce begins once, in whichever of the processes that share the file
 * comes first; every later use is given what is known of the first. Refuses to begin what it cannot record.
 */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EffectClass, ExecuteReply } from '@countersign/contract'
import { openOutcome, sealOutcome } from './outcome-seal.ts'

/** How a use ended; `unknown` where even who did it cannot tell. */
export type ExecutedReply = Extract<ExecuteReply, { kind: 'done' | 'unknown' }>

export interface PermitUse {
  readonly nonce: string
  /** The digest of the subject: a nonce belongs to one subject for ever. */
  readonly digest: string
  readonly key: string
  readonly effect: EffectClass
  /** What its end is closed with. */
  readonly secret: Buffer
}

export type ReplayStart =
  | { readonly kind: 'begun'; readonly startedAt: string }
  | { readonly kind: 'seen'; readonly reply: ExecuteReply }

export interface ReplayStore {
  /** How long a use is remembered. */
  readonly keepMs: number
  /** What is known of an earlier use; waits while a live process is still at it. */
  earlier(use: PermitUse): Promise<ExecuteReply | undefined>
  /** Resolves to `begun` for exactly one caller among all processes. Rejects when nothing could be recorded. */
  begin(use: PermitUse): Promise<ReplayStart>
  finish(nonce: string, reply: ExecutedReply): Promise<void>
  close(): void
}

export interface ReplayOptions {
  readonly path: string
  readonly now: () => Date
  /** How long a use waits for the end of an earlier use in a live process. */
  readonly waitMs?: number
  readonly keepMs?: number
}

const day = 24 * 60 * 60_000

export function openReplayStore(options: ReplayOptions): ReplayStore {
  const { path, now, waitMs = 75_000, keepMs = day } = options
  const database = open(path)
  const me = { pid: process.pid, birth: birthOf(process.pid) ?? '' }
  const statements = prepare(database)
  let pruneAt = 0
  const underWay = new Map<string, PromiseWithResolvers<void>>()
  /** Of those whose end this process may yet write. */
  const secrets = new Map<string, Buffer>()
  const begins = createBatch<PermitUse, ReplayStart | ReplayRow>((uses) => {
    // A commit that must outlive a power cut costs a flush; reads need none.
    database.exec(`PRAGMA synchronous = ${uses.every((use) => use.effect === 'pure') ? 'NORMAL' : 'FULL'}`)
    prune()
    const results = inTransaction(database, () => {
      const startedAt = now().toISOString()
      return uses.map(({ nonce, digest, key }) => {
        const { changes } = statements.insert.run(nonce, digest, key, startedAt, me.pid, me.birth)
        if (changes === 1) return { kind: 'begun', startedAt } as const
        return statements.find.get(nonce) as unknown as ReplayRow
      })
    })
    results.forEach((result, index) => {
      const use = uses[index]
      if (!use || !('kind' in result)) return
      underWay.set(use.nonce, Promise.withResolvers())
      secrets.set(use.nonce, use.secret)
    })
    return results
  })
  const ends = createBatch<{ nonce: string; reply: ExecutedReply }, void>((items) => {
    database.exec('PRAGMA synchronous = NORMAL')
    return inTransaction(database, () =>
      items.map(({ nonce, reply }) => void statements.finish.run(closed(nonce, reply), nonce)),
    )
  })

  function closed(nonce: string, reply: ExecutedReply): string {
    const secret = secrets.get(nonce)
    if (!secret) throw new Error('a use ends that never began here')
    return sealOutcome(JSON.stringify(reply), secret)
  }

  /** Whoever finds out how it ended writes it down with what they came with. */
  function unknown({ nonce, started_at: startedAt }: ReplayRow, secret: Buffer): ExecuteReply {
    secrets.set(nonce, secret)
    return { kind: 'unknown', startedAt }
  }

  async function known(first: ReplayRow, { digest, secret }: PermitUse): Promise<ExecuteReply> {
    if (first.digest !== digest) return { kind: 'refused', reason: 'the nonce belongs to another permit' }
    const deadline = performance.now() + waitMs
    let row = first
    for (let pause = 5; row.outcome === null; pause = Math.min(pause * 2, 100)) {
      const mine = row.pid === me.pid && row.birth === me.birth
      const end = mine ? underWay.get(row.nonce) : undefined
      if (mine ? !end : birthOf(row.pid) !== row.birth) {
        // It may have ended between the two looks.
        row = (statements.find.get(row.nonce) as unknown as ReplayRow | undefined) ?? row
        if (row.outcome === null) return unknown(row, secret)
        break
      }
      if (performance.now() > deadline) return unknown(row, secret)
      await (end ? Promise.race([end.promise, sleep(waitMs, undefined, { ref: false })]) : sleep(pause))
      row = (statements.find.get(row.nonce) as unknown as ReplayRow | undefined) ?? row
    }
    const reply = JSON.parse(openOutcome(row.outcome ?? '', secret)) as ExecutedReply
    if (reply.kind === 'unknown') secrets.set(row.nonce, secret)
    return reply
  }

  function prune(): void {
    if (now().getTime() < pruneAt) return
    pruneAt = now().getTime() + keepMs / 24
    statements.prune.run(new Date(now().getTime() - keepMs).toISOString())
  }

  return {
    keepMs,
    async earlier(use) {
      const row = statements.find.get(use.nonce) as unknown as ReplayRow | undefined
      return row && known(row, use)
    },
    async begin(use) {
      const result = await begins.add(use)
      if (!('kind' in result)) return { kind: 'seen', reply: await known(result, use) }
      return result
    },
    async finish(nonce, reply) {
      try {
        await ends.add({ nonce, reply })
      } finally {
        underWay.get(nonce)?.resolve()
        underWay.delete(nonce)
        secrets.delete(nonce)
      }
    },
    close: () => database.close(),
  }
}

interface ReplayRow {
  readonly nonce: string
  readonly digest: string
  readonly started_at: string
  readonly outcome: string | null
  readonly pid: number
  readonly birth: string
}

function open(path: string): DatabaseSync {
  const database = new DatabaseSync(path, { timeout: 10_000 })
  database.exec(`
    PRAGMA journal_mode = WAL;
    CREATE TABLE IF NOT EXISTS permit_use (
      nonce TEXT PRIMARY KEY, digest TEXT NOT NULL, key TEXT NOT NULL, started_at TEXT NOT NULL,
      pid INTEGER NOT NULL, birth TEXT NOT NULL, outcome TEXT
    ) STRICT;
    CREATE INDEX IF NOT EXISTS permit_use_started ON permit_use (started_at);
  `)
  return database
}

function prepare(database: DatabaseSync) {
  return {
    insert: database.prepare(
      'INSERT INTO permit_use (nonce, digest, key, started_at, pid, birth) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
    ),
    find: database.prepare(
      'SELECT nonce, digest, started_at, outcome, pid, birth FROM permit_use WHERE nonce = ?',
    ),
    finish: database.prepare('UPDATE permit_use SET outcome = ? WHERE nonce = ?'),
    prune: database.prepare('DELETE FROM permit_use WHERE started_at < ?'),
  }
}

function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = work()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}

/** Everything that is asked for in one turn of the event loop shares one transaction. */
function createBatch<Item, Result>(work: (items: Item[]) => Result[]) {
  let waiting: { item: Item; end: PromiseWithResolvers<Result> }[] = []
  const flush = () => {
    const batch = waiting
    waiting = []
    try {
      const results = work(batch.map(({ item }) => item))
      batch.forEach(({ end }, index) => end.resolve(results[index] as Result))
    } catch (error) {
      for (const { end } of batch) end.reject(error)
    }
  }
  return {
    add(item: Item): Promise<Result> {
      const end = Promise.withResolvers<Result>()
      if (waiting.push({ item, end }) === 1) setImmediate(flush)
      return end.promise
    },
  }
}

/** Tells a process from a later one that was given the same number. Undefined when there is no such process. */
function birthOf(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return undefined
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in brackets may hold spaces; the start time is the twentieth field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z') return undefined
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${fields[19]}`
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' && process.platform === 'linux' ? undefined : ''
  }
}
