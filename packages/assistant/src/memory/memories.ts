/**
 * Owns what the operator does with memories themselves: see, add, edit, correct, review, forget, search. Every
 * act is one transaction with its ledger entry, which names the memory and never its words.
 */
import {
  type AddMemory,
  CountersignError,
  type EditMemory,
  type ForgottenMemories,
  type FoundMemory,
  forbiddenBy,
  keepMemory,
  type Memory,
  type MemoryDetail,
  type MemoryStats,
  type MemoryStatus,
  type MemoryType,
  type MemoryUse,
  type MemoryView,
  memoriesCollection,
  memoryData,
  memoryFigures,
  memoryIn,
  type NeverView,
  type OperatorId,
  type RecalledMemory,
  type RecallQuery,
  type RecordQuery,
  type StoredRecord,
} from '@countersign/contract'
import type { Actor, RecordTransactions } from '@countersign/kernel'
import { sql } from 'kysely'
import type { AssistantTransaction } from '../assistant-context.ts'
import { forgetMemory, previewForget } from './forget.ts'
import type { MentionRemover } from './mentions.ts'
import { neverList, neverRemember, rememberAgain } from './never-remember.ts'
import { acceptSuggestion, rejectSuggestion } from './review.ts'

/** Finds memories in use by their words and what they mean. */
export type RecallMemories = (
  tx: AssistantTransaction,
  query: RecallQuery,
) => Promise<readonly RecalledMemory[]>

export interface MemoriesParts {
  readonly records: Pick<RecordTransactions, 'read' | 'change'>
  readonly uuid: () => string
  readonly recall: RecallMemories
  /** Whoever keeps words of memories elsewhere. */
  readonly mentions: readonly MentionRemover[]
}

export interface MemoryListFilter {
  readonly status?: MemoryStatus
  readonly type?: MemoryType
  readonly tag?: string
  readonly goal?: string
  /** Words that must all occur. */
  readonly q?: string
  readonly limit: number
  readonly offset: number
}

export interface ChangedMemory {
  readonly memory: MemoryView
  readonly raised: boolean
  readonly ledger: number
}

export interface Memories {
  list(operator: OperatorId, filter: MemoryListFilter): Promise<{ items: MemoryView[]; total: number }>
  show(operator: OperatorId, id: string): Promise<MemoryDetail>
  add(operator: OperatorId, given: AddMemory, actor: Actor): Promise<ChangedMemory>
  /** In place; the earlier words are gone. New words are the operator's own. */
  edit(operator: OperatorId, id: string, changes: EditMemory, actor: Actor): Promise<ChangedMemory>
  /** A new memory takes its place; it stays, superseded. */
  correct(operator: OperatorId, id: string, content: string, actor: Actor): Promise<ChangedMemory>
  accept(operator: OperatorId, id: string, actor: Actor): Promise<ChangedMemory>
  reject(operator: OperatorId, id: string, actor: Actor): Promise<ChangedMemory>
  forget(
    operator: OperatorId,
    ids: readonly string[],
    actor: Actor,
  ): Promise<ForgottenMemories & { ledger: number }>
  previewForget(operator: OperatorId, ids: readonly string[], actor: Actor): Promise<ForgottenMemories>
  search(operator: OperatorId, query: RecallQuery): Promise<FoundMemory[]>
  stats(operator: OperatorId): Promise<MemoryStats>
  never(operator: OperatorId): Promise<NeverView[]>
  neverRemember(
    operator: OperatorId,
    words: string,
    actor: Actor,
  ): Promise<{ never: NeverView; matching: string[]; ledger: number }>
  rememberAgain(operator: OperatorId, id: string, actor: Actor): Promise<number>
  /** All of them, a line of JSON each. */
  exported(operator: OperatorId): AsyncIterable<string>
}

