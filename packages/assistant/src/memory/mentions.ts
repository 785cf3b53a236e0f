/** Owns the port to whoever keeps words that a memory was made from, or that were made from it. */
import type { Memory } from '@countersign/contract'
import type { AssistantTransaction } from '../assistant-context.ts'

export interface MemoryToForget extends Memory {
  readonly id: string
}

export interface MentionRemover {
  /** Takes the words out, in the transaction that forgets the memory, and says out of how many places. */
  remove(tx: AssistantTransaction, memory: MemoryToForget): Promise<number>
}
