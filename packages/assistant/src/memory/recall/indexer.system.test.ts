import type { EmbeddingPort } from '@countersign/agent'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRecallDatabase, type RecallDatabase } from '../../../../../tests/recall/recall-database.ts'
import type { AssistantContext } from '../../assistant-context.ts'
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

const remember = async (context: AssistantContext, ...ids: string[]) => {
  for (const id of ids)
    await context.records.change(context.operator, ({ records }) =>
      records.insert('memories', id, { content: `memory ${id}`, status: 'active' }, null),
    )
}
const rowsOf = (context: AssistantContext) =>
  context.records.read(context.operator, async ({ db }) => {
    const { rows } = await sql<{ id: string; model: string | null; claimed: boolean }>`
      select id, model, claimed_until is not null as claimed from memory_index
      where operator_id = ${context.operator} order by id`.execute(db)
    return rows
  })
const indexerOf = (
  context: AssistantContext,
  embeddings: EmbeddingPort,
  rest: Partial<IndexerOptions> = {},
) => createIndexer({ context, index, embeddings, meter: freeMeter, wait: () => Promise.resolve(), ...rest })
const text = (asked: readonly (readonly string[])[]) => asked.flat()

describe('the indexer', () => {
  it('embeds what has no vector, batch by batch, and then rests', async () => {
    const context = database.newContext()
    await remember(context, 'a', 'b', 'c')
    const embeddings = lookupEmbeddings(new Map())
    const indexer = indexerOf(context, embeddings, { batch: 2 })
    expect(await indexer.step()).toEqual({ kind: 'embedded', count: 2 })
    expect(await indexer.step()).toEqual({ kind: 'embedded', count: 1 })
    expect(await indexer.step()).toEqual({ kind: 'idle' })
    expect(embeddings.asked).toEqual([['memory a', 'memory b'], ['memory c']])
    expect(await rowsOf(context)).toEqual(
      ['a', 'b', 'c'].map((id) => ({ id, model: 'test/one', claimed: false })),
    )
  })

  it('leaves what is superseded or rejected', async () => {
    const context = database.newContext()
    for (const status of ['superseded', 'rejected', 'suggested'])
      await context.records.change(context.operator, ({ records }) =>
        records.insert('memories', status, { content: status, status }, null),
      )
    const embeddings = lookupEmbeddings(new Map())
    await indexerOf(context, embeddings).step()
    expect(text(embeddings.asked)).toEqual(['suggested'])
  })

  it('begins anew with another model', async () => {
    const context = database.newContext()
    await remember(context, 'a', 'b', 'c')
    await indexerOf(context, lookupEmbeddings(new Map())).step()
    const other = indexerOf(context, lookupEmbeddings(new Map(), { model: 'test/two', dimensions: 5 }))
    for (let step = 0; step < 3; step += 1) await other.step()
    expect((await rowsOf(context)).map(({ model }) => model)).toEqual(['test/two', 'test/two', 'test/two'])
    expect(await other.step()).toEqual({ kind: 'idle' })
  })

  it('does not keep a vector of words that were changed while it was made', async () => {
    const context = database.newContext()
    await remember(context, 'a')
    const plain = lookupEmbeddings(new Map())
    const slow: EmbeddingPort = {
      async embed(texts, signal, meter) {
        await context.records.change(context.operator, ({ records }) =>
          records.replace('memories', 'a', 1, { content: 'other words', status: 'active' }, null),
        )
        return plain.embed(texts, signal, meter)
      },
    }
    expect(await indexerOf(context, slow).step()).toEqual({ kind: 'embedded', count: 0 })
    expect(await rowsOf(context)).toEqual([{ id: 'a', model: null, claimed: false }])
    await indexerOf(context, plain).step()
    expect(plain.asked.at(-1)).toEqual(['other words'])
  })

  it('shares the work with another process, and gives back what it could not do', async () => {
    const context = database.newContext()
    await remember(context, 'a', 'b')
    const may = Promise.withResolvers<void>()
    const plain = lookupEmbeddings(new Map())
    const held: EmbeddingPort = {
      async embed(texts, signal, meter) {
        await may.promise
        return plain.embed(texts, signal, meter)
      },
    }
    const first = indexerOf(context, held, { batch: 1 }).step()
    await expect.poll(async () => (await rowsOf(context)).some(({ claimed }) => claimed)).toBe(true)
    const away: EmbeddingPort = {
      embed: () => Promise.resolve({ kind: 'unavailable', reason: 'not installed' }),
    }
    expect(await indexerOf(context, away).step()).toEqual({ kind: 'unavailable', reason: 'not installed' })
    const other = lookupEmbeddings(new Map())
    await indexerOf(context, other).step()
    expect(text(other.asked)).toEqual(['memory b'])
    may.resolve()
    expect(await first).toEqual({ kind: 'embedded', count: 1 })
  })

  it('asks with one text while there is no model, and with a batch again once there is', async () => {
    const context = database.newContext()
    await remember(context, 'a', 'b', 'c')
    const asked: number[] = []
    let isThere = false
    const plain = lookupEmbeddings(new Map())
    const indexer = indexerOf(context, {
      embed(texts, signal, meter) {
        asked.push(texts.length)
        if (isThere) return plain.embed(texts, signal, meter)
        return Promise.resolve({ kind: 'unavailable', reason: 'not installed' })
      },
    })
    await indexer.step()
    await indexer.step()
    isThere = true
    await indexer.step()
    await indexer.step()
    expect(asked).toEqual([3, 1, 1, 2])
  })

  it('does together what is said together', async () => {
    const context = database.newContext()
    const waits = new Map<number, () => void>()
    const plain = lookupEmbeddings(new Map())
    const indexer = indexerOf(context, plain, {
      settleMs: 5_000,
      wait: (ms, signal) =>
        new Promise((resolve) => {
          waits.set(ms, resolve)
          signal.addEventListener('abort', () => resolve(), { once: true })
        }),
    })
    indexer.start()
    await expect.poll(() => waits.has(60_000)).toBe(true)
    await remember(context, 'a')
    indexer.wake()
    await expect.poll(() => waits.has(5_000)).toBe(true)
    await remember(context, 'b')
    indexer.wake()
    expect(text(plain.asked)).toEqual([])
    waits.get(5_000)?.()
    await expect.poll(() => text(plain.asked)).toEqual(['memory a', 'memory b'])
    await indexer.stop()
  })

  it('works by itself until it is stopped, is woken, and waits longer after each failure', async () => {
    const context = database.newContext()
    await remember(context, 'a')
    const waits: number[] = []
    let failing = true
    const plain = lookupEmbeddings(new Map())
    const embeddings: EmbeddingPort = {
      embed: (texts, signal, meter) =>
        failing
          ? Promise.resolve({ kind: 'failed', failure: { kind: 'unavailable', message: 'down' } as never })
          : plain.embed(texts, signal, meter),
    }
    const indexer = indexerOf(context, embeddings, {
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
    await remember(context, 'b')
    indexer.wake()
    await expect.poll(() => text(plain.asked)).toContain('memory b')
    await indexer.stop()
  })
})
