/** What recall needs of an embedding model, and nothing of which one it is. */
import type { Meter } from './meter.ts'
import type { ModelFailure } from './model-port.ts'

export interface EmbeddingPort {
  /** Never rejects. The vectors are in the order of the texts, each of length one. */
  embed(texts: readonly string[], signal: AbortSignal, meter: Meter): Promise<EmbeddingResult>
  /** Whether texts stay on this machine. Left out, they may not. */
  isLocal?(): Promise<boolean>
}

export type EmbeddingResult =
  | {
      readonly kind: 'embedded'
      readonly vectors: readonly Float32Array[]
      /** Vectors of different models cannot be compared. */
      readonly model: string
      readonly dimensions: number
    }
  /** There is no embedding model; recall goes on with full text. */
  | { readonly kind: 'unavailable'; readonly reason: string }
  | { readonly kind: 'failed'; readonly failure: ModelFailure }
