/** Recall for the whole assistant: the index that the database allows, opened when it is first needed. */
import type { EmbeddingPort, Meter } from '@countersign/agent'
import type { RecalledMemory, RecallQuery } from '@countersign/contract'
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'
import { createIndexer, type Indexer } from './recall/indexer.ts'
import { openVectorIndex } from './recall/open-vector-index.ts'
import { createRecall, type Recall } from './recall/recall.ts'
import type { VectorIndex } from './recall/vector-index.ts'

export interface RecollectionOptions {
  readonly context: AssistantContext
  readonly embeddings: EmbeddingPort
  /** For the words of a question. */
  readonly meter: Meter
  /** For memories that get their vectors in the background. */
  readonly backgroundMeter: Meter
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
}

interface OpenedRecall {
  readonly index: VectorIndex
  readonly recall: Recall
  readonly indexer: Indexer
}

export function createRecollection(options: RecollectionOptions) {
  const { context, embeddings, meter, backgroundMeter, wait } = options
  let opening: Promise<OpenedRecall> | undefined

  function open(): Promise<OpenedRecall> {
    opening ??= openVectorIndex(context, { onProblem: context.onProblem }).then((index) => ({
      index,
      recall: createRecall({ context, index, embeddings, meter }),
      indexer: createIndexer({ context, index, embeddings, meter: backgroundMeter, wait }),
    }))
    return opening
  }

  return {
    async recall(
      query: RecallQuery,
      tx?: Pick<AssistantTransaction, 'db' | 'now'>,
    ): Promise<readonly RecalledMemory[]> {
      const { recall } = await open()
      return recall.recall(query, tx ? { tx } : {})
    },
    start(): void {
      open().then(({ indexer }) => indexer.start(), context.onProblem)
    },
    /** There may be memories without a vector. */
    wake(): void {
      opening?.then(({ indexer }) => indexer.wake(), context.onProblem)
    },
    async close(): Promise<void> {
      const opened = await opening
      await opened?.indexer.stop()
      await opened?.index.close()
    },
  }
}
