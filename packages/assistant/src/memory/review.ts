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
import type { AssistantTransaction } from '../assistant-context.ts'

export interface ReviewResult {
  readonly record: StoredRecord
  /** An equal one was in use already and became more important instead. */
  readonly raised: boolean
}

export async function acceptSuggestion(
  tx: AssistantTransaction,
  id: string,
  actor: Actor,
): Promise<ReviewResult> {
  const { records } = tx
  const suggestion = await suggestionOf(tx, id)
  const memory = memoryIn(suggestion)
  const tell = (data: { id: string; type: Memory['type']; instead?: string }) =>
    tx.record({ type: 'memory.accepted', actor, data })
  const equal = (await equalsOf(records, memory.content, memory.goal)).find(
    (record) => memoryIn(record).status === 'active',
  )
  if (equal) {
    const known = memoryIn(equal)
    const importance = atMostOne(Math.max(known.importance, memory.importance) + raisedBy)
    const raised = await put(tx, equal, { ...known, importance }, equal.label)
    await supersede(records, suggestion, equal.id)
    tell({ id, type: memory.type, instead: equal.id })
    return { record: raised, raised: true }
  }
  const old =
    memory.supersedes === null ? undefined : await records.get(memoriesCollection, memory.supersedes)
  const replaces = old && memoryIn(old).status === 'active'
  const accepted = await put(
    tx,
    suggestion,
    { ...memory, status: 'active', confidence: 1, supersedes: replaces ? old.id : null },
    null,
  )
  if (replaces) await supersede(records, old, id)
  tell({ id, type: memory.type })
  return { record: accepted, raised: false }
}

/** Its words are kept, unused, so that they are not suggested again. Forgetting takes them away. */
export async function rejectSuggestion(
  tx: AssistantTransaction,
  id: string,
  actor: Actor,
): Promise<StoredRecord> {
  const suggestion = await suggestionOf(tx, id)
  const memory = memoryIn(suggestion)
  const rejected = await put(tx, suggestion, { ...memory, status: 'rejected' }, suggestion.label)
  tx.record({ type: 'memory.rejected', actor, data: { id, type: memory.type } })
  return rejected
}

async function suggestionOf({ records }: AssistantTransaction, id: string): Promise<StoredRecord> {
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

function put(
  { records }: AssistantTransaction,
  record: StoredRecord,
  memory: Memory,
  label: StoredRecord['label'],
) {
  return records.replace(memoriesCollection, record.id, record.version, memoryData(memory), label)
}
