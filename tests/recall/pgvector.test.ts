import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openVectorIndex } from '../../packages/assistant/src/memory/recall/open-vector-index.ts'
import { createScanIndex } from '../../packages/assistant/src/memory/recall/scan-index.ts'
import { unitVector } from '../../packages/assistant/src/memory/recall/testing/made-vectors.ts'
import { vectorIndexContract } from '../../packages/assistant/src/memory/recall/testing/vector-index-contract.ts'
import { type PgvectorServer, startPgvectorServer } from './pgvector-server.ts'
import { openRecallDatabase, type RecallDatabase } from './recall-database.ts'

let server: PgvectorServer
let database: RecallDatabase
const problems: unknown[] = []
const scan = { onProblem: (problem: unknown) => void problems.push(problem) }

beforeAll(async () => {
  server = await startPgvectorServer()
  process.stderr.write(`pgvector ${server.version}\n`)
  database = await openRecallDatabase({ connection: server.connection, stop: () => Promise.resolve() })
})
afterAll(async () => {
  await database?.close()
  await server?.stop()
})

it('stays with the scan where the role may not make the extension', async () => {
  const index = await openVectorIndex(database.newContext(), scan)
  expect(index.kind).toBe('scan')
  expect(problems).toHaveLength(1)
  await index.close()
})

it('takes pgvector once an administrator has made it, in whatever schema', async () => {
  const administrator = new pg.Client({ ...server.administrator, database: 'countersign' })
  await administrator.connect()
  await administrator.query('create schema extensions; create extension vector schema extensions')
  await administrator.query('grant usage on schema extensions to countersign, countersign_assistant')
  await administrator.end()
  const [one, other] = await Promise.all([
    openVectorIndex(database.newContext(), scan),
    openVectorIndex(database.newContext(), scan),
  ])
  expect([one.kind, other.kind]).toEqual(['pgvector', 'pgvector'])
})

it('takes over the vectors of the scan, and answers from the HNSW index', async () => {
  const context = database.newContext()
  const { operator, records } = context
  const before = createScanIndex(scan)
  const count = 3_000
  await records.change(operator, async ({ records: kept, db }) => {
    for (let each = 0; each < count; each += 1)
      await kept.insert('memories', `m${each}`, { content: `memory ${each}`, status: 'active' }, null)
    await before.upsert(
      db,
      operator,
      Array.from({ length: count }, (_, each) => ({
        memory: `m${each}`,
        revision: 1,
        model: 'test/one',
        vector: unitVector(64, each),
      })),
    )
  })
  const index = await openVectorIndex(context, scan)
  expect(index.kind).toBe('pgvector')
  await records.change(operator, ({ db }) => index.repair(db, operator))
  await database.settle()
  await database.store.pool.query('analyze memory_nearest')
  const queries = Array.from({ length: 20 }, (_, each) => unitVector(64, 10_000 + each))
  let [shared, all] = [0, 0]
  for (const vector of queries) {
    const query = { model: 'test/one', vector, limit: 20, filter: {} }
    const [exact, near] = await records.read(operator, async ({ db }) => {
      await before.prepare(db, operator)
      const reach = <T>(work: (at: typeof db) => Promise<T>) => work(db)
      return [await before.search(reach, operator, query), await index.search(reach, operator, query)]
    })
    const ids = new Set(near.map(({ memory }) => memory))
    shared += exact.filter(({ memory }) => ids.has(memory)).length
    all += exact.length
  }
  const used = () =>
    records.read(operator, async ({ db }) => {
      await sql`select pg_stat_force_next_flush()`.execute(db)
      const { rows } = await sql<{ uses: number }>`
        select idx_scan as uses from pg_stat_user_indexes where indexrelname = 'memory_nearest_64'`.execute(
        db,
      )
      return rows[0]?.uses ?? 0
    })
  process.stderr.write(`HNSW finds ${shared} of the ${all} that the exact scan finds\n`)
  expect(shared / all).toBeGreaterThan(0.9)
  await expect.poll(used).toBeGreaterThanOrEqual(queries.length)
  await before.close()
})

vectorIndexContract('pgvector', () =>
  Promise.resolve({
    newContext: () => database.newContext(),
    newIndex: async () => {
      const index = await openVectorIndex(database.newContext(), scan)
      expect(index.kind).toBe('pgvector')
      return index
    },
    close: () => Promise.resolve(),
  }),
)
