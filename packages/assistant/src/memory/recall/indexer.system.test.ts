import type { EmbeddingPort } from '@countersign/agent'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRecallDatabase, type RecallDatabase } from '../../../../../tests/recall/recall-database.ts'
import type { House } from '../../hand.ts'
import { createIndexer, type IndexerOptions } from './indexer.ts'
import { createScanIndex } from './scan-index.ts'
import { freeMeter, lookupEmbeddings } from './testing/made-vectors.ts'
import type { VectorIndex } from './vector-index.ts'

let database: RecallDatabase
let index: VectorIndex
beforeAll(async () => {
  database = await openRecallDatabase()
  index = createScanIndex({
    onProblem: (problem) => {
      throw problem
    },
  })
})
afterAll(async () => {
  await index.close()
  await database.close()
})

const remember = async (house: House, ...ids: string[]) => {
  for (const id of ids)
    await house.records.change(house.operator, ({ records }) =>
      records.insert('memories', id, { content: `memory ${id}`, status: 'active' }, null),
    )
}
const rowsOf = (house: House) =>
  house.records.read(house.operator, async ({ db }) => {
    const { rows } = await sql<{ id: string; model: string | null; claimed: boolean }>`
      select id, model, claimed_until is not null as claimed from memory_index
      where operator_id = ${house.operator} order by id`.execute(db)
    return rows
  })
const indexerOf = (house: House, embeddings: EmbeddingPort, rest: Partial<IndexerOptions> = {}) =>
  createIndexer({ house, index, embeddings, meter: freeMeter, wait: () => Promise.resolve(), ...rest })
const text = (asked: readonly (readonly string[])[]) => asked.flat()

describe('the indexer', () => {
  it('embeds what has no vector, batch by batch, and then rests', async () => {
    const house = database.newHouse()
    await remember(house, 'a', 'b', 'c')
    const embeddings = lookupEmbeddings(new Map())
    const indexer = indexerOf(house, embeddings, { batch: 2 })
    expect(await indexer.step()).toEqual({ kind: 'embedded', count: 2 })
    expect(await indexer.step()).toEqual({ kind: 'embedded', count: 1 })
    expect(await indexer.step()).toEqual({ kind: 'idle' })
    expect(embeddings.asked).toEqual([['memory a', 'memory b'], ['memory c']])
    expect(await rowsOf(house)).toEqual(
      ['a', 'b', 'c'].map((id) => ({ id, model: 'test/one', claimed: false })),
    )
  })

  it('leaves what is superseded or rejected', async () => {
    const house = database.newHouse()
    for (const status of ['superseded', 'rejected', 'suggested'])
      await house.records.change(house.operator, ({ records }) =>
        records.insert('memories', status, { content: status, status }, null),
      )
    const embeddings = lookupEmbeddings(new Map())
    await indexerOf(house, embeddings).step()
    expect(text(embeddings.asked)).toEqual(['suggested'])
  })

  it('begins anew with another model', async () => {
    const house = database.newHouse()
    await remember(house, 'a', 'b', 'c')
    await indexerOf(house, lookupEmbeddings(new Map())).step()
    const other = indexerOf(house, lookupEmbeddings(new Map(), { model: 'test/two', dimensions: 5 }))
    for (let step = 0; step < 3; step += 1) await other.step()
    expect((await rowsOf(house)).map(({ model }) => model)).toEqual(['test/two', 'test/two', 'test/two'])
    expect(await other.step()).toEqual({ kind: 'idle' })
  })

  it('does not keep a vector of words that were changed while it was made', async () => {
    const house = database.newHouse()
    await remember(house, 'a')
    const plain = lookupEmbeddings(new Map())
    const slow: EmbeddingPort = {
      async embed(texts, signal, meter) {
        await house.records.change(house.operator, ({ records }) =>
          records.replace('memories', 'a', 1, { content: 'other words', status: 'active' }, null),
        )
        return plain.embed(texts, signal, meter)
      },
    }
    expect(await indexerOf(house, slow).step()).toEqual({ kind: 'embedded', count: 0 })
    expect(await rowsOf(house)).toEqual([{ id: 'a', model: null, claimed: false }])
    await indexerOf(house, plain).step()
    expect(plain.asked.at(-1)).toEqual(['other words'])
  })

  it('shares the work with another process, and gives back what it could not do', async () => {
    const house = database.newHouse()
    await remember(house, 'a', 'b')
    const may = Promise.withResolvers<void>()
    const plain = lookupEmbeddings(new Map())
    const held: EmbeddingPort = {
      async embed(texts, signal, meter) {
        await may.promise
        return plain.embed(texts, signal, meter)
      },
    }
    const first = indexerOf(house, held, { batch: 1 }).step()
    await expect.poll(async () => (await rowsOf(house)).some(({ claimed }) => claimed)).toBe(true)
    const away: EmbeddingPort = {
      embed: () => Promise.resolve({ kind: 'unavailable', reason: 'not installed' }),
    }
    expect(await indexerOf(house, away).step()).toEqual({ kind: 'unavailable', reason: 'not installed' })
    const other = lookupEmbeddings(new Map())
    await indexerOf(house, other).step()
    expect(text(other.asked)).toEqual(['memory b'])
    may.resolve()
    expect(await first).toEqual({ kind: 'embedded', count: 1 })
  })

  it('works by itself until it is stopped, is woken, and waits longer after each failure', async () => {
    const house = database.newHouse()
    await remember(house, 'a')
    const waits: number[] = []
    let failing = true
    const plain = lookupEmbeddings(new Map())
    const embeddings: EmbeddingPort = {
      embed: (texts, signal, meter) =>
        failing
          ? Promise.resolve({ kind: 'failed', failure: { kind: 'unavailable', message: 'down' } as never })
          : plain.embed(texts, signal, meter),
    }
    const indexer = indexerOf(house, embeddings, {
      wait(ms, signal) {
        waits.push(ms)
        if (waits.length === 3) failing = false
        if (ms < 60_000) return Promise.resolve()
        return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
      },
    })
    indexer.start()
    await expect.poll(() => text(plain.asked)).toEqual(['memory a'])
    expect(waits.slice(0, 3)).toEqual([2_000, 4_000, 8_000])
    await remember(house, 'b')
    indexer.wake()
    await expect.poll(() => text(plain.asked)).toContain('memory b')
    await indexer.stop()
  })
})
