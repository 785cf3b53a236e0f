import type { OverrideModel, ProviderKind } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { createCatalogue } from './catalogue.ts'
import { CatalogueData, type CatalogueModel, type DataPrice, vendoredData } from './data.ts'
import { unknownPrice } from './price.ts'

const price = (input: number, output: number, more: Partial<DataPrice> = {}): DataPrice => ({
  input,
  output,
  cacheRead: null,
  cacheWrite: null,
  ...more,
})
const model = (
  kind: ProviderKind,
  id: string,
  cost: DataPrice | null,
  more: Partial<CatalogueModel> = {},
): CatalogueModel => ({
  kind,
  id,
  title: id,
  capabilities: ['tools'],
  context: 100_000,
  output: 8_000,
  price: cost,
  source: 'prices',
  ...more,
})
const dataOf = (...models: CatalogueModel[]): CatalogueData => ({
  source: 'prices 2',
  date: '2026-06-01',
  sources: [
    { name: 'prices', package: 'prices', version: '2', date: '2026-05-01', licence: 'MIT', integrity: '' },
  ],
  models,
})
const catalogueOf = (models: CatalogueModel[], overrides: Record<string, OverrideModel> = {}) =>
  createCatalogue({ data: dataOf(...models), overrides: new Map(Object.entries(overrides)) })

describe('finding a model', () => {
  const catalogue = catalogueOf([
    model('anthropic', 'claude-x', price(3, 15)),
    model('anthropic', 'claude-y-20250101', price(5, 25)),
    model('anthropic', 'claude-y-20250601', price(4, 20)),
    model('openai', 'gpt-z', price(2, 8), { aliases: ['gpt-z-chat'] }),
    model('openai', 'gpt-z-2024-05-13', price(5, 15)),
    model('openai', 'gpt-z-mini', price(0.1, 0.4)),
    model('google', 'gemini-a', price(1, 4)),
    model('fireworks', 'accounts/fireworks/models/kimi', price(1, 3)),
    model('openrouter', 'maker/model', price(1, 2)),
    model('openrouter', 'maker/gift:free', price(0, 0)),
  ])
  const inputOf = (kind: ProviderKind, name: string) => catalogue.find(kind, name)?.price?.input

  it('takes its exact name first, and keeps the name that was asked for', () => {
    expect(catalogue.find('openai', 'gpt-z')).toMatchObject({ model: 'gpt-z', price: { input: 2 } })
    expect(inputOf('openai', 'gpt-z-2024-05-13')).toBe(5)
    expect(catalogue.find('openai', 'gpt-z-chat')).toMatchObject({ model: 'gpt-z-chat', title: 'gpt-z' })
  })

  it('says where the price is from, and from when', () => {
    expect(catalogue.find('openai', 'gpt-z')?.price).toMatchObject({ source: 'prices 2', date: '2026-05-01' })
  })

  it('knows a dated name by the undated one, and the other way round', () => {
    expect(inputOf('anthropic', 'claude-x-20250929')).toBe(3)
    expect(inputOf('anthropic', 'claude-x-latest')).toBe(3)
    expect(catalogue.find('anthropic', 'claude-y')?.title).toBe('claude-y-20250601')
  })

  it('takes the dearest price of a family for a date that is not known', () => {
    expect(inputOf('openai', 'gpt-z-2024-08-06')).toBe(5)
    expect(inputOf('anthropic', 'claude-y')).toBe(5)
    expect(inputOf('anthropic', 'claude-y-20251231')).toBe(5)
  })

  it('knows the prefixes and suffixes that an API allows', () => {
    expect(inputOf('google', 'models/gemini-a')).toBe(1)
    expect(inputOf('fireworks', 'kimi')).toBe(1)
    expect(inputOf('openrouter', 'maker/model:floor')).toBe(1)
  })

  it('does not take a model to be free because its name ends so', () => {
    expect(inputOf('openrouter', 'maker/model:free')).toBe(1)
    expect(inputOf('openrouter', 'maker/gift:free')).toBe(0)
  })

  it.each<[ProviderKind, string]>([
    ['openai', 'gpt-z-min'],
    ['openai', 'gpt-z-mini-high'],
    ['openai', 'gpt-z-pro'],
    ['openai', 'GPT-Z'],
    ['openai', 'gpt'],
    ['openai', 'gpt-z-0613'],
    ['openai', 'gpt-z-20241399'],
    ['openai', 'models/gpt-z'],
    ['openai', 'gpt-z:free'],
    ['anthropic', 'claude-x-1'],
    ['anthropic', 'gpt-z'],
    ['openrouter', 'maker/gift'],
    ['openrouter', 'maker/model:nitro'],
    ['openrouter', 'maker/model:online'],
    ['openrouter', 'model'],
    ['openai', '__proto__'],
    ['ollama', 'gpt-z'],
  ])('does not take a near miss for a model: %s %s', (kind, name) => {
    expect(catalogue.find(kind, name)).toBeUndefined()
  })
})