export function createMemories({ records: port, uuid, recall, mentions }: MemoriesParts): Memories {
  const act = async (
    operator: OperatorId,
    work: (tx: AssistantTransaction) => Promise<{ record: StoredRecord; raised?: boolean }>,
  ): Promise<ChangedMemory> => {
    const { value, ledger } = await port.change(operator, work)
    return { memory: memoryView(value.record), raised: value.raised ?? false, ledger }
  }

  const page = (operator: OperatorId, asked: RecordQuery) =>
    port.read(operator, ({ records }) => records.list(memoriesCollection, asked))

  return {
    async list(operator, filter) {
      const { records, total } = await page(operator, queryOf(filter))
      return { items: records.map(memoryView), total }
    },
    show: (operator, id) =>
      port.read(operator, async (tx) => {
        const record = await present(tx, id)
        return {
          memory: memoryView(record),
          used: await usesOf(tx, id),
          earlier: (await earlierOf(tx, record)).map(memoryView),
        }
      }),
    add: (operator, given, actor) =>
      act(operator, async (tx) => {
        const draft = { ...given, source: { kind: 'said' } } as const
        const kept = await keepMemory(tx.records, draft, {
          uuid,
          label: null,
          status: 'active',
          byOperator: true,
        })
        if (kept.kind === 'refused') throw refused(kept.reason)
        const type = kept.kind === 'kept' ? 'memory.added' : 'memory.raised'
        tx.record({ type, actor, data: { id: kept.record.id, type: given.type } })
        return { record: kept.record, raised: kept.kind !== 'kept' }
      }),
    edit: (operator, id, changes, actor) =>
      act(operator, async (tx) => {
        const before = await present(tx, id)
        const memory = memoryIn(before)
        const isNew = changes.content !== undefined && changes.content !== memory.content
        if (changes.content !== undefined) await requireAllowed(tx, changes.content)
        const own: Partial<Memory> = isNew ? { source: { kind: 'said' }, confidence: 1 } : {}
        const data = memoryData({ ...memory, ...own, ...changes })
        // Words that the operator wrote are worth what the operator is; a new tag makes nothing truer.
        const label = isNew ? null : before.label
        const record = await tx.records.replace(memoriesCollection, id, before.version, data, label)
        const fields = Object.keys(changes)
        tx.record({ type: 'memory.edited', actor, data: { id, type: memoryIn(record).type, fields } })
        return { record }
      }),
    correct: (operator, id, content, actor) =>
      act(operator, async (tx) => {
        const memory = memoryIn(await present(tx, id))
        if (memory.status !== 'active')
          throw new CountersignError(
            'conflict',
            `${id} is ${memory.status}, so there is nothing to correct.`,
            {
              next: 'Edit it with `countersign memory edit`, or add a new one.',
            },
          )
        const { type, importance, tags, goal, pinned } = memory
        const given = { content, type, importance, tags, pinned, ...(goal === null ? {} : { goal }) }
        const draft = { ...given, replaces: id, source: { kind: 'said' } } as const
        const kept = await keepMemory(tx.records, draft, {
          uuid,
          label: null,
          status: 'active',
          byOperator: true,
        })
        if (kept.kind === 'refused') throw refused(kept.reason)
        if (kept.kind !== 'kept')
          throw new CountersignError('conflict', `${kept.record.id} says that already.`, {
            next: `Forget the wrong one with \`countersign memory forget ${id}\`.`,
          })
        tx.record({ type: 'memory.corrected', actor, data: { id: kept.record.id, type, replaces: id } })
        return { record: kept.record }
      }),
    accept: (operator, id, actor) => act(operator, (tx) => acceptSuggestion(tx, id, actor)),
    reject: (operator, id, actor) =>
      act(operator, async (tx) => ({ record: await rejectSuggestion(tx, id, actor) })),
    async forget(operator, ids, actor) {
      const { value, ledger } = await port.change(operator, async (tx) => {
        const forgotten = await forgetMemory(tx, ids, actor, mentions)
        if (forgotten.memories === 0) throw missing(ids[0] ?? '')
        return forgotten
      })
      return { ...value, ledger }
    },
    async previewForget(operator, ids, actor) {
      const forgotten = await previewForget(port, operator, ids, actor, mentions)
      if (forgotten.memories === 0) throw missing(ids[0] ?? '')
      return forgotten
    },
    search: (operator, query) =>
      port.read(operator, async (tx) => {
        const found: FoundMemory[] = []
        for (const { id, score } of await recall(tx, query)) {
          const record = await tx.records.get(memoriesCollection, id)
          if (record) found.push({ memory: memoryView(record), score })
        }
        return found
      }),
    stats: (operator) => port.read(operator, ({ records }) => memoryFigures(records)),
    never: (operator) => port.read(operator, neverList),
    async neverRemember(operator, words, actor) {
      const { value, ledger } = await port.change(operator, (tx) => neverRemember(tx, words, actor, uuid))
      return { ...value, ledger }
    },
    async rememberAgain(operator, id, actor) {
      return (await port.change(operator, (tx) => rememberAgain(tx, id, actor))).ledger
    },
    async *exported(operator) {
      const order = [{ field: 'createdAt', direction: 'up' }] as const
      for (let offset = 0; ; offset += exportedAtOnce) {
        const { records } = await page(operator, { order, limit: exportedAtOnce, offset })
        for (const record of records) yield `${JSON.stringify(memoryView(record))}\n`
        if (records.length < exportedAtOnce) return
      }
    },
  }
}

