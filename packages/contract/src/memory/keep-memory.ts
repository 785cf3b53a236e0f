/**
 * Owns how a memory is put among the others, whoever brings it: an agent, the observer, the operator. An equal one is
 * raised instead of doubled, what has to wait becomes a suggestion, and what is never to be remembered is refused.
 */
import { CountersignError } from '../errors.ts'
import type { JsonObject } from '../json/value.ts'
import type { Records, StoredRecord } from '../records.ts'
import type { Label } from '../trust.ts'
import { Memory, type MemorySource, memoriesCollection, type NewMemory } from './memory.ts'
import { forbiddenBy } from './never.ts'
import { wordsIn, wordsKey } from './same-words.ts'

export interface MemoryDraft extends NewMemory {
  readonly source: MemorySource
  readonly pinned?: boolean
  readonly confidence?: number
  /** The memory that it stands in for. */
  readonly replaces?: string
}

export interface MemoryContext {
  readonly uuid: () => string
  /** What led to it, where that is worth less than the operator's own. */
  readonly label: Label | null
  /** `suggested` waits for the operator. */
  readonly status: 'active' | 'suggested'
  /** The operator is not held back by what they rejected earlier. */
  readonly byOperator?: boolean
}

export interface MemoryChange {
  readonly before: StoredRecord | null
  readonly after: StoredRecord
}

export type KeepMemoryResult =
  | {
      readonly kind: 'kept'
      readonly record: StoredRecord
      readonly status: 'active' | 'suggested'
      readonly changes: readonly MemoryChange[]
    }
  /** The same words are in use already, and now more important. */
  | { readonly kind: 'raised'; readonly record: StoredRecord; readonly changes: readonly MemoryChange[] }
  /** The same words are there already, and nothing changed. */
  | { readonly kind: 'known'; readonly record: StoredRecord }
  | { readonly kind: 'refused'; readonly why: 'never' | 'replaces'; readonly reason: string }

/** How much more important a memory becomes that is brought a second time. */
export const raisedBy = 0.1

export async function keepMemory(
  records: Records,
  draft: MemoryDraft,
  context: MemoryContext,
): Promise<KeepMemoryResult> {
  const { replaces, source, pinned, confidence, ...given } = draft
  if ((await forbiddenBy(records, given.content)) !== undefined)
    return {
      kind: 'refused',
      why: 'never',
      reason: 'It is among the things that the operator wants never remembered.',
    }
  const old = replaces === undefined ? undefined : await records.get(memoriesCollection, replaces)
  if (replaces !== undefined && (!old || memoryIn(old).status !== 'active'))
    return {
      kind: 'refused',
      why: 'replaces',
      reason: `There is no memory ${replaces} in use that could be replaced. Look ids up with list_memories.`,
    }
  const equal = await equalsOf(records, given.content, given.goal ?? null)
  const active = equal.find((record) => memoryIn(record).status === 'active')
  if (active) return raise(records, active, given.importance, context)
  const waiting = equal.find((record) => memoryIn(record).status === 'suggested')
  if (waiting && context.status === 'suggested') return { kind: 'known', record: waiting }
  const rejected = equal.some((record) => memoryIn(record).status === 'rejected')
  const status = rejected && !context.byOperator ? 'suggested' : context.status
  const id = `mem_${context.uuid().replaceAll('-', '')}`
  const memory = Memory.parse({
    ...given,
    source,
    status,
    ...(pinned === undefined ? {} : { pinned }),
    ...(confidence === undefined ? {} : { confidence }),
    supersedes: old?.id ?? null,
  })
  const record = await records.insert(memoriesCollection, id, memoryData(memory), context.label)
  const added: MemoryChange = { before: null, after: record }
  if (status === 'suggested' || !old) return { kind: 'kept', record, status, changes: [added] }
  return { kind: 'kept', record, status, changes: [added, await supersede(records, old, id)] }
}

/** Takes the old one out of use, in favour of the new one. */
export async function supersede(records: Records, old: StoredRecord, by: string): Promise<MemoryChange> {
  const data = memoryData({ ...memoryIn(old), status: 'superseded', supersededBy: by })
  return {
    before: old,
    after: await records.replace(memoriesCollection, old.id, old.version, data, old.label),
  }
}

/** Counts that these were told to somebody. One that somebody else changes at this moment is left out. */
export async function markUsed(records: Records, ids: readonly string[], now: Date): Promise<void> {
  // In one order for everybody, so that two who mark the same memories never wait for each other in a ring.
  for (const id of [...new Set(ids)].toSorted()) {
    const record = await records.get(memoriesCollection, id)
    if (!record) continue
    const memory = memoryIn(record)
    const data = memoryData({ ...memory, uses: memory.uses + 1, lastUsedAt: now.toISOString() })
    await records.replace(memoriesCollection, id, record.version, data, record.label).catch(unlessMoved)
  }
}

/** Every memory with the same words in the same place. */
export async function equalsOf(
  records: Records,
  content: string,
  goal: string | null,
): Promise<readonly StoredRecord[]> {
  const key = wordsKey(content)
  const text = wordsIn(content).slice(0, mostCompared).join(' ')
  const { records: near } = await records.list(memoriesCollection, {
    search: { text, fields: ['content'] },
    limit: mostNear,
  })
  return near.filter((record) => {
    const memory = memoryIn(record)
    return memory.goal === goal && wordsKey(memory.content) === key
  })
}

export function memoryIn(record: Pick<StoredRecord, 'data'>): Memory {
  return Memory.parse(record.data)
}

export function memoryData(memory: Memory): JsonObject {
  return memory as unknown as JsonObject
}

/** Words that are looked for in the store; the rest is compared here. */
const mostCompared = 12
const mostNear = 200

/** What untrusted content repeats does not become more important by that. */
async function raise(
  records: Records,
  record: StoredRecord,
  importance: number | undefined,
  { label, status }: MemoryContext,
): Promise<KeepMemoryResult> {
  const memory = memoryIn(record)
  if (status === 'suggested' || label !== null || memory.importance === 1) return { kind: 'known', record }
  const higher = Math.max(memory.importance, importance ?? 0) + raisedBy
  const data = memoryData({ ...memory, importance: atMostOne(higher) })
  const after = await records.replace(memoriesCollection, record.id, record.version, data, record.label)
  return { kind: 'raised', record: after, changes: [{ before: record, after }] }
}

export function atMostOne(value: number): number {
  return Math.min(1, Math.round(value * 100) / 100)
}

/** Somebody else changed or removed the record between the look and the change. */
export function hasMoved(error: unknown): boolean {
  return error instanceof CountersignError && (error.code === 'conflict' || error.code === 'not_found')
}

function unlessMoved(error: unknown): void {
  if (!hasMoved(error)) throw error
}