describe('what there is to choose from', () => {
  const catalogue = catalogueOf([
    model('openai', 'new', price(1, 2), { aliases: ['newer'] }),
    model('openai', 'old', price(1, 2), { listed: false, capabilities: [] }),
    model('openai', 'vectors', price(1, 0), { serves: 'embeddings', capabilities: [] }),
  ])

  it('is every model once, and neither old ones nor those that do not converse', () => {
    expect(catalogue.list('openai').map((facts) => facts.model)).toEqual(['new'])
    expect(catalogue.list('openai', 'embeddings').map((facts) => facts.model)).toEqual(['vectors'])
    expect(catalogue.list('ollama')).toEqual([])
  })

  it('leaves out models that are found by name all the same, and taken to have tools', () => {
    expect(catalogue.find('openai', 'old')).toMatchObject({ price: { input: 1 }, capabilities: ['tools'] })
  })
})

describe('announced prices', () => {
  const data = dataOf(
    model('google', 'g', price(1, 2), { later: [{ from: '2027-01-01', price: price(2, 4) }] }),
  )
  const at = (time: string) =>
    createCatalogue({ data, overrides: new Map(), now: () => new Date(time) }).find('google', 'g')?.price
      ?.input

  it('hold from their day on', () => {
    expect(at('2026-12-31T23:59:59Z')).toBe(1)
    expect(at('2027-01-01T00:00:00Z')).toBe(2)
  })

  it('hold at once without a clock where they are dearer', () => {
    expect(createCatalogue({ data, overrides: new Map() }).find('google', 'g')?.price?.input).toBe(2)
  })
})

