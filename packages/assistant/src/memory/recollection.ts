/** Owns recall as the house has it: the index that the database allows, opened when it is first needed. */
import type { EmbeddingPort, Meter } from '@countersign/agent'
import type { RecalledMemory, RecallQuery } from '@countersign/contract'
import type { Hand, House } from '../hand.ts'
import { createIndexer, type Indexer } from './recall/indexer.ts'
import { openVectorIndex } from './recall/open-vector-index.ts'
import { createRecall, type Recall } from './recall/recall.ts'
import type { VectorIndex } from './recall/vector-index.ts'

export interface RecollectionOptions {
  readonly house: House
  readonly embeddings: EmbeddingPort
  /** For the words of a question. */
  readonly meter: Meter
  /** For memories that get their vectors in the background. */
  readonly backgroundMeter: Meter
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

interface Opened {
  readonly index: VectorIndex
  readonly recall: Recall
  readonly indexer: Indexer
}

export function createRecollection(options: RecollectionOptions) {
  const { house, embeddings, meter, backgroundMeter, wait } = options
  let opening: Promise<Opened> | undefined

  function open(): Promise<Opened> {
    opening ??= openVectorIndex(house, { onProblem: house.onProblem }).then((index) => ({
      index,
      recall: createRecall({ house, index, embeddings, meter }),
      indexer: createIndexer({ house, index, embeddings, meter: backgroundMeter, wait }),
    }))
    return opening
  }

  return {
    async recall(query: RecallQuery, hand?: Pick<Hand, 'db' | 'now'>): Promise<readonly RecalledMemory[]> {
      const { recall } = await open()
      return recall.recall(query, hand ? { hand } : {})
    },
    start(): void {
      open().then(({ indexer }) => indexer.start(), house.onProblem)
    },
    /** There may be memories without a vector. */
    wake(): void {
      opening?.then(({ indexer }) => indexer.wake(), house.onProblem)
    },
    async close(): Promise<void> {
      const opened = await opening
      await opened?.indexer.stop()
      await opened?.index.close()
    },
  }
}
