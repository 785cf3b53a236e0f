/** Owns the operator's list of what is never to be remembered, as far as whoever keeps a memory has to follow it. */
import type { Records } from '../records.ts'
import { holdsWords } from './same-words.ts'

export const neverCollection = 'memory_never'
export const mostNever = 500

/** The id of the entry that forbids to remember this; nothing when none does. */
export async function forbiddenBy(records: Records, content: string): Promise<string | undefined> {
  const { records: entries } = await records.list(neverCollection, { limit: mostNever })
  return entries.find(({ data }) => typeof data['words'] === 'string' && holdsWords(content, data['words']))
    ?.id
}
