/**
 * Owns recall: what the operator's memories have to say to a few words. Meaning and words are looked for at the same
 * time; without a model for embeddings, or when it is too slow, the words answer alone. Refuses what is not active.
 */
import type { EmbeddingPort, Meter } from '@countersign/agent'
import type { RecalledMemory, RecallQuery } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import type { AssistantContext, AssistantTransaction } from '../../assistant-context.ts'
import { type MemoryCandidate, readCandidates, readWeightiest } from './candidate.ts'
import { embedQuery, type QueryVector } from './query-vector.ts'
import { type FoundMemory, type RankedMemory, rank, shortlist } from './rank.ts'
import {
  likenessOf,
  type MemoryFilter,
  type NearMemory,
  type VectorIndex,
  type WithConnection,
} from './vector-index.ts'
import { countMemories, searchWords, type WordMatch } from './word-search.ts'

export interface Recall {
  /** The best first. */
  recall(query: RecallQuery, circumstances?: RecallContext): Promise<readonly RecalledMemory[]>
}

export interface RecallContext {
  /** The transaction to recall in; left out, it reads in some of its own. */
  readonly tx?: Pick<AssistantTransaction, 'db' | 'now'>
  /** Who pays for embedding the words; left out, whoever the recall was made for. */
  readonly meter?: Meter
  readonly signal?: AbortSignal
}

export interface RecallOptions {
  readonly context: Pick<AssistantContext, 'operator' | 'records' | 'clock' | 'onProblem'>
  readonly index: VectorIndex
  /** Left out, there are only words. */
  readonly embeddings?: EmbeddingPort
  readonly meter: Meter
  /** How long embedding the words of a query may take; two seconds where nothing is said. */
  readonly patienceMs?: number
}

export function createRecall(options: RecallOptions): Recall {
  const { context, index, embeddings, patienceMs = 2_000 } = options
  const { operator } = context
  const memoriesIn = createCount(context)

  /** The preparation goes ahead of the slower statement, so that the scan need not wait for that. */
  async function wordsOf(
    db: LimitedDb,
    search: MemorySearch,
    prepared: (ready: Promise<void>) => void,
  ): Promise<readonly WordMatch[]> {
    const ready = embeddings ? index.prepare(db, operator).catch(context.onProblem) : Promise.resolve()
    prepared(ready)
    const matches = await searchWords(db, operator, { ...search, memories: await memoriesIn(db) })
    // The connection is given back when this ends.
    await ready
    return matches
  }

  async function nearestTo(
    asked: Promise<QueryVector | null>,
    prepared: Promise<void>,
    reach: WithConnection,
    { limit, filter }: MemorySearch,
  ): Promise<{ readonly asked: QueryVector | null; readonly near: readonly NearMemory[] }> {
    const query = await asked
    await prepared
    if (query === null) return { asked: null, near: [] }
    const near = await index
      .search(reach, operator, { ...query, limit, filter })
      .catch((problem: unknown) => (context.onProblem(problem), []))
    return { asked: query, near }
  }

  return {
    async recall(query, { tx, meter = options.meter, signal } = {}) {
      const reach: WithConnection = (work) =>
        tx ? work(tx.db) : context.records.read(operator, ({ db }) => work(db))
      const now = tx?.now ?? context.clock()
      const search = searchOf(query)
      if (query.limit <= 0) return []
      if (search.text === '') {
        const candidates = await reach(async (db) =>
          readCandidates(db, operator, await readWeightiest(db, operator, search), null),
        )
        return rank(candidates.map(unasked), query.limit, now).map(recalledFrom)
      }
      const late = AbortSignal.timeout(patienceMs)
      const end = signal ? AbortSignal.any([signal, late]) : late
      const vector = embeddings ? embedQuery(embeddings, search.text, meter, end) : Promise.resolve(null)
      const { promise: prepared, resolve } = Promise.withResolvers<void>()
      const look: WithConnection = (work) =>
        tx ? work(tx.db) : context.records.shared(operator, ({ db }) => work(db))
      const words = look((db) => wordsOf(db, search, resolve)).finally(resolve)
      const [matches, { asked, near }] = await Promise.all([
        words,
        nearestTo(vector, prepared, reach, search),
      ])
      const coverage = new Map(matches.map((match) => [match.memory, match.coverage]))
      const likeness = new Map(near.map((each) => [each.memory, each.likeness]))
      const ids = shortlist(coverage, likeness, query.limit)
      if (ids.length === 0) return []
      const candidates = await reach((db) => readCandidates(db, operator, ids, asked?.model ?? null))
      const found = candidates.map((candidate) => ({
        candidate,
        coverage: coverage.get(candidate.id) ?? 0,
        likeness: likeness.get(candidate.id) ?? likenessTo(candidate, asked),
      }))
      return rank(found, query.limit, now).map(recalledFrom)
    },
  }
}

interface MemorySearch {
  readonly text: string
  readonly limit: number
  readonly filter: MemoryFilter
}

/** More than are asked for, since the best by one measure may be far down by the other. */
const fewestFound = 40
const countedForMs = 600_000

function searchOf({ text, type, tags, goal, limit }: RecallQuery): MemorySearch {
  return {
    text: text.trim(),
    limit: Math.max(fewestFound, limit * 4),
    filter: {
      ...(type === undefined ? {} : { type }),
      ...(tags === undefined ? {} : { tags }),
      ...(goal === undefined ? {} : { goal }),
    },
  }
}

/** How many there are is only needed roughly, and counting them each time would cost more than the rest. */
function createCount({ operator, clock }: RecallOptions['context']): (db: LimitedDb) => Promise<number> {
  let counted = { memories: 0, until: 0 }
  return async (db) => {
    const now = clock().getTime()
    if (now >= counted.until)
      counted = { memories: await countMemories(db, operator), until: now + countedForMs }
    return counted.memories
  }
}

function unasked(candidate: MemoryCandidate): FoundMemory {
  return { candidate, likeness: null, coverage: 0 }
}

function likenessTo({ vector }: MemoryCandidate, asked: QueryVector | null): number | null {
  return asked && vector ? likenessOf(asked.vector, vector) : null
}

function recalledFrom({ candidate, score }: RankedMemory): RecalledMemory {
  const { id, content, type, importance, tags, createdAt, label } = candidate
  return { id, content, type, importance, tags, score, createdAt: createdAt.toISOString(), label }
}