describe('the facts for a provider', () => {
  const tiers = [{ above: 1_000, ...price(4, 9, { cacheRead: 2 }) }]
  const known = model('openai', 'gpt-z', price(2, 8, { cacheRead: 1, cacheWrite: 3, tiers, perCall: 0.01 }))
  const openai = { name: 'work', kind: 'openai' } as const

  const free = { input: 0, output: 0, source: 'local' }
  const near = { name: 'l', kind: 'openai-compatible', baseUrl: 'http://192.168.1.5:1234/v1' } as const

  it('are free on the own machine, by its kind or by its address', () => {
    const catalogue = catalogueOf([known])
    const ollama = { name: 'o', kind: 'ollama' } as const
    expect(catalogue.factsFor(ollama, 'llama').price).toMatchObject(free)
    expect(
      catalogue.factsFor({ ...ollama, baseUrl: 'http://10.0.0.2:11434/api' }, 'gpt-z').price,
    ).toMatchObject(free)
    expect(catalogue.factsFor(near, 'qwen').price).toMatchObject(free)
  })

  it('are not free elsewhere, whatever the kind', () => {
    const catalogue = catalogueOf([known])
    expect(catalogue.factsFor({ ...near, baseUrl: 'https://example.com/v1' }, 'qwen').price).toBeNull()
    const hosted = { name: 'o', kind: 'ollama', baseUrl: 'https://ollama.com/api' } as const
    expect(catalogue.factsFor(hosted, 'llama').price).toBeNull()
  })

  it('have the dearest price that is known for the name on a server nearby that may pass the call on', () => {
    const dearer = model('openrouter', 'openai/gpt-z', price(3, 9, { perCall: 0.02 }))
    const catalogue = catalogueOf([known, dearer, model('groq', 'llama', price(1, 1))])
    expect(catalogue.factsFor(near, 'gpt-z')).toMatchObject({ price: { input: 2 }, perCall: 0.01, tiers })
    expect(catalogue.factsFor(near, 'gpt-z-2030-01-01').price?.input).toBe(2)
    expect(catalogue.factsFor(near, 'openai/gpt-z')).toMatchObject({ price: { input: 3 }, perCall: 0.02 })
    expect(catalogue.factsFor(near, 'groq/llama').price?.input).toBe(1)
    expect(catalogue.factsFor({ ...near, kind: 'mistral' }, 'gpt-z').price?.input).toBe(2)
    expect(catalogue.factsFor(near, 'gpt-zz').price).toMatchObject(free)
    expect(catalogue.factsFor(near, 'gpt-z').capabilities).toEqual(['tools'])
  })

  it('have no price on a server nearby where one who sells the name tells none', () => {
    const catalogue = catalogueOf([known, model('mistral', 'gpt-z', null)])
    expect(catalogue.factsFor(near, 'gpt-z').price).toBeNull()
  })

  it('are free on a server nearby whatever the name, where the operator says so', () => {
    const catalogue = catalogueOf([known], { 'l/gpt-z': { input: 0, output: 0 } })
    const facts = catalogue.factsFor(near, 'gpt-z')
    expect(facts.price).toMatchObject({ input: 0, output: 0, source: 'operator' })
    expect(facts).not.toHaveProperty('perCall')
  })

  it('keep the price of a hosted model behind a proxy on the own machine', () => {
    const proxy = { ...openai, baseUrl: 'http://127.0.0.1:4000/v1' }
    expect(catalogueOf([known]).factsFor(proxy, 'gpt-z').price?.input).toBe(2)
  })

  it('have no price for an unknown model elsewhere, and tools where its kind has them', () => {
    const catalogue = catalogueOf([known])
    expect(catalogue.factsFor(openai, 'gpt-next')).toMatchObject({ price: null, capabilities: ['tools'] })
    expect(catalogue.factsFor({ name: 'p', kind: 'perplexity' }, 'sonar-next').capabilities).toEqual([])
  })

  it('are what the operator says where the operator says something, for that provider only', () => {
    const catalogue = catalogueOf([known], {
      'work/gpt-z': { capabilities: ['vision'], context: 5, maxOutput: 6, quality: 7 },
    })
    expect(catalogue.factsFor(openai, 'gpt-z')).toMatchObject({
      capabilities: ['vision'],
      context: 5,
      output: 6,
      quality: 7,
      overridden: true,
      price: { input: 2, source: 'prices 2' },
      perCall: 0.01,
      tiers,
    })
    expect(catalogue.factsFor({ ...openai, name: 'home' }, 'gpt-z').overridden).toBe(false)
    expect(catalogue.factsFor(openai, 'gpt-z-2024-01-01').overridden).toBe(false)
  })

  it('have the operator’s price and nothing of the old one', () => {
    const facts = catalogueOf([known], { 'work/gpt-z': { input: 1, output: 1 } }).factsFor(openai, 'gpt-z')
    expect(facts.price).toMatchObject({
      input: 1,
      output: 1,
      cacheRead: null,
      cacheWrite: null,
      source: 'operator',
    })
    expect(facts).not.toHaveProperty('tiers')
    expect(facts).not.toHaveProperty('perCall')
  })

  it('have the dear price for the part that neither the data nor the operator says', () => {
    const facts = catalogueOf([], { 'work/new': { input: 1 } }).factsFor(openai, 'new')
    expect(facts.price).toMatchObject({ input: 1, output: unknownPrice.output })
  })

  it('follow a change of the overrides at once', () => {
    const overrides = new Map<string, OverrideModel>()
    const catalogue = createCatalogue({ data: dataOf(known), overrides })
    overrides.set('work/gpt-z', { quality: 1 })
    expect(catalogue.factsFor(openai, 'gpt-z').quality).toBe(1)
    overrides.clear()
    expect(catalogue.factsFor(openai, 'gpt-z').overridden).toBe(false)
  })
})

