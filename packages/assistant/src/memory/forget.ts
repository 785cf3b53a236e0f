/**
 * Owns forgetting: the memory goes with the versions that it had replaced, its entries in the index, and its words
 * wherever they were written down. What stays is that something was forgotten, without a word of it.
 */
import {
  type ForgottenMemories,
  memoriesCollection,
  memoryData,
  memoryIn,
  type OperatorId,
  type StoredRecord,
} from '@countersign/contract'
import type { Actor, RecordTransactions } from '@countersign/kernel'
import type { AssistantTransaction } from '../assistant-context.ts'
import type { MentionRemover } from './mentions.ts'
import { unwatch } from './watched-runs.ts'

/** The entries of the index are removed by the database in the same transaction. Ids that are not there are passed over. */
export async function forgetMemory(
  tx: AssistantTransaction,
  ids: readonly string[],
  actor: Actor,
  mentions: readonly MentionRemover[],
): Promise<ForgottenMemories> {
  const named = await recordsOf(tx, ids)
  const earlier = await replacedBy(tx, named)
  const going = new Set([...named, ...earlier].map(({ id }) => id))
  if (going.size > 0) await unwatch(tx)
  let traces = 0
  for (const record of [...named, ...earlier]) {
    const { id } = record
    const memory = memoryIn(record)
    let removed = 0
    for (const each of mentions) removed += await each.remove(tx, { ...memory, id })
    await unlink(tx, id, going)
    await tx.records.remove(memoriesCollection, id, record.version)
    tx.record({
      type: 'memory.forgotten',
      actor,
      data: {
        id,
        type: memory.type,
        status: memory.status,
        traces: removed,
        earlier: earlier.includes(record),
      },
    })
    traces += removed
  }
  return { memories: named.length, earlier: earlier.length, traces }
}

/** Does all of it and takes it back, so that what is said is what would be done. */
export async function previewForget(
  records: Pick<RecordTransactions, 'change'>,
  operator: OperatorId,
  ids: readonly string[],
  actor: Actor,
  mentions: readonly MentionRemover[],
): Promise<ForgottenMemories> {
  try {
    await records.change(operator, async (tx) => {
      throw new ForgetAborted(await forgetMemory(tx, ids, actor, mentions))
    })
  } catch (error) {
    if (error instanceof ForgetAborted) return error.forgotten
    throw error
  }
  throw new Error('the preview was not taken back')
}

class ForgetAborted extends Error {
  readonly forgotten: ForgottenMemories

  constructor(forgotten: ForgottenMemories) {
    super('taken back')
    this.forgotten = forgotten
  }
}

async function recordsOf({ records }: AssistantTransaction, ids: readonly string[]): Promise<StoredRecord[]> {
  const found: StoredRecord[] = []
  for (const id of new Set(ids)) {
    const record = await records.get(memoriesCollection, id)
    if (record) found.push(record)
  }
  return found
}

/** A version that was replaced is there only for the history of the one that replaced it. */
async function replacedBy(
  { records }: AssistantTransaction,
  named: readonly StoredRecord[],
): Promise<StoredRecord[]> {
  const known = new Set(named.map(({ id }) => id))
  const found: StoredRecord[] = []
  const waiting = [...named]
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const { supersedes, status } = memoryIn(next)
    // A suggestion has replaced nothing so far.
    if (supersedes === null || known.has(supersedes) || status === 'suggested' || status === 'rejected')
      continue
    const record = await records.get(memoriesCollection, supersedes)
    if (!record || memoryIn(record).status !== 'superseded') continue
    known.add(record.id)
    found.push(record)
    waiting.push(record)
  }
  return found
}

/** Nobody refers to what is gone. */
async function unlink(
  { records }: AssistantTransaction,
  id: string,
  going: ReadonlySet<string>,
): Promise<void> {
  for (const field of ['supersedes', 'supersededBy'] as const) {
    const { records: referring } = await records.list(memoriesCollection, {
      where: { [field]: id },
      limit: 100,
    })
    for (const record of referring) {
      if (going.has(record.id)) continue
      const data = memoryData({ ...memoryIn(record), [field]: null })
      await records.replace(memoriesCollection, record.id, record.version, data, record.label)
    }
  }
}
