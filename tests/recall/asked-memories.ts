/** The memories of one believable operator in a real database, with vectors of the real model. */
import { createIndexer } from '../../packages/assistant/src/memory/recall/indexer.ts'
import { createRecall, type Recall } from '../../packages/assistant/src/memory/recall/recall.ts'
import { createScanIndex } from '../../packages/assistant/src/memory/recall/scan-index.ts'
import { freeMeter } from '../../packages/assistant/src/memory/recall/testing/made-vectors.ts'
import type { VectorIndex } from '../../packages/assistant/src/memory/recall/vector-index.ts'
import { createLocalEmbeddings, type LocalEmbeddings } from '../../packages/models/src/embeddings/local.ts'
import { installedPart } from '../embeddings/installed-part.ts'
import memories from './memories.json' with { type: 'json' }
import { openRecallDatabase } from './recall-database.ts'

export interface AskedMemories {
  readonly context: ReturnType<Awaited<ReturnType<typeof openRecallDatabase>>['newContext']>
  readonly index: VectorIndex
  readonly embeddings: LocalEmbeddings
  readonly recall: Recall
  close(): Promise<void>
}

/** The day on which the questions are asked. */
export const today: Date = new Date('2026-02-24T12:00:00.000Z')

export async function openAskedMemories(): Promise<AskedMemories> {
  const embeddings = createLocalEmbeddings({ folder: await installedPart() })
  const database = await openRecallDatabase()
  const onProblem = (problem: unknown) => {
    throw problem
  }
  const context = database.newContext(() => today)
  await context.records.change(context.operator, async ({ records }) => {
    for (const { id, at, ...data } of memories) {
      const [createdAt, updatedAt] = [at, at]
      const memory = { ...data, status: 'active', goal: null, pinned: false }
      await records.restore('memories', { id, data: memory, label: null, version: 0, createdAt, updatedAt })
    }
  })
  const index = createScanIndex({ onProblem })
  const indexer = createIndexer({
    context,
    index,
    embeddings,
    meter: freeMeter,
    wait: () => Promise.resolve(),
  })
  for (;;) {
    const step = await indexer.step()
    if (step.kind === 'idle') break
    if (step.kind !== 'embedded') throw new Error(JSON.stringify(step))
  }
  return {
    context,
    index,
    embeddings,
    recall: createRecall({ context, index, embeddings, meter: freeMeter, patienceMs: 60_000 }),
    async close() {
      await index.close()
      await embeddings.close()
      await database.close()
    },
  }
}
