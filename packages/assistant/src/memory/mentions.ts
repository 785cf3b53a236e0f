/** Owns the port to whoever keeps words that a memory was made from, or that were made from it. */
import type { Memory } from '@countersign/contract'
import type { Hand } from '../hand.ts'

export interface Forgettable extends Memory {
  readonly id: string
}

export interface Mentions {
  /** Takes the words out, in the transaction that forgets the memory, and says out of how many places. */
  remove(hand: Hand, memory: Forgettable): Promise<number>
}
