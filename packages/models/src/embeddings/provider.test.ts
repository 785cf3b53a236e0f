import type { EmbeddingPort } from '@countersign/agent'
import type { ProviderKind } from '@countersign/contract'
import { afterEach, describe, expect, test } from 'vitest'
import {
  type MediaScript,
  type MediaServer,
  scriptedVector,
  startMediaServer,
} from '../../../../tests/model-servers/src/media-server.ts'
import type { ModelConfig } from '../providers/config.ts'
import { createProviderEmbeddings } from './provider.ts'
import { memoryMeter } from './testing/memory-meter.ts'
import { unitVector } from './unit-vector.ts'

const KEY = 'sk-test-0123456789abcdef'
const servers: MediaServer[] = []
const quiet = (): AbortSignal => new AbortController().signal
const price = (tokens: number): number => tokens * 20

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(script?: (index: number) => MediaScript | undefined): Promise<MediaServer> {
  const server = await startMediaServer({ script: (_request, index) => script?.(index) })
  servers.push(server)
  return server
}

const paths: Partial<Record<ProviderKind, string>> = { google: '/v1beta', cohere: '/v2', ollama: '/api' }

function embeddingsOn(
  server: MediaServer,
  kind: ProviderKind,
  change: Partial<ModelConfig> = {},
): EmbeddingPort {
  const baseUrl = `${server.url}${paths[kind] ?? '/v1'}`
  const config = { name: 'mine', kind, model: 'scripted', baseUrl, apiKey: KEY, timeoutMs: 5_000, ...change }
  return createProviderEmbeddings({ config, price })
}

const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `text number ${index}`)

