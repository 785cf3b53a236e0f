/** Owns the port to what finds the nearest vectors of one operator's memories, or of other texts. Refuses to compare two models. */
import type { OperatorId } from '@countersign/contract'
import type { LimitedDb } from '@countersign/kernel'
import { sql } from 'kysely'

/** Whose tables it keeps: those of memories, or those of everything else that is searched. */
export type IndexKind = 'memory' | 'content'

/** The tables of one kind, which are all alike. */
export function tablesOf(kind: IndexKind) {
  return {
    index: sql.table(`${kind}_index`),
    words: sql.table(`${kind}_words`),
    removals: sql.table(`${kind}_removals`),
    nearest: sql.table(`${kind}_nearest`),
  } as const
}
export type IndexTables = ReturnType<typeof tablesOf>

export interface VectorIndex {
  readonly kind: 'scan' | 'pgvector'
  /**
   * Sees to it that a search knows all that was committed before. It uses the connection that it is given, so send it
   * ahead of slower statements.
   */
  prepare(db: LimitedDb, operator: OperatorId): Promise<void>
  /** Brings what it keeps for itself in line with the stored vectors, once for an operator when work begins. */
  repair(db: LimitedDb, operator: OperatorId): Promise<void>
  /** Keeps vectors, within the transaction. One whose memory is gone or says something else by now is dropped. */
  upsert(db: LimitedDb, operator: OperatorId, vectors: readonly NewVector[]): Promise<number>
  /** Takes vectors away while the memories stay; a memory that goes takes its own along. */
  remove(db: LimitedDb, operator: OperatorId, memories: readonly string[]): Promise<void>
  /** The nearest first. After `prepare`; may know of memories that are gone by now, and the caller looks again. */
  search(reach: WithConnection, operator: OperatorId, query: VectorQuery): Promise<readonly NearMemory[]>
  close(): Promise<void>
}

/** Lends a connection of the operator's, for those who need one. */
export type WithConnection = <T>(work: (db: LimitedDb) => Promise<T>) => Promise<T>

export interface NewVector {
  readonly memory: string
  /** The revision of the content that it was made from. */
  readonly revision: number
  readonly model: string
  readonly vector: Float32Array
}

export interface VectorQuery {
  readonly model: string
  readonly vector: Float32Array
  readonly limit: number
  readonly filter: MemoryFilter
}

export interface MemoryFilter {
  /** Left out, active. */
  readonly status?: string
  /** Of a memory; of other texts, the collection. */
  readonly type?: string
  /** All of them. */
  readonly tags?: readonly string[]
  /** Memories of this goal and of none; left out, of none and of every goal. */
  readonly goal?: string | null
}

export interface NearMemory {
  readonly memory: string
  /** The cosine of the angle: one is the same direction. */
  readonly likeness: number
}

/** As the database keeps it. */
export function bytesOf(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)
}

export function vectorOf(bytes: Uint8Array): Float32Array {
  // A buffer's own `slice` shares its memory with others; this is a copy, and begins where numbers may begin.
  return new Float32Array(Uint8Array.from(bytes).buffer)
}

/** Of vectors whose length is one. */
export function likenessOf(one: Float32Array, other: Float32Array): number {
  let sum = 0
  for (let place = 0; place < one.length; place += 1) sum += (one[place] ?? 0) * (other[place] ?? 0)
  return sum
}
