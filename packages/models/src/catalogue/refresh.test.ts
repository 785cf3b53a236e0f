import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { CatalogueData } from './data.ts'
import { compareData, type RefreshParts, refreshCatalogue } from './refresh.ts'
import { integrityOf } from './registry.ts'
import { readTarball } from './tarball.ts'

interface Entry {
  readonly path: string
  readonly text?: string
  readonly type?: string
  readonly size?: number
  readonly sum?: number
}

function tar(...entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ path, text = '', type = '0', size, sum }) => {
    const body = Buffer.from(text)
    const header = Buffer.alloc(512)
    header.write(path, 0)
    header.write('0000644\0', 100)
    header.write(`${(size ?? body.length).toString(8).padStart(11, '0')}\0`, 124)
    header.write('        ', 148)
    header.write(type, 156)
    header.write('ustar\x0000', 257)
    const total = sum ?? header.reduce((left, right) => left + right, 0)
    header.write(`${total.toString(8).padStart(6, '0')}\0 `, 148)
    return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]
  })
  return Buffer.concat([...blocks, Buffer.alloc(1024)])
}

const chat = (id: string, cost: Record<string, unknown>) => ({
  type: 'chat',
  id,
  name: id,
  reasoning: true,
  input: ['text', 'image'],
  cost: { cacheRead: 0, cacheWrite: 0, ...cost },
  contextWindow: 200_000,
  maxTokens: 64_000,
})
const piAi = (...models: ReturnType<typeof chat>[]) =>
  gzipSync(
    tar(
      { path: 'package/package.json', text: '{}' },
      {
        path: 'package/dist/providers/data/openai.json',
        text: JSON.stringify({ responses: Object.fromEntries(models.map((model) => [model.id, model])) }),
      },
    ),
  )
const genaiPrices = (models: string) =>
  gzipSync(
    tar({
      path: 'package/dist/index.js',
      text: `const E = [\n{ id: "openai", models: [${models}] }\n];\nprocess.exit(1)\n`,
    }),
  )
const priced = (id: string, prices: string) =>
  `{ id: "${id}", match: { equals: "${id}" }, prices: ${prices} }`

const goodPiAi = piAi(chat('gpt-a', { input: 1, output: 2 }), chat('gpt-b', { input: 3, output: 4 }))
const goodPrices = genaiPrices(priced('gpt-a', '{ input_mtok: 1.5, output_mtok: 6, cache_read_mtok: .15 }'))