describe.each<[ProviderKind, number]>([
  ['openai', 256],
  ['google', 100],
  ['mistral', 32],
  ['cohere', 96],
  ['together', 256],
  ['fireworks', 256],
  ['ollama', 256],
  ['openai-compatible', 256],
])('embeddings of %s', (kind, most) => {
  test('are of length one and in the order of the texts, over several calls', async () => {
    const server = await serve()
    const meter = memoryMeter()
    const texts = numbered(most + 3)
    const embedded = await embeddingsOn(server, kind).embed(texts, quiet(), meter)
    if (embedded.kind !== 'embedded') throw new Error(JSON.stringify(embedded))
    expect(embedded).toMatchObject({ model: 'mine/scripted', dimensions: 4 })
    expect(embedded.vectors).toEqual(texts.map((text) => unitVector(scriptedVector(text))))
    for (const vector of embedded.vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 6)
    expect(server.requests).toHaveLength(2)
    expect(meter.planned).toHaveLength(2)
    expect(meter.planned[0]).toMatchObject({ provider: 'mine', model: 'scripted', purpose: 'embeddings' })
    expect(meter.spent.map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered'])
    for (const [index, spent] of meter.spent.entries()) {
      expect(spent.costNanos).toBeGreaterThan(0)
      expect(spent.costNanos).toBeLessThanOrEqual(meter.planned[index]?.worstNanos ?? 0)
    }
    expect(meter.open).toBe(0)
  })

  test('fail by name, after one call', async () => {
    const server = await serve(() => ({ status: 429, retryAfter: 2 }))
    const meter = memoryMeter()
    const embedded = await embeddingsOn(server, kind).embed(['one'], quiet(), meter)
    expect(embedded).toMatchObject({ kind: 'failed', failure: { kind: 'rate_limited', retryAfterMs: 2_000 } })
    expect(server.requests).toHaveLength(1)
    expect(meter.spent).toMatchObject([{ outcome: 'rate_limited', costNanos: 0 }])
  })
})

describe('embeddings of a provider', () => {
  test('cost what the provider counted', async () => {
    const meter = memoryMeter()
    await embeddingsOn(await serve(), 'openai').embed(['two words', 'and three more'], quiet(), meter)
    expect(meter.spent).toMatchObject([{ usage: { input: 5 }, estimated: false, costNanos: 100 }])
  })

  test('are estimated where the provider does not count', async () => {
    const meter = memoryMeter()
    const server = await serve(() => ({ silentOnUsage: true }))
    await embeddingsOn(server, 'openai').embed(['two words'], quiet(), meter)
    expect(meter.spent).toMatchObject([{ usage: { input: 2 }, estimated: true, costNanos: 40 }])
  })

  test('carry a key to Ollama only where there is one', async () => {
    const server = await serve()
    await embeddingsOn(server, 'ollama').embed(['one'], quiet(), memoryMeter())
    await embeddingsOn(server, 'ollama', { apiKey: '' }).embed(['one'], quiet(), memoryMeter())
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`, undefined])
  })

  test.each([
    ['no key', { apiKey: '' }, 'key'],
    ['a key with a line break', { apiKey: 'one\ntwo' }, 'key'],
    ['a password in the address', { baseUrl: 'http://user:word@127.0.0.1:9' }, 'invalid'],
  ] as const)('are refused with %s, before anything is asked', async (_what, change, kind) => {
    const server = await serve()
    const meter = memoryMeter()
    const embedded = await embeddingsOn(server, 'openai', change).embed(['one'], quiet(), meter)
    expect(embedded).toMatchObject({ kind: 'failed', failure: { kind } })
    expect(server.requests).toHaveLength(0)
    expect(meter.planned).toHaveLength(0)
  })

  test('are put in order by their numbers', async () => {
    const server = await serve(() => ({ reversed: true }))
    const embedded = await embeddingsOn(server, 'openai').embed(['a', 'bb', 'ccc'], quiet(), memoryMeter())
    if (embedded.kind !== 'embedded') throw new Error(JSON.stringify(embedded))
    expect(embedded.vectors).toEqual(['a', 'bb', 'ccc'].map((text) => unitVector(scriptedVector(text))))
  })

  test.each([
    ['fewer vectors than texts', [[1, 2]]],
    ['vectors of different lengths', [[1, 2], [1]]],
    [
      'a vector without direction',
      [
        [0, 0],
        [1, 2],
      ],
    ],
    ['an empty vector', [[], []]],
  ])('are refused with %s', async (_what, vectors) => {
    const data = vectors.map((embedding, index) => ({ object: 'embedding', index, embedding }))
    const server = await serve(() => ({ body: JSON.stringify({ object: 'list', data, model: 'scripted' }) }))
    const meter = memoryMeter()
    const embedded = await embeddingsOn(server, 'openai').embed(['a', 'b'], quiet(), meter)
    expect(embedded).toMatchObject({ kind: 'failed', failure: { kind: 'unknown' } })
    expect(meter.open).toBe(0)
  })

  test('stop at the first call that fails, and settle both', async () => {
    const server = await serve((index) => (index === 1 ? { status: 503 } : undefined))
    const meter = memoryMeter()
    const embedded = await embeddingsOn(server, 'mistral').embed(numbered(90), quiet(), meter)
    expect(embedded).toMatchObject({ kind: 'failed', failure: { kind: 'unavailable' } })
    expect(server.requests).toHaveLength(2)
    expect(meter.spent.map(({ outcome }) => outcome)).toEqual(['delivered', 'unavailable'])
    expect(meter.open).toBe(0)
  })

  test('split long texts over calls', async () => {
    const server = await serve()
    const long = 'word '.repeat(30_000)
    const embedded = await embeddingsOn(server, 'openai').embed([long, long, 'short'], quiet(), memoryMeter())
    expect(embedded.kind).toBe('embedded')
    expect(server.requests).toHaveLength(2)
  })

  test('end when they are cancelled', async () => {
    const server = await serve(() => ({ delayMs: 10_000 }))
    const meter = memoryMeter()
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 100)
    const embedded = await embeddingsOn(server, 'openai').embed(['one'], controller.signal, meter)
    expect(embedded).toMatchObject({ kind: 'failed', failure: { kind: 'cancelled' } })
    expect(meter.spent).toMatchObject([{ outcome: 'cancelled' }])
  })

  test('are not asked for where the budget is spent', async () => {
    const server = await serve()
    const embedded = await embeddingsOn(server, 'openai').embed(
      ['one'],
      quiet(),
      memoryMeter({ refuses: true }),
    )
    expect(embedded).toMatchObject({ kind: 'failed', failure: { kind: 'budget' } })
    expect(server.requests).toHaveLength(0)
  })

  test('are not to be had of a provider without any', async () => {
    const embedded = await embeddingsOn(await serve(), 'anthropic').embed(['one'], quiet(), memoryMeter())
    expect(embedded).toMatchObject({ kind: 'unavailable' })
  })

  test('of nothing are nothing, and cost nothing', async () => {
    const meter = memoryMeter()
    const embedded = await embeddingsOn(await serve(), 'openai').embed([], quiet(), meter)
    expect(embedded).toMatchObject({ kind: 'embedded', vectors: [] })
    expect(meter.planned).toHaveLength(0)
  })
})
