import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProviderKind } from '@countersign/contract'
import type { CatalogueData } from '@countersign/models'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type CatalogueStore, createCatalogueStore } from './catalogue-store.ts'
import { createLiveModels } from './live-models.ts'
import { createModelAdmin, type FetchedData, type ModelAdmin } from './model-admin.ts'
import type { StoredProvider } from './model-choices.ts'
import { createRouteAdmin } from './route-admin.ts'
import { createStoredChoices, type StoredChoices } from './stored-choices.ts'
import { by, openTestRecords, operator, type TestRecords } from './testing/test-records.ts'

const model = (kind: ProviderKind, id: string, output: number, more: object = {}) => ({
  kind,
  id,
  title: `The ${id}`,
  capabilities: ['tools' as const],
  context: 200_000,
  output: 8_000,
  price: { input: output / 5, output, cacheRead: null, cacheWrite: null },
  ...more,
})
const data: CatalogueData = {
  source: 'test data',
  date: '2026-11-01',
  sources: [],
  models: [
    model('anthropic', 'claude-large-5', 25),
    model('anthropic', 'claude-small-5', 5, { capabilities: ['tools', 'vision'] }),
    model('openai', 'gpt-9', 10),
    model('openai', 'text-embedding-9', 0.1, { capabilities: [], serves: 'embeddings' }),
  ],
}
const provider = (kind: ProviderKind, url: string): StoredProvider => ({
  kind,
  url,
  timeoutMs: 60_000,
  priority: 100,
  enabled: true,
})

let world: TestRecords
let settings: StoredChoices
let catalogueStore: CatalogueStore
let admin: ModelAdmin
let listed: string[]
let asked: number
let now: number
let fetched: FetchedData
let problems: unknown[]

beforeEach(async () => {
  world = await openTestRecords()
  problems = []
  listed = ['llama', 'qwen']
  asked = 0
  now = Date.parse('2026-11-15T12:00:00.000Z')
  const onProblem = (problem: unknown) => problems.push(problem)
  const clock = () => new Date(now)
  settings = createStoredChoices({ records: world.records(), operator, configured: null, onProblem })
  catalogueStore = createCatalogueStore({ folder: world.folder, clock, onProblem })
  const live = createLiveModels({
    ask: () => {
      asked += 1
      return Promise.resolve({ kind: 'listed', models: listed })
    },
    clock,
  })
  const routes = createRouteAdmin({
    settings,
    catalogueStore,
    live,
    next: (purpose) => Promise.resolve({ next: null, problem: `nothing for ${purpose}` }),
  })
  admin = createModelAdmin({
    settings,
    catalogueStore,
    live,
    routes,
    fetchData: () => Promise.resolve(fetched),
    compare: (before, after) => ({
      added: after.models.length - before.models.length,
      changed: 1,
      removed: 0,
    }),
    traces: () => [],
    onProblem,
  })
  fetched = { kind: 'refreshed', data }
  await admin.refresh(by)
  await settings.addProvider(by, 'mine', provider('anthropic', 'https://api.anthropic.com/v1'))
  await settings.addProvider(by, 'box', provider('openai-compatible', 'http://127.0.0.1:9/v1'))
})
afterEach(() => world.close())

const refs = async (filter: Parameters<ModelAdmin['models']>[0] = {}) =>
  (await admin.models(filter)).map(({ ref }) => ref).toSorted()