describe('quality', () => {
  it('rises with price, reasoning and context, and is the same every time', () => {
    const models = [
      model('openai', 'a', price(1, 1), { context: 8_000 }),
      model('openai', 'b', price(1, 10), { context: 8_000 }),
      model('openai', 'c', price(1, 10), { context: 8_000, capabilities: ['tools', 'reasoning'] }),
      model('openai', 'd', price(1, 10), { context: 1_000_000, capabilities: ['tools', 'reasoning'] }),
    ]
    const judge = () =>
      catalogueOf(models)
        .list('openai')
        .map((facts) => facts.quality)
    expect(judge()).toEqual(judge().toSorted((one, other) => one - other))
    expect(new Set(judge()).size).toBe(4)
    expect(judge()).toEqual(judge())
  })

  it('of a free version is that of the paid one', () => {
    const catalogue = catalogueOf([
      model('openrouter', 'z', price(1, 1)),
      model('openrouter', 'm', price(1, 10)),
      model('openrouter', 'm:free', price(0, 0)),
    ])
    expect(catalogue.find('openrouter', 'm:free')?.quality).toBe(catalogue.find('openrouter', 'm')?.quality)
  })
})

describe('the data that comes with the program', () => {
  it('has its form, its sources and something for every hosted kind', async () => {
    const data = await vendoredData()
    expect(CatalogueData.safeParse(data).success).toBe(true)
    expect(data.sources.map(({ licence }) => licence)).toEqual(['MIT', 'MIT'])
    const catalogue = createCatalogue({ data, overrides: new Map() })
    const hosted = [
      'anthropic',
      'openai',
      'google',
      'mistral',
      'groq',
      'deepseek',
      'xai',
      'together',
    ] as const
    for (const kind of [...hosted, 'fireworks', 'perplexity', 'cohere', 'openrouter'] as const) {
      expect(catalogue.list(kind).length).toBeGreaterThanOrEqual(2)
    }
    expect(catalogue.view).toEqual({ source: data.source, date: data.date, models: data.models.length })
  })

  it('has every model once, sorted, and calls none free that is not named so', async () => {
    const { models } = await vendoredData()
    const names = models.map(({ kind, id }) => `${kind}/${id}`)
    expect(names).toEqual([...new Set(names)].toSorted((one, other) => (one < other ? -1 : 1)))
    const free = models.filter(({ price }) => price !== null && price.input === 0 && price.output === 0)
    for (const { id } of free) expect(id).toMatch(/[:/]free$/)
  })
})

it('knows of a model at Bedrock or Vertex what it can do, and not what it costs there', async () => {
  const catalogue = createCatalogue({ data: await vendoredData(), overrides: new Map() })
  const bedrock = { name: 'aws', kind: 'bedrock' } as const
  const claude = catalogue.find('anthropic', 'claude-sonnet-4-5')
  expect(claude?.context).toBeGreaterThan(100_000)
  for (const model of ['anthropic.claude-sonnet-4-5-20250929-v1:0', 'eu.anthropic.claude-sonnet-4-5'])
    expect(catalogue.factsFor(bedrock, model)).toMatchObject({
      model,
      context: claude?.context,
      capabilities: claude?.capabilities,
      price: null,
    })
  expect(catalogue.factsFor(bedrock, 'meta.llama4-maverick')).toMatchObject({ context: null, price: null })
  const vertex = { name: 'v', kind: 'vertex' } as const
  expect(catalogue.factsFor(vertex, 'gemini-2.5-pro').context).toBe(
    catalogue.find('google', 'gemini-2.5-pro')?.context,
  )
})
