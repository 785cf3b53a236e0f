/** Owns the search that the operator makes: over everything that is kept up to date by itself, or one collection. */
import type { Meter } from '@countersign/agent'
import {
  builtInCollections,
  CountersignError,
  type EmbeddedTexts,
  isBuiltInCollection,
  type OperatorId,
  type SearchAnswer,
  vectorCollections,
} from '@countersign/contract'
import type { AssistantContext } from '../assistant-context.ts'
import { unlessStopped } from '../memory/recall/query-vector.ts'
import type { Content } from './content.ts'

export interface AskedSearch {
  readonly text: string
  /** Left out, all that nobody had to make. */
  readonly collection?: string
  readonly limit: number
}

export type ContentSearch = (operator: OperatorId, asked: AskedSearch) => Promise<SearchAnswer>

export interface OperatorSearchOptions {
  readonly context: AssistantContext
  readonly content: Content
  readonly meter: Meter
  /** How long embedding the words may take; two seconds where nothing is said. */
  readonly patienceMs?: number
}

const tooLate: EmbeddedTexts = { kind: 'failed', reason: 'the model for embeddings took too long' }

export function createContentSearch(options: OperatorSearchOptions): ContentSearch {
  const { context, content, meter, patienceMs = 2_000 } = options

  async function requireCollection(name: string): Promise<void> {
    if (isBuiltInCollection(name)) return
    const found = await context.records.read(context.operator, ({ records }) =>
      records.get(vectorCollections, name),
    )
    if (!found)
      throw new CountersignError('not_found', `There is no collection ${name}.`, {
        next: `Search in ${builtInCollections.join(', ')}, or in a collection that you have made.`,
      })
  }

  return async (operator, { text, collection, limit }) => {
    if (operator !== context.operator)
      throw new CountersignError('not_found', 'There is nothing of yours here.')
    if (collection !== undefined) await requireCollection(collection)
    const end = AbortSignal.timeout(patienceMs)
    const embedded = (await unlessStopped(end, () => content.embed([text], end, meter))) ?? tooLate
    const [vector] = embedded.kind === 'embedded' ? embedded.vectors : []
    const meaning = embedded.kind === 'embedded' && vector ? { model: embedded.model, vector } : null
    const collections = collection === undefined ? builtInCollections : [collection]
    const hits = []
    for (const each of collections)
      hits.push(...(await content.search({ collection: each, text, meaning, limit })))
    return {
      hits: hits.toSorted((one, other) => other.score - one.score).slice(0, limit),
      wordsAlone: embedded.kind === 'failed' ? embedded.reason : null,
    }
  }
}