export function memoryView(record: StoredRecord): MemoryView {
  const { id, version, createdAt, updatedAt, label } = record
  return { ...memoryIn(record), id, version, createdAt, updatedAt, label }
}

const exportedAtOnce = 200
const mostUses = 20
const mostEarlier = 20

function queryOf({ status, type, tag, goal, q, limit, offset }: MemoryListFilter): RecordQuery {
  return {
    where: {
      ...(status === undefined ? {} : { status }),
      ...(type === undefined ? {} : { type }),
      ...(goal === undefined ? {} : { goal }),
    },
    ...(tag === undefined ? {} : { holds: { field: 'tags', value: tag } }),
    ...(q === undefined ? {} : { search: { text: q, fields: ['content', 'tags'] } }),
    order: [
      { field: 'pinned', direction: 'down' },
      { field: 'createdAt', direction: 'down' },
    ],
    limit,
    offset,
  }
}

async function present({ records }: AssistantTransaction, id: string): Promise<StoredRecord> {
  const found = await records.get(memoriesCollection, id)
  if (!found) throw missing(id)
  return found
}

/** Calls whose answer told of it: the id stands in the answer. */
async function usesOf({ db }: AssistantTransaction, id: string): Promise<MemoryUse[]> {
  const rows = await db
    .selectFrom('calls')
    .select(['run_id', 'session_id', 'tool', 'ended_at'])
    .where('tool', 'in', ['recall', 'list_memories'])
    .where(sql<boolean>`strpos(result_text, ${id}) > 0`)
    .orderBy('ended_at', 'desc')
    .limit(mostUses)
    .execute()
  return rows.map(({ run_id, session_id, tool, ended_at }) => ({
    run: run_id,
    session: session_id,
    tool,
    at: ended_at?.toISOString() ?? null,
  }))
}

async function earlierOf({ records }: AssistantTransaction, record: StoredRecord): Promise<StoredRecord[]> {
  const found: StoredRecord[] = []
  for (let id = memoryIn(record).supersedes; id !== null && found.length < mostEarlier; ) {
    const earlier = await records.get(memoriesCollection, id)
    if (!earlier) break
    found.push(earlier)
    id = memoryIn(earlier).supersedes
  }
  return found
}

async function requireAllowed({ records }: AssistantTransaction, content: string): Promise<void> {
  if ((await forbiddenBy(records, content)) !== undefined)
    throw refused('It is among the things that you want never remembered.')
}

function refused(reason: string): CountersignError {
  return new CountersignError('usage', reason.replace('the operator wants', 'you want'), {
    next: 'See the list with `countersign memory never`.',
  })
}

function missing(id: string): CountersignError {
  return new CountersignError('not_found', `There is no memory ${id}.`, {
    next: 'See them with `countersign memory list`.',
  })
}
