/**
 * Owns the port to what is found by meaning: texts of collections that the product keeps up to date by itself, and of those
 * that the operator has made. Vectors of different models are never compared.
 */
import type { Label } from './trust.ts'

/** Turns texts into vectors at the cost of the run that makes the call. Never rejects. */
export type EmbedTexts = (texts: readonly string[]) => Promise<EmbeddedTexts>

export type EmbeddedTexts =
  | {
      readonly kind: 'embedded'
      readonly model: string
      /** In the order of the texts, each of length one. */
      readonly vectors: readonly Float32Array[]
    }
  | { readonly kind: 'failed'; readonly reason: string }

/** What is searched without anybody having made a collection of it. E-mails are those of accounts made searchable. */
export const builtInCollections = ['conversations', 'notes', 'files', 'emails'] as const
export type BuiltInCollection = (typeof builtInCollections)[number]

export function isBuiltInCollection(name: string): name is BuiltInCollection {
  return builtInCollections.some((each) => each === name)
}

/** The records of a collection of the operator's own. */
export function entriesOf(collection: string): string {
  return `${entriesPrefix}${collection}`
}

export const entriesPrefix = 'vectors:'
export const vectorCollections = 'vector_collections'

export interface ContentServices {
  /** The best first. Without a vector the words answer alone. */
  search(query: ContentQuery): Promise<readonly FoundContent[]>
  /** Keeps the vectors of entries that were written in this transaction. */
  keep(collection: string, vectors: readonly EntryVector[], model: string): Promise<void>
  /** The names of the e-mail accounts that are searched. */
  mailboxes(): Promise<readonly string[]>
  /** What is known of the texts of every collection that has any. */
  facts(): Promise<ReadonlyMap<string, ContentFacts>>
}

export interface ContentQuery {
  readonly collection: string
  /** Of e-mails, those of one account; left out, of all that are searched. */
  readonly account?: string
  readonly text: string
  readonly meaning: { readonly model: string; readonly vector: Float32Array } | null
  readonly limit: number
}

export interface EntryVector {
  readonly id: string
  readonly vector: Float32Array
}

export interface FoundContent {
  readonly collection: string
  /** A note, an entry, a session with the place of the message, a path, or the id of an e-mail. */
  readonly source: string
  /** What a person knows it by: a title or a path. */
  readonly title: string
  /** The part of it that fits. */
  readonly text: string
  readonly at: string
  /** Between zero and about one: meaning and shared words together. */
  readonly score: number
  /** What led to it; null where that is worth no less than what the operator keeps anyway. */
  readonly label: Label | null
}

export interface ContentFacts {
  readonly texts: number
  /** How many have a vector of `model`. */
  readonly embedded: number
  /** The one that most of them were embedded by. */
  readonly model: string | null
  readonly dimensions: number | null
}

/** Where nothing is indexed. */
export const noContentServices: ContentServices = {
  search: () => Promise.resolve([]),
  keep: () => Promise.resolve(),
  mailboxes: () => Promise.resolve([]),
  facts: () => Promise.resolve(new Map()),
}
