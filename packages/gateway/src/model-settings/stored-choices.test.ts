import type { Records } from '@countersign/contract'
import { builtinTools, recordResources, type ToolDefinition, toFacts } from '@countersign/tools'
import { createRecordToolRunner } from '@countersign/tools/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ConfiguredModel, modelSettingsCollections, type StoredProvider } from './model-choices.ts'
import { createStoredChoices, type StoredChoices } from './stored-choices.ts'
import { by, openTestRecords, operator, type TestRecords } from './testing/test-records.ts'

const provider: StoredProvider = {
  kind: 'anthropic',
  url: 'https://api.anthropic.com/v1',
  timeoutMs: 60_000,
  priority: 100,
  enabled: true,
}
const configured: ConfiguredModel = {
  provider: 'openai-compatible',
  model: 'scripted',
  url: 'http://127.0.0.1:9/v1',
  key: 'a-key-of-the-file',
}

let world: TestRecords
let settings: StoredChoices
let problems: unknown[]

const open = (given: ConfiguredModel | null = null) =>
  createStoredChoices({
    records: world.records(),
    operator,
    configured: given,
    onProblem: (problem) => problems.push(problem),
  })

beforeEach(async () => {
  world = await openTestRecords()
  problems = []
  settings = open()
})
afterEach(() => world.close())

describe('a change', () => {
  test('is one entry of the ledger with its data', async () => {
    expect(await settings.addProvider(by, 'mine', provider)).toBe(1)
    await settings.changeProvider(by, 'mine', { priority: 5 }, true)
    await settings.setRoute(by, 'chat', { strategy: 'cheapest', models: ['mine/a'] })
    await settings.setRoute(by, 'chat', { strategy: 'fallback', models: [] })
    await settings.override(by, 'mine/a', { input: 1 })
    await settings.override(by, 'mine/a', { quality: 40 })
    await settings.restore(by, 'mine/a')
    await settings.refreshed(by, { hash: 'abc', source: 'x', date: '2030-01-01' }, { added: 2 })
    await settings.removeProvider(by, 'mine')
    expect(world.ledger).toEqual([
      { type: 'provider.added', actor: 'laptop', data: { name: 'mine', ...provider } },
      {
        type: 'provider.changed',
        actor: 'laptop',
        data: { name: 'mine', before: provider, after: { ...provider, priority: 5 }, keyChanged: true },
      },
      {
        type: 'route.changed',
        actor: 'laptop',
        data: { purpose: 'chat', before: null, after: { strategy: 'cheapest', models: ['mine/a'] } },
      },
      {
        type: 'route.changed',
        actor: 'laptop',
        data: {
          purpose: 'chat',
          before: { strategy: 'cheapest', models: ['mine/a'] },
          after: { strategy: 'fallback', models: [] },
        },
      },
      {
        type: 'model.overridden',
        actor: 'laptop',
        data: { model: 'mine/a', before: {}, after: { input: 1 } },
      },
      {
        type: 'model.overridden',
        actor: 'laptop',
        data: { model: 'mine/a', before: { input: 1 }, after: { input: 1, quality: 40 } },
      },
      {
        type: 'model.restored',
        actor: 'laptop',
        data: { model: 'mine/a', before: { input: 1, quality: 40 } },
      },
      {
        type: 'catalogue.refreshed',
        actor: 'laptop',
        data: { hash: 'abc', source: 'x', date: '2030-01-01', added: 2 },
      },
      {
        type: 'provider.removed',
        actor: 'laptop',
        data: { name: 'mine', kind: 'anthropic', url: provider.url, restored: [] },
      },
    ])
  })

  test('that cannot be made leaves no entry', async () => {
    await settings.addProvider(by, 'mine', provider)
    const refused: [Promise<unknown>, string][] = [
      [settings.addProvider(by, 'mine', provider), 'conflict'],
      [settings.addProvider(by, 'configured', provider), 'conflict'],
      [settings.changeProvider(by, 'other', { priority: 1 }, false), 'not_found'],
      [settings.removeProvider(by, 'other'), 'not_found'],
      [settings.setRoute(by, 'chat', { strategy: 'fallback', models: ['other/a'] }), 'not_found'],
      [settings.override(by, 'other/a', { input: 1 }), 'not_found'],
      [settings.restore(by, 'mine/a'), 'not_found'],
    ]
    for (const [work, code] of refused) await expect(work).rejects.toMatchObject({ code })
    expect(world.ledger).toHaveLength(1)
  })

  test('does not take a provider away from a route that names it, but takes its overrides along', async () => {
    await settings.addProvider(by, 'mine', provider)
    await settings.override(by, 'mine/a', { input: 1 })
    await settings.setRoute(by, 'summaries', { strategy: 'fallback', models: ['mine/a'] })
    await expect(settings.removeProvider(by, 'mine')).rejects.toMatchObject({
      code: 'conflict',
      message: 'Models of mine are still chosen for summaries.',
    })
    await settings.setRoute(by, 'summaries', { strategy: 'fallback', models: [] })
    await settings.removeProvider(by, 'mine')
    expect(await settings.read()).toMatchObject({ providers: [], overrides: new Map() })
  })
})

