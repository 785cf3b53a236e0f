/** Owns what is said to the thread that scans, and what it answers. */
import type { HeldMemory } from './scan-matrix.ts'
import type { MemoryFilter, NearMemory } from './vector-index.ts'

export type ScanOrder =
  /** Vectors of one model. A memory that another model's matrix holds leaves it. */
  | {
      readonly kind: 'put'
      readonly operator: string
      readonly model: string
      readonly dimensions: number
      readonly memories: readonly HeldMemory[]
      readonly vectors: Float32Array
    }
  | { readonly kind: 'remove'; readonly operator: string; readonly ids: readonly string[] }
  | { readonly kind: 'drop'; readonly operator: string }
  | {
      readonly kind: 'search'
      readonly id: number
      readonly operator: string
      readonly model: string
      readonly vector: Float32Array
      readonly limit: number
      readonly filter: MemoryFilter
    }

export interface ScanAnswer {
  readonly id: number
  readonly found: readonly NearMemory[]
}