describe('the list of models', () => {
  test('has what the configured providers have, and what a server of one’s own says', async () => {
    expect(await refs()).toEqual(['box/llama', 'box/qwen', 'mine/claude-large-5', 'mine/claude-small-5'])
  })

  test('is narrowed by provider, words and needs', async () => {
    expect(await refs({ provider: 'mine', words: 'SMALL claude' })).toEqual(['mine/claude-small-5'])
    expect(await refs({ needs: ['vision', 'tools'] })).toEqual(['mine/claude-small-5'])
    expect(await refs({ words: 'gpt' })).toEqual([])
    await expect(admin.models({ provider: 'openai' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('has the rest under the name of its kind when all is asked for', async () => {
    expect(await refs({ all: true })).toContain('openai/gpt-9')
    expect(await refs({ all: true, provider: 'openai' })).toEqual(['openai/gpt-9', 'openai/text-embedding-9'])
    await expect(admin.models({ all: true, provider: 'nobody' })).rejects.toMatchObject({ code: 'not_found' })
  })

  test('asks a server once for a while, and again after it', async () => {
    await admin.models()
    await admin.models()
    expect(asked).toBe(1)
    now += 60_000
    listed = ['llama']
    expect(await refs({ provider: 'box' })).toEqual(['box/llama'])
    expect(asked).toBe(2)
  })
})

describe('one model', () => {
  test('has its price, and where it comes from', async () => {
    expect(await admin.model('mine/claude-large-5')).toMatchObject({
      title: 'The claude-large-5',
      price: { input: 5, output: 25, source: 'test data' },
      overridden: false,
      usedFor: [],
    })
    expect(await admin.model('box/anything')).toMatchObject({ price: { input: 0, output: 0 } })
  })

  test('is reckoned by its price, and refused more from the cache than is sent', async () => {
    const tokens = { input: 1_000_000, output: 100_000, cached: 0 }
    expect(await admin.estimate('mine/claude-large-5', tokens)).toEqual({
      ref: 'mine/claude-large-5',
      ...tokens,
      usd: 7.5,
    })
    expect(await admin.estimate('box/anything', tokens)).toMatchObject({ usd: 0 })
    await expect(admin.estimate('mine/claude-large-5', { ...tokens, cached: 2e6 })).rejects.toMatchObject({
      code: 'usage',
    })
  })

  test('that nobody knows is refused with what may have been meant', async () => {
    await expect(admin.model('mine/claude-smal-5')).rejects.toMatchObject({
      code: 'not_found',
      next: expect.stringContaining('Did you mean mine/claude-small-5'),
    })
    await expect(admin.model('nobody/a')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('takes the operator’s figures, and gives them back', async () => {
    expect(
      await admin.override(by, 'mine/claude-large-5', { input: 1, output: 2, quality: 99 }),
    ).toMatchObject({
      model: { price: { input: 1, output: 2, source: 'operator' }, quality: 99, overridden: true },
    })
    expect(await admin.restore(by, 'mine/claude-large-5')).toMatchObject({
      model: { price: { input: 5, output: 25 }, overridden: false },
    })
    await expect(admin.override(by, 'mine/claude-large-5', {})).rejects.toMatchObject({ code: 'usage' })
    await expect(admin.restore(by, 'mine/claude-large-5')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('is known once the operator told its price', async () => {
    await expect(admin.setRoute(by, 'chat', { models: ['mine/brand-new'] })).rejects.toMatchObject({
      code: 'not_found',
    })
    await admin.override(by, 'mine/brand-new', { input: 3, output: 9 })
    expect(await admin.setRoute(by, 'chat', { models: ['mine/brand-new'] })).toMatchObject({
      route: { models: ['mine/brand-new'] },
    })
    expect((await admin.model('mine/brand-new')).usedFor).toEqual(['chat'])
  })
})

describe('routes', () => {
  test('are there for every purpose, and follow chat until they are set', async () => {
    await admin.setRoute(by, 'chat', { strategy: 'fallback', models: ['mine/claude-large-5'] })
    const routes = await admin.routes()
    expect(routes).toHaveLength(9)
    expect(routes.find(({ purpose }) => purpose === 'summaries')).toEqual({
      purpose: 'summaries',
      strategy: 'fallback',
      models: ['mine/claude-large-5'],
      next: null,
      problem: 'nothing for summaries',
      own: false,
    })
    expect(routes.find(({ purpose }) => purpose === 'embeddings')?.models).toEqual([])
  })

  test('keep what is not said, and follow chat again when nothing is said', async () => {
    await admin.setRoute(by, 'chat', { strategy: 'fallback', models: ['mine/claude-large-5'] })
    const { route } = await admin.setRoute(by, 'summaries', { strategy: 'cheapest' })
    expect(route).toMatchObject({ strategy: 'cheapest', models: ['mine/claude-large-5'], own: true })
    expect((await admin.setRoute(by, 'summaries', {})).route).toMatchObject({
      strategy: 'fallback',
      own: false,
    })
    expect(world.ledger.at(-1)).toMatchObject({ type: 'route.changed', data: { after: null } })
  })

  test('refuse a provider that is not there, a name that nobody knows and a model of another trade', async () => {
    await settings.addProvider(by, 'open', provider('openai', 'https://api.openai.com/v1'))
    const before = world.ledger.length
    for (const [purpose, ref, code] of [
      ['chat', 'nobody/a', 'not_found'],
      ['chat', 'mine/claude-medium', 'not_found'],
      ['chat', 'open/text-embedding-9', 'usage'],
      ['embeddings', 'open/gpt-9', 'usage'],
    ] as const)
      await expect(admin.setRoute(by, purpose, { models: [ref] })).rejects.toMatchObject({ code })
    expect(world.ledger).toHaveLength(before)
    await admin.setRoute(by, 'embeddings', { models: ['open/text-embedding-9'] })
  })

  test('take any model of a server of one’s own, and say which it does not list', async () => {
    const world = createRouteAdmin({
      settings,
      catalogueStore,
      live: createLiveModels({
        ask: () => Promise.resolve({ kind: 'listed', models: listed }),
        clock: () => new Date(now),
      }),
      next: () => Promise.resolve({ next: 'box/unheard', problem: null }),
    })
    expect(await world.setRoute(by, 'chat', { models: ['box/unheard'] })).toMatchObject({
      route: { next: 'box/unheard', problem: 'Its server does not list box/unheard.' },
    })
    expect((await world.setRoute(by, 'chat', { models: ['box/llama'] })).route.problem).toBeNull()
  })
})

describe('the catalogue', () => {
  test('says where it comes from, and is counted when it is refreshed', async () => {
    expect(await admin.catalogue()).toEqual({
      source: 'test data',
      date: '2026-11-01',
      models: 4,
      refreshed: true,
    })
    const newer = { ...data, date: '2026-11-14', models: [...data.models, model('openai', 'gpt-10', 12)] }
    fetched = { kind: 'refreshed', data: newer }
    expect(await admin.refresh(by)).toMatchObject({
      catalogue: { date: '2026-11-14', models: 5 },
      added: 1,
      changed: 1,
      removed: 0,
      ledger: world.ledger.length,
    })
    expect(world.ledger.at(-1)).toMatchObject({
      type: 'catalogue.refreshed',
      data: { source: 'test data', date: '2026-11-14', added: 1, models: 5 },
    })
    expect(files()).toHaveLength(1)
  })

  test('stays as it was when nothing newer could be fetched', async () => {
    const before = world.ledger.length
    fetched = { kind: 'failed', message: 'The registry does not answer.' }
    await expect(admin.refresh(by)).rejects.toMatchObject({ code: 'model_unavailable' })
    expect(world.ledger).toHaveLength(before)
    expect((await admin.catalogue()).models).toBe(4)
  })

  test('of another hand is not believed: the one that came with the program counts', async () => {
    const [file = ''] = files()
    writeFileSync(join(world.folder, file), JSON.stringify({ ...data, models: [] }))
    const fresh = createCatalogueStore({
      folder: world.folder,
      clock: () => new Date(now),
      onProblem: (problem) => problems.push(problem),
    })
    expect((await fresh.open(await settings.read())).view).toMatchObject({ refreshed: false })
    expect(problems).toHaveLength(1)
    expect(existsSync(join(world.folder, file))).toBe(true)
  })
})

function files(): string[] {
  return readdirSync(world.folder).filter((name) => name.startsWith('model-catalogue-'))
}