describe('reading', () => {
  test('costs one look while nothing changed, and sees every change', async () => {
    await settings.addProvider(by, 'mine', provider)
    const first = await settings.read()
    const { reads } = world.counted
    expect(await settings.read()).toBe(first)
    expect(world.counted.reads).toBe(reads)
    await open().addProvider(by, 'other', { ...provider, priority: 1 })
    expect((await settings.read()).providers.map(({ name }) => name)).toEqual(['other', 'mine'])
  })

  test('costs nothing where the state was just seen, and sees a change by the next state', async () => {
    await settings.addProvider(by, 'mine', provider)
    const first = await settings.read('one')
    const { reads, stamps } = world.counted
    expect(await settings.read('one')).toBe(first)
    expect(world.counted).toEqual({ reads, stamps })
    await open().addProvider(by, 'other', { ...provider, priority: 1 })
    expect((await settings.read('two')).providers.map(({ name }) => name)).toEqual(['other', 'mine'])
  })

  test('leaves a damaged record out and says so', async () => {
    await world.memory.insert('providers', 'mine', { kind: 'nobody' }, null)
    expect((await settings.read()).providers).toEqual([])
    expect(problems).toHaveLength(1)
  })
})

describe('the provider of the configuration', () => {
  test('is there with its model for chat until the operator chooses one', async () => {
    settings = open(configured)
    expect(await settings.read()).toMatchObject({
      providers: [{ name: 'openai-compatible', source: 'configuration', url: 'http://127.0.0.1:9/v1' }],
      routes: new Map([['chat', { strategy: 'fallback', models: ['openai-compatible/scripted'] }]]),
    })
    await settings.setRoute(by, 'chat', { strategy: 'cheapest', models: [] })
    expect((await settings.read()).routes.get('chat')).toEqual({ strategy: 'cheapest', models: [] })
  })

  test('is not changed, removed or doubled by a command', async () => {
    settings = open(configured)
    for (const work of [
      settings.changeProvider(by, 'openai-compatible', { priority: 1 }, false),
      settings.removeProvider(by, 'openai-compatible'),
      settings.addProvider(by, 'openai-compatible', provider),
    ])
      await expect(work).rejects.toMatchObject({ code: 'conflict' })
    expect(world.ledger).toEqual([])
  })

  test('takes another name where the operator had a provider of that name, so that neither gets the other’s calls', async () => {
    await settings.addProvider(by, 'openai-compatible', { ...provider, kind: 'openai-compatible' })
    settings = open(configured)
    const { providers, routes } = await settings.read()
    expect(providers.map(({ name, source }) => [name, source])).toEqual([
      ['configured', 'configuration'],
      ['openai-compatible', 'operator'],
    ])
    expect(routes.get('chat')?.models).toEqual(['configured/scripted'])
  })

  test('has a key that is in no record and no entry', async () => {
    settings = open(configured)
    await settings.addProvider(by, 'mine', provider)
    expect(JSON.stringify([await settings.read(), world.ledger])).not.toContain(configured.key)
  })
})

describe('the records of the voice', () => {
  test('are none of the collections that tools or the HTTP resources of records work on', () => {
    const served = recordResources.map(({ collection }) => collection.name)
    for (const name of modelSettingsCollections) {
      expect(served).not.toContain(name)
      expect(name.startsWith('table:')).toBe(false)
    }
  })

  test('are out of reach for a table of the same name, whose rows lie under a prefix of their own', async () => {
    await settings.addProvider(by, 'mine', provider)
    const kept = await world.memory.list('providers', { limit: 10 })
    const touched = new Set<string>()
    const runner = createRecordToolRunner({
      records: watched(world.memory, (collection) => touched.add(collection)),
    })
    const table = 'providers'
    await runner.use(toolNamed('create_custom_table'), { table, columns: [{ name: 'url' }] })
    await runner.use(toolNamed('add_custom_record'), { table, data: { url: 'https://evil.example/v1' } })
    expect((await runner.use(toolNamed('list_custom_records'), { table })).result.text).not.toContain(
      'anthropic',
    )
    for (const [tool, args] of [
      ['get_custom_record', {}],
      ['update_custom_record', { data: { url: 'https://evil.example/v1' } }],
      ['delete_custom_record', {}],
    ] as const)
      await expect(runner.use(toolNamed(tool), { table, id: 'mine', ...args })).rejects.toThrow()
    expect([...touched].toSorted()).toEqual(['custom_tables', 'table:providers'])
    expect(await world.memory.list('providers', { limit: 10 })).toEqual(kept)
    for (const other of modelSettingsCollections.filter((name) => name !== table))
      await expect(
        runner.use(toolNamed('create_custom_table'), { table: other, columns: [{ name: 'url' }] }),
      ).rejects.toThrow()
  })

  test('can be named only by the hidden tool that takes changes back, which no model and no program may call', () => {
    const free = builtinTools
      .map(toFacts)
      // A collection of vectors is named without the prefix that keeps it apart, one of a server by its address there.
      .filter(({ group, category }) => group !== 'vectorSearch' && category !== 'sync')
      .filter(({ schema }) => JSON.stringify(schema).includes('"collection"'))
    expect(free.map(({ name, hidden }) => [name, hidden])).toEqual([
      ['restore_records', true],
      ['restore_goals', true],
    ])
  })
})

function toolNamed(name: string): ToolDefinition {
  const found = builtinTools.find((tool) => tool.name === name)
  if (!found) throw new Error(`There is no tool ${name}.`)
  return found
}

function watched(records: Records, saw: (collection: string) => void): Records {
  return new Proxy(records, {
    get(target, method: keyof Records) {
      return (collection: string, ...rest: unknown[]) => {
        saw(collection)
        return (target[method] as (...args: unknown[]) => unknown)(collection, ...rest)
      }
    },
  })
}
