/** A search by meaning for tests: entries are compared by the vectors that were kept for them. Never for use outside tests. */
import {
  type ContentServices,
  entriesOf,
  entriesPrefix,
  type FoundContent,
  type Records,
  type StoredRecord,
} from '@countersign/contract'
import { textIn } from '../records/collection.ts'

export interface TestContent extends ContentServices {
  /** What a search of a collection that nobody made finds. */
  readonly found: FoundContent[]
  /** The e-mail accounts that are searched. */
  readonly searched: string[]
  /** By collection and id. */
  readonly kept: Map<string, { readonly model: string; readonly vector: Float32Array }>
}

export function createTestContent(records: Records): TestContent {
  const found: FoundContent[] = []
  const searched: string[] = []
  const kept: TestContent['kept'] = new Map()
  return {
    found,
    searched,
    kept,
    async search({ collection, meaning, limit }) {
      const { records: entries } = await records.list(entriesOf(collection), { limit: 1_000 })
      const scored = entries.map((entry) => {
        const held = kept.get(`${collection}/${entry.id}`)
        const score = meaning && held?.model === meaning.model ? dot(held.vector, meaning.vector) : 0
        return foundFrom(collection, entry, score)
      })
      const listed = found.filter((each) => each.collection === collection)
      return [...scored, ...listed].toSorted((one, other) => other.score - one.score).slice(0, limit)
    },
    keep(collection, vectors, model) {
      for (const { id, vector } of vectors) kept.set(`${collection}/${id}`, { model, vector })
      return Promise.resolve()
    },
    mailboxes: () => Promise.resolve(searched),
    async facts() {
      const counts = await records.count(entriesPrefix)
      return new Map(
        [...counts].map(([name, texts]) => [
          name.slice(entriesPrefix.length),
          { texts, embedded: kept.size, model: null, dimensions: null },
        ]),
      )
    },
  }
}

function foundFrom(
  collection: string,
  { id, data, label, updatedAt }: StoredRecord,
  score: number,
): FoundContent {
  return { collection, source: id, title: '', text: textIn(data, 'text'), at: updatedAt, score, label }
}

function dot(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0)
}
