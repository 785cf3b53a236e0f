/** Very many memories of one operator, with made words and made vectors, and recall over them: for measuring. */
import type { EmbeddingPort } from '../../packages/agent/src/index.ts'
import { createRecall } from '../../packages/assistant/src/memory/recall/recall.ts'
import { createScanIndex } from '../../packages/assistant/src/memory/recall/scan-index.ts'
import { freeMeter, unitVector } from '../../packages/assistant/src/memory/recall/testing/made-vectors.ts'
import { searchWords } from '../../packages/assistant/src/memory/recall/word-search.ts'
import { madeTexts } from './made-texts.ts'
import { openRecallDatabase } from './recall-database.ts'

export interface ScanSetting {
  /** The statement that finds words, in a transaction of its own. */
  sql(query: number): Promise<unknown>
  /** The scan with all that keeps it current. */
  scan(query: number): Promise<unknown>
  hybrid(query: number): Promise<unknown>
  /** The same within a transaction that is there already. */
  inHand(query: number): Promise<unknown>
  readonly texts: readonly string[]
  readonly database: Awaited<ReturnType<typeof openRecallDatabase>>
  readonly context: ReturnType<Awaited<ReturnType<typeof openRecallDatabase>>['newContext']>
  close(): Promise<void>
}

export interface ScanSettingOptions {
  readonly memories: number
  readonly queries: number
  note(line: string): void
}

const dimensions = 384
const model = 'made/vectors'
const limit = 10
const atOnce = 1_000

export async function openScanSetting({ memories, queries, note }: ScanSettingOptions): Promise<ScanSetting> {
  const database = await openRecallDatabase()
  const problem = (error: unknown) => {
    throw error
  }
  const context = database.newContext()
  const { operator, records } = context
  const index = createScanIndex({ onProblem: problem })
  const made = madeTexts(memories)
  const texts = Array.from({ length: queries }, (_, query) => made.queryFor(query))
  const vectors = texts.map((_, query) => unitVector(dimensions, 1_000_000 + query))
  const embeddings: EmbeddingPort = {
    embed: ([text = '']) =>
      Promise.resolve({
        kind: 'embedded',
        vectors: [vectors[texts.indexOf(text)] ?? unitVector(dimensions, 1)],
        model,
        dimensions,
      }),
  }
  const recall = createRecall({ context, index, embeddings, meter: freeMeter })
  note(`writing ${memories} memories`)
  for (let first = 0; first < memories; first += atOnce) {
    const some = Array.from({ length: Math.min(atOnce, memories - first) }, (_, place) => first + place)
    await records.change(operator, async ({ db, records: kept }) => {
      await Promise.all(some.map((each) => kept.insert('memories', idOf(each), made.memory(each), null)))
      const given = some.map((each) => ({
        memory: idOf(each),
        revision: 1,
        model,
        vector: unitVector(dimensions, each),
      }))
      await index.upsert(db, operator, given)
    })
  }
  await database.settle()
  const queryOf = (query: number) => ({ text: texts[query] ?? '', limit })
  return {
    database,
    context,
    texts,
    sql: (query) =>
      records.read(operator, ({ db }) =>
        searchWords(db, operator, { ...queryOf(query), limit: 40, filter: {}, memories }),
      ),
    async scan(query) {
      await records.read(operator, ({ db }) => index.prepare(db, operator))
      const vector = vectors[query] ?? unitVector(dimensions, 1)
      const reach = <T>(): Promise<T> => Promise.reject(new Error('The scan needs no connection.'))
      return index.search(reach, operator, { model, vector, limit: 40, filter: {} })
    },
    hybrid: (query) => recall.recall(queryOf(query)),
    inHand: (query) => records.read(operator, (tx) => recall.recall(queryOf(query), { tx })),
    async close() {
      await index.close()
      await database.close()
    },
  }
}

function idOf(place: number): string {
  return `mem_${String(place).padStart(32, '0')}`
}