describe('refreshing the catalogue', () => {
  let server: Server
  let registry: string
  let files: Record<string, Buffer>
  let metadata: Record<string, unknown>
  let answer: { status: number; location?: string } | undefined
  const asked: string[] = []

  const publish = (name: string, tarball: Buffer, dist: Record<string, unknown> = {}) => {
    const path = `/${name}/-/package.tgz`
    files[path] = tarball
    metadata[name] = {
      name,
      'dist-tags': { latest: '9.0.0' },
      time: { '9.0.0': '2026-10-05T10:00:00.000Z' },
      versions: {
        '9.0.0': {
          license: 'MIT',
          dist: { tarball: `${registry}${path}`, integrity: integrityOf(tarball), ...dist },
        },
      },
    }
  }
  const refresh = (more: Partial<RefreshParts> = {}) =>
    refreshCatalogue({ fetch, now: () => new Date('2026-11-01T00:00:00Z'), registry, ...more })
  const message = async (more: Partial<RefreshParts> = {}) => {
    const refreshed = await refresh(more)
    return refreshed.kind === 'failed' ? refreshed.message : 'was taken'
  }

  beforeEach(async () => {
    files = {}
    metadata = {}
    answer = undefined
    asked.length = 0
    server = createServer((request, response) => {
      const path = decodeURIComponent(request.url ?? '')
      asked.push(path)
      if (answer !== undefined) {
        response
          .writeHead(answer.status, answer.location === undefined ? {} : { location: answer.location })
          .end()
        return
      }
      const body =
        files[path] ?? (path.slice(1) in metadata ? JSON.stringify(metadata[path.slice(1)]) : undefined)
      response.writeHead(body === undefined ? 404 : 200).end(body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    publish('@earendil-works/pi-ai', goodPiAi)
    publish('@pydantic/genai-prices', goodPrices)
  })
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  it('takes what the registry has, with its sources, and asks for nothing else', async () => {
    const refreshed = await refresh()
    expect(refreshed).toMatchObject({
      kind: 'refreshed',
      data: {
        source: 'pi-ai 9.0.0, genai-prices 9.0.0',
        date: '2026-10-05',
        models: [
          { id: 'gpt-a', price: { input: 1.5, output: 6, cacheRead: 0.15 }, source: 'genai-prices' },
          { id: 'gpt-b', price: { input: 3, output: 4, cacheRead: null }, source: 'pi-ai' },
        ],
      },
    })
    expect(asked).toHaveLength(4)
  })

  it('takes the price of the day, the dearest hour, the tiers, and what is announced', async () => {
    const rules = `[
      { prices: { input_mtok: 9, output_mtok: 9 } },
      { constraint: { type: "start_date", start_date: "2026-05-01" }, prices: { input_mtok: { base: 2, tiers: [{ start: 200000, price: 4 }] }, output_mtok: 3 } },
      { constraint: { type: "time_of_date", start_time: "01:00:00Z", end_time: "04:00:00Z" }, prices: { input_mtok: 3, output_mtok: 3 } },
      { constraint: { type: "start_date", start_date: "2027-01-01" }, prices: { input_mtok: 5, output_mtok: 5 } },
    ]`
    publish('@pydantic/genai-prices', genaiPrices(priced('gpt-a', rules)))
    const refreshed = await refresh()
    expect(refreshed.kind === 'refreshed' && refreshed.data.models[0]).toMatchObject({
      price: { input: 3, output: 3, tiers: [{ above: 200_000, input: 4, output: 3 }] },
      later: [{ from: '2027-01-01', price: { input: 5, output: 5 } }],
    })
  })

  it('takes the other price where it is clearly dearer, and keeps a tier that only one knows', async () => {
    const tiers = [{ inputTokensAbove: 272_000, input: 8, output: 30, cacheRead: 0, cacheWrite: 0 }]
    publish(
      '@earendil-works/pi-ai',
      piAi(chat('gpt-a', { input: 4, output: 20 }), chat('gpt-b', { input: 3, output: 4, tiers })),
    )
    publish(
      '@pydantic/genai-prices',
      genaiPrices(
        `${priced('gpt-a', '{ input_mtok: 2, output_mtok: 10 }')}, ${priced('gpt-b', '{ input_mtok: 3, output_mtok: 4 }')}`,
      ),
    )
    const refreshed = await refresh()
    expect(refreshed.kind === 'refreshed' && refreshed.data.models).toMatchObject([
      { price: { input: 4, output: 20 }, source: 'pi-ai' },
      { price: { input: 3, tiers: [{ above: 272_000, input: 8 }] }, source: 'genai-prices' },
    ])
  })

  it('does not take nothing for a price', async () => {
    publish('@earendil-works/pi-ai', piAi(chat('gpt-b', { input: 0, output: 0 })))
    const refreshed = await refresh()
    expect(refreshed.kind === 'refreshed' && refreshed.data.models[1]?.price).toBe(null)
  })

  it('refuses a tarball that is not the stated one', async () => {
    const damaged = Buffer.from(goodPrices)
    damaged[damaged.length - 1] = (damaged.at(-1) ?? 0) ^ 1
    files['/@pydantic/genai-prices/-/package.tgz'] = damaged
    expect(await message()).toMatch(/SHA-512 differs.*stays as it was/)
  })

  it('refuses a registry that states no SHA-512', async () => {
    publish('@pydantic/genai-prices', goodPrices, { integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' })
    expect(await message()).toContain('does not say which package')
  })

  it('refuses a tarball from elsewhere', async () => {
    publish('@pydantic/genai-prices', goodPrices, { tarball: 'http://127.0.0.2/package.tgz' })
    expect(await message()).toContain('is not the registry')
  })

  it('refuses a redirect', async () => {
    answer = { status: 302, location: 'http://127.0.0.1:9/' }
    expect(await message()).toContain('cannot be read')
  })

  it('refuses more than the bound, whatever length is announced', async () => {
    expect(await message({ mostBytes: 1_000 })).toBe('was taken')
    expect(await message({ mostBytes: 100 })).toContain('larger than 100 bytes')
  })

  it('says what happened where the registry is not there or has no answer', async () => {
    answer = { status: 503 }
    expect(await message()).toContain('status 503')
    expect(await message({ registry: 'http://127.0.0.1:1' })).toMatch(/cannot be read: .+/)
  })

  it('does not wait for ever', async () => {
    server.removeAllListeners('request')
    expect(await message({ timeoutMs: 100 })).toContain('cannot be read')
  })

  it.each([
    ['a price below nothing', '{ input_mtok: -1, output_mtok: 6 }'],
    ['an absurd price', '{ input_mtok: 1, output_mtok: 60000000 }'],
  ])('refuses %s', async (_, prices) => {
    publish('@earendil-works/pi-ai', piAi(chat('gpt-b', { input: 3, output: 4 })))
    publish('@pydantic/genai-prices', genaiPrices(priced('gpt-a', prices)))
    expect(await message()).toContain('does not have its form')
  })

  it('refuses data with code in it, and runs none', async () => {
    publish('@pydantic/genai-prices', genaiPrices(priced('gpt-a', '{ input_mtok: process.exit(1) }')))
    expect(await message()).toContain('not plain data')
  })

  it('refuses data that lost more than half of its models, and takes half', async () => {
    const many = Array.from({ length: 4 }, (_, index) => chat(`gpt-${index}`, { input: 1, output: 1 }))
    publish('@earendil-works/pi-ai', piAi(...many))
    const before = await refresh()
    if (before.kind === 'failed') throw new Error(before.message)
    publish('@earendil-works/pi-ai', piAi(...many.slice(0, 2)))
    expect(await message({ before: before.data })).toBe('was taken')
    publish('@earendil-works/pi-ai', piAi(...many.slice(0, 1)))
    expect(await message({ before: before.data })).toContain('models')
    publish('@earendil-works/pi-ai', gzipSync(tar({ path: 'package/other.json', text: '{}' })))
    expect(await message()).toContain('0 models to choose from')
  })
})

describe('reading a tarball', () => {
  const all = () => true
  const file = { path: 'package/a.txt', text: 'hello' }

  it('reads the wanted files and no others', () => {
    const packed = gzipSync(tar(file, { path: 'package/b.txt', text: 'other' }))
    expect(readTarball(packed, (path) => path === 'a.txt')).toEqual({
      kind: 'read',
      files: new Map([['a.txt', 'hello']]),
    })
  })

  it('passes over links, folders and paths that lead out', () => {
    const packed = gzipSync(
      tar(
        { path: 'package/link', type: '2' },
        { path: 'package/hard', type: '1' },
        { path: 'package/folder/', type: '5' },
        { path: 'package/../../etc/passwd', text: 'x' },
        { path: '/etc', text: 'x' },
        file,
      ),
    )
    const read = readTarball(packed, all)
    expect(read.kind === 'read' && [...read.files.keys()]).not.toContain('../../etc/passwd')
    expect(read.kind === 'read' && read.files.get('a.txt')).toBe('hello')
    expect(read.kind === 'read' && read.files.has('link')).toBe(false)
  })

  it.each<[string, Buffer]>([
    ['no archive', Buffer.from('hello')],
    ['a cut archive', gzipSync(tar(file)).subarray(0, 40)],
    ['an archive without end', gzipSync(tar(file).subarray(0, 1024))],
    ['a file that ends too late', gzipSync(tar({ ...file, size: 1_000_000 }))],
    ['a wrong sum', gzipSync(tar({ ...file, sum: 1 }))],
    ['a file twice', gzipSync(tar(file, file))],
    ['a bomb', gzipSync(Buffer.alloc(2_000_000))],
    [
      'too many files',
      gzipSync(tar(...Array.from({ length: 20 }, (_, index) => ({ path: `package/${index}` })))),
    ],
  ])('refuses %s', (_, packed) => {
    expect(readTarball(packed, all, { bytes: 1_000_000, entries: 10 }).kind).toBe('refused')
  })
})

describe('comparing data', () => {
  const data = (...models: [string, number][]): CatalogueData => ({
    source: 's',
    date: '2026-01-01',
    sources: [],
    models: models.map(([id, input]) => ({
      kind: 'openai',
      id,
      title: id,
      capabilities: [],
      context: null,
      output: null,
      price: { input, output: 1, cacheRead: null, cacheWrite: null },
    })),
  })

  it('tells what came, what changed and what went', () => {
    const before = data(['a', 1], ['b', 1], ['c', 1])
    expect(compareData(before, data(['a', 1], ['b', 2], ['d', 1], ['e', 1]))).toEqual({
      added: 2,
      changed: 1,
      removed: 1,
    })
    expect(compareData(before, { ...before, date: '2026-02-01' })).toEqual({
      added: 0,
      changed: 0,
      removed: 0,
    })
  })
})
