/**
 * Owns what becomes of suggestions. Accepting is the operator's own act: from then on the memory is worth what the
 * operator's words are. Nothing else puts a suggestion in use.
 */
import {
  atMostOne,
  CountersignError,
  equalsOf,
  type Memory,
  memoriesCollection,
  memoryData,
  memoryIn,
  raisedBy,
  type StoredRecord,
  supersede,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { Hand } from '../hand.ts'

export interface Reviewed {
  readonly record: StoredRecord
  /** An equal one was in use already and became more important instead. */
  readonly raised: boolean
}

export async function acceptSuggestion(hand: Hand, id: string, actor: Actor): Promise<Reviewed> {
  const { records } = hand
  const suggestion = await suggestionOf(hand, id)
  const memory = memoryIn(suggestion)
  const tell = (data: { id: string; type: Memory['type']; instead?: string }) =>
    hand.record({ type: 'memory.accepted', actor, data })
  const equal = (await equalsOf(records, memory.content, memory.goal)).find(
    (record) => memoryIn(record).status === 'active',
  )
  if (equal) {
    const known = memoryIn(equal)
    const importance = atMostOne(Math.max(known.importance, memory.importance) + raisedBy)
    const raised = await put(hand, equal, { ...known, importance }, equal.label)
    await supersede(records, suggestion, equal.id)
    tell({ id, type: memory.type, instead: equal.id })
    return { record: raised, raised: true }
  }
  const old =
    memory.supersedes === null ? undefined : await records.get(memoriesCollection, memory.supersedes)
  const replaces = old && memoryIn(old).status === 'active'
  const accepted = await put(
    hand,
    suggestion,
    { ...memory, status: 'active', confidence: 1, supersedes: replaces ? old.id : null },
    null,
  )
  if (replaces) await supersede(records, old, id)
  tell({ id, type: memory.type })
  return { record: accepted, raised: false }
}

/** Its words are kept, unused, so that they are not suggested again. Forgetting takes them away. */
export async function rejectSuggestion(hand: Hand, id: string, actor: Actor): Promise<StoredRecord> {
  const suggestion = await suggestionOf(hand, id)
  const memory = memoryIn(suggestion)
  const rejected = await put(hand, suggestion, { ...memory, status: 'rejected' }, suggestion.label)
  hand.record({ type: 'memory.rejected', actor, data: { id, type: memory.type } })
  return rejected
}

async function suggestionOf({ records }: Hand, id: string): Promise<StoredRecord> {
  const found = await records.get(memoriesCollection, id)
  if (!found)
    throw new CountersignError('not_found', `There is no memory ${id}.`, {
      next: 'See what waits with `countersign memory review`.',
    })
  const { status } = memoryIn(found)
  if (status === 'suggested') return found
  throw new CountersignError('conflict', `${id} waits for nothing: it is ${status}.`, {
    next: 'See what waits with `countersign memory review`.',
  })
}

function put({ records }: Hand, record: StoredRecord, memory: Memory, label: StoredRecord['label']) {
  return records.replace(memoriesCollection, record.id, record.version, memoryData(memory), label)
}
