/** Owns the operator's list of what is never to be remembered. The ledger tells that it changed, not what is on it. */
import {
  CountersignError,
  holdsWords,
  memoriesCollection,
  memoryIn,
  mostNever,
  type NeverView,
  neverCollection,
  type StoredRecord,
  wordsIn,
  wordsKey,
} from '@countersign/contract'
import type { Actor } from '@countersign/kernel'
import type { AssistantTransaction } from '../assistant-context.ts'

export async function neverList({ records }: Pick<AssistantTransaction, 'records'>): Promise<NeverView[]> {
  return (await records.list(neverCollection, { limit: mostNever })).records.map(viewOf)
}

/** Memories with the words stay until they are forgotten; which they are is told. */
export async function neverRemember(
  tx: AssistantTransaction,
  words: string,
  actor: Actor,
  uuid: () => string,
): Promise<{ never: NeverView; matching: string[] }> {
  const { records } = tx
  const entries = (await records.list(neverCollection, { limit: mostNever })).records
  const matching = await memoriesWith(tx, words)
  const known = entries.find((entry) => wordsKey(viewOf(entry).words) === wordsKey(words))
  if (known) return { never: viewOf(known), matching }
  if (entries.length >= mostNever)
    throw new CountersignError('limit_reached', `The list holds ${mostNever} entries already.`, {
      next: 'Take one off with `countersign memory never --rm <id>`.',
    })
  const id = `never_${uuid().replaceAll('-', '')}`
  const added = await records.insert(neverCollection, id, { words: words.trim() }, null)
  tx.record({ type: 'memory.never_added', actor, data: { id } })
  return { never: viewOf(added), matching }
}

export async function rememberAgain(
  { records, record }: AssistantTransaction,
  id: string,
  actor: Actor,
): Promise<void> {
  const found = await records.get(neverCollection, id)
  if (!found)
    throw new CountersignError('not_found', `There is no entry ${id}.`, {
      next: 'See the list with `countersign memory never`.',
    })
  await records.remove(neverCollection, id, found.version)
  record({ type: 'memory.never_removed', actor, data: { id } })
}

async function memoriesWith({ records }: AssistantTransaction, words: string): Promise<string[]> {
  const search = { text: wordsIn(words).join(' '), fields: ['content'] }
  const { records: near } = await records.list(memoriesCollection, { search, limit: 1_000 })
  return near.filter((record) => holdsWords(memoryIn(record).content, words)).map(({ id }) => id)
}

function viewOf({ id, data, createdAt }: StoredRecord): NeverView {
  return { id, words: typeof data['words'] === 'string' ? data['words'] : '', createdAt }
}
