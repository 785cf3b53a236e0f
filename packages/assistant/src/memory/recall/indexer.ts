/**
 * Owns the work in the background that gives memories their vectors. Two processes do not embed the same memory, and
 * another model for embeddings makes it begin anew. Refuses to hurry: it waits longer after each failure.
 */
import type { EmbeddingPort, Meter } from '@countersign/agent'
import type { LimitedDb } from '@countersign/kernel'
import { type RawBuilder, sql } from 'kysely'
import type { AssistantContext } from '../../assistant-context.ts'
import { longestEmbedded } from './query-vector.ts'
import { releaseClaims } from './stored-vectors.ts'
import { type IndexTables, tablesOf, type VectorIndex } from './vector-index.ts'

export interface Indexer {
  /** One batch. */
  step(): Promise<IndexedStep>
  /** Works until it is stopped; `wake` tells it that there may be something to do. */
  start(): void
  wake(): void
  stop(): Promise<void>
}

export type IndexedStep =
  | { readonly kind: 'embedded'; readonly count: number }
  /** Every memory has a vector of the model. */
  | { readonly kind: 'idle' }
  | { readonly kind: 'unavailable'; readonly reason: string }
  | { readonly kind: 'failed'; readonly message: string }

export interface IndexerOptions {
  readonly context: Pick<AssistantContext, 'operator' | 'records' | 'clock' | 'onProblem'>
  readonly index: VectorIndex
  readonly embeddings: EmbeddingPort
  readonly meter: Meter
  /** Resolves after that long, or at once when the signal is aborted. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Memories where nothing is said. */
  readonly texts?: IndexedTexts
  readonly batch?: number
  /** How long until it looks again by itself. */
  readonly restMs?: number
  /** How long it waits once it is woken, so that what is said together is done together. */
  readonly settleMs?: number
}

/** What gets vectors, and what comes before that. */
export interface IndexedTexts {
  readonly tables: IndexTables
  /** The rows `m` of the index, narrowed to those that may have a vector, and the text of each. */
  readonly rows: { readonly from: RawBuilder<unknown>; readonly content: RawBuilder<unknown> }
  /** Which rows may be sent to the model at all, as a condition on their columns. */
  readonly allowed: () => Promise<RawBuilder<unknown>>
  /** True when there was something to do before. */
  readonly first?: () => Promise<boolean>
}

const memoryTexts: IndexedTexts = {
  tables: tablesOf('memory'),
  rows: {
    from: sql`, records r where r.operator_id = m.operator_id and r.collection = 'memories' and r.id = m.id and`,
    content: sql`r.data ->> 'content'`,
  },
  allowed: () => Promise.resolve(sql`status in ('active', 'suggested')`),
}

interface ClaimedMemory {
  readonly id: string
  readonly revision: number
  readonly content: string | null
}

export function createIndexer(options: IndexerOptions): Indexer {
  const { context, index, embeddings, meter, wait, batch = 32, restMs = 60_000, settleMs = 0 } = options
  const texts = options.texts ?? memoryTexts
  const { operator, records } = context
  const closing = new AbortController()
  let waking = new AbortController()
  let isWoken = false
  let working: Promise<void> | undefined
  let isRepaired = false
  /** Known once something was embedded. */
  let current: string | undefined
  /** There was no model the last time; one text is enough to learn whether there is one now. */
  let isAway = false

  async function claim(): Promise<readonly ClaimedMemory[]> {
    const allowed = await texts.allowed()
    const { value } = await records.change(operator, async ({ db, now }) => {
      const claimSome = (which: RawBuilder<unknown>, most: number) =>
        claimWhere(db, texts, operator, sql`${allowed} and ${which}`, now, isAway ? 1 : most)
      if (!isRepaired) await index.repair(db, operator)
      // Until the model is known, one memory of any model is embedded to learn its name.
      const fresh = await claimSome(sql`model is null`, batch)
      if (fresh.length > 0) return fresh
      return current === undefined
        ? claimSome(sql`true`, 1)
        : claimSome(sql`(model < ${current} or model > ${current})`, batch)
    })
    isRepaired = true
    return value
  }

  /** Nothing to embed: the index catches up even if nobody asks, so that what is forgotten leaves its memory too. */
  async function dropOldVectors(db: LimitedDb, now: Date): Promise<void> {
    await index.prepare(db, operator)
    await sql`delete from ${texts.tables.removals}
      where operator_id = ${operator} and at < ${new Date(now.getTime() - removalsMs)}`.execute(db)
  }

  async function step(): Promise<IndexedStep> {
    if (await texts.first?.()) return { kind: 'embedded', count: 0 }
    const claimed = await claim()
    if (claimed.length === 0) {
      await records.change(operator, ({ db, now }) => dropOldVectors(db, now))
      return { kind: 'idle' }
    }
    const said = claimed.map(({ content }) => (content ?? '').slice(0, longestEmbedded))
    const answer = await embeddings.embed(said, closing.signal, meter)
    isAway = answer.kind === 'unavailable'
    if (answer.kind !== 'embedded') {
      await records.change(operator, ({ db }) =>
        releaseClaims(
          db,
          texts.tables,
          operator,
          claimed.map(({ id }) => id),
        ),
      )
      return answer.kind === 'failed' ? { kind: 'failed', message: answer.failure.message } : answer
    }
    const { model, vectors } = answer
    current = model
    const made = claimed.flatMap(({ id, revision }, place) => {
      const vector = vectors[place]
      return vector ? [{ memory: id, revision, model, vector }] : []
    })
    const { value: count } = await records.change(operator, ({ db }) => index.upsert(db, operator, made))
    return { kind: 'embedded', count }
  }

  async function work(): Promise<void> {
    for (let failures = 0; !closing.signal.aborted; ) {
      if (isWoken && settleMs > 0) await wait(settleMs, closing.signal)
      isWoken = false
      const done = await step().catch((problem: unknown) => {
        context.onProblem(problem)
        return { kind: 'failed' as const }
      })
      if (done.kind === 'embedded') {
        failures = 0
        continue
      }
      failures = done.kind === 'failed' ? failures + 1 : 0
      if (isWoken && done.kind === 'idle') continue
      waking = new AbortController()
      const ms = done.kind === 'failed' ? Math.min(restMs, 1_000 * 2 ** failures) : restMs
      // After a failure nobody wakes it early: what was added meanwhile would fail as well.
      const signals = done.kind === 'failed' ? [closing.signal] : [closing.signal, waking.signal]
      await wait(ms, AbortSignal.any(signals))
    }
  }

  return {
    step,
    start() {
      working ??= work()
    },
    wake() {
      isWoken = true
      waking.abort()
    },
    async stop() {
      closing.abort()
      await working
    },
  }
}

/** Long after every process has looked. */
const removalsMs = 86_400_000

/** Longer than a batch takes; after that another may try. */
const claimMs = 180_000

async function claimWhere(
  db: LimitedDb,
  { tables: { index }, rows: source }: IndexedTexts,
  operator: string,
  which: RawBuilder<unknown>,
  now: Date,
  limit: number,
): Promise<readonly ClaimedMemory[]> {
  const { rows } = await sql<ClaimedMemory>`
    with chosen as (
      select no from ${index}
      where operator_id = ${operator} and ${which}
        and (claimed_until is null or claimed_until < ${now})
      order by model nulls first, no limit ${limit} for update skip locked
    )
    update ${index} m set claimed_until = ${new Date(now.getTime() + claimMs)}
    from chosen ${source.from} m.operator_id = ${operator} and m.no = chosen.no
    returning m.id, m.revision, ${source.content} as content`.execute(db)
  return rows
}
