import type { ModelChunk, ModelRequest, Shortage } from '@countersign/agent'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ModelServer, type Script, startModelServer } from '../../../../tests/model-servers/src/index.ts'
import type { ConfiguredModel } from './model-choices.ts'
import { createModelSettings, type ModelSettingsParts } from './model-settings.ts'
import {
  by,
  createCountingMeter,
  openTestRecords,
  operator,
  type TestRecords,
} from './testing/test-records.ts'

const key = 'sk-0123456789abcdef'
const defaults = { keyFromEnvironment: false, timeoutMs: 5_000, priority: 100 }
const hello: ModelRequest = {
  purpose: 'chat',
  system: 'Be short.',
  messages: [{ role: 'user', text: 'Hello' }],
  tools: [],
  maxOutputTokens: 100,
}
const worker: Script = (turn) =>
  turn.tools.length > 0
    ? { calls: [{ name: 'report_status', args: { status: 'ok' } }], usage: { input: 30, output: 5 } }
    : { text: 'I am ready.', usage: { input: 20, output: 4 } }

let world: TestRecords
let server: ModelServer
let script: Script
let meter: ReturnType<typeof createCountingMeter>
let problems: unknown[]

beforeEach(async () => {
  world = await openTestRecords()
  script = worker
  server = await startModelServer({ script: (turn) => script(turn) })
  meter = createCountingMeter()
  problems = []
})
afterEach(async () => {
  await server.close()
  world.close()
})

function open(parts: Partial<ModelSettingsParts> = {}) {
  return createModelSettings({
    records: world.records(),
    operator,
    vault: world.vault,
    secrets: world.secrets,
    configured: null,
    environmentKeys: new Map(),
    meterFor: () => meter.meter,
    mask: world.redactor.json,
    folder: world.folder,
    clock: () => new Date('2026-11-15T12:00:00.000Z'),
    onProblem: (problem) => problems.push(problem),
    ...parts,
  })
}

const configured = (): ConfiguredModel => ({
  provider: 'openai-compatible',
  model: 'scripted',
  url: `${server.url}/v1`,
  key: 'a-key-of-the-file',
})

async function box(modelSettings: ReturnType<typeof open>, given: { key?: string } = {}) {
  const added = {
    name: 'box',
    kind: 'openai-compatible',
    url: `${server.url}/v1`,
    ...defaults,
    ...given,
  } as const
  return modelSettings.providers.add(by, added)
}

async function said(
  modelSettings: ReturnType<typeof open>,
  request = hello,
): Promise<ModelChunk | undefined> {
  let last: ModelChunk | undefined
  for await (const chunk of modelSettings.model.stream(request, new AbortController().signal, meter.meter))
    last = chunk
  return last
}

describe('a call', () => {
  test('goes to the model of the configuration when nothing else was chosen', async () => {
    const modelSettings = open({ configured: configured() })
    expect(await said(modelSettings)).toMatchObject({ type: 'end', reply: { text: 'I am ready.' } })
    expect(server.requests[0]?.headers['authorization']).toBe('Bearer a-key-of-the-file')
    expect(meter.planned).toMatchObject([
      { provider: 'openai-compatible', model: 'scripted', purpose: 'chat' },
    ])
    expect(meter.spent).toMatchObject([{ outcome: 'delivered', costNanos: 0 }])
    expect((await modelSettings.providers.list())[0]).toMatchObject({
      source: 'configuration',
      key: 'environment',
      health: { calls: 1, failures: 0 },
    })
  })

  test('goes to what a server of one’s own has, when no model is named', async () => {
    const modelSettings = open()
    await box(modelSettings)
    expect(await said(modelSettings)).toMatchObject({ type: 'end' })
    expect(server.requests[0]?.body['model']).toBe('scripted')
    expect(server.requests[0]?.headers['authorization']).toBeUndefined()
  })

  test('carries the key of the vault, which then counts as used', async () => {
    const modelSettings = open()
    await box(modelSettings, { key })
    await said(modelSettings)
    expect(server.requests[0]?.headers['authorization']).toBe(`Bearer ${key}`)
    await expect.poll(async () => (await world.vault.list())[0]?.lastUsedAt).not.toBeNull()
    expect(
      JSON.stringify([modelSettings.models.traces({}), world.ledger, await modelSettings.providers.list()]),
    ).not.toContain(key)
  })

  test('follows a change of the route at once', async () => {
    const modelSettings = open({ configured: configured() })
    await modelSettings.models.setRoute(by, 'chat', { models: ['openai-compatible/other'] })
    await said(modelSettings)
    expect(server.requests[0]?.body['model']).toBe('other')
  })

  test('is refused in words when there is no provider, and when there is none switched on', async () => {
    const modelSettings = open()
    expect(await said(modelSettings)).toMatchObject({ type: 'failed', failure: { kind: 'key' } })
    await box(modelSettings)
    await modelSettings.providers.set(by, 'box', { enabled: false })
    expect(await said(modelSettings)).toMatchObject({ type: 'failed', failure: { kind: 'key' } })
    expect(server.requests).toHaveLength(0)
  })

  test('is seen in the traces with every secret masked', async () => {
    const modelSettings = open()
    await box(modelSettings, { key })
    await said(modelSettings, { ...hello, messages: [{ role: 'user', text: `my key is ${key}` }] })
    const [trace] = modelSettings.models.traces({ limit: 1 })
    expect(trace).toMatchObject({ provider: 'box', model: 'scripted', outcome: 'delivered' })
    expect(trace?.request).toContain('‹secret:provider.box›')
  })
})

describe('adding a provider', () => {
  test('tests nothing, and shows where its key is', async () => {
    const modelSettings = open()
    expect(await box(modelSettings, { key })).toMatchObject({
      provider: { name: 'box', key: 'vault', enabled: true, source: 'operator', health: { calls: 0 } },
    })
    expect(server.requests).toHaveLength(0)
    expect(world.ledger.map(({ type }) => type)).toEqual(['provider.added', 'secret.stored'])
    expect((await world.vault.list())[0]).toMatchObject({
      name: 'provider.box',
      destinations: [{ scheme: 'http', host: '127.0.0.1', port: Number(new URL(server.url).port) }],
      tools: ['model_call'],
    })
  })

  test('takes the key of the environment into the vault when asked to, and not otherwise', async () => {
    const environmentKeys = new Map([['anthropic', { variable: 'ANTHROPIC_API_KEY', value: key }]] as const)
    const modelSettings = open({ environmentKeys })
    const added = { name: 'mine', kind: 'anthropic', ...defaults } as const
    await expect(modelSettings.providers.add(by, added)).rejects.toMatchObject({
      code: 'usage',
      next: expect.stringContaining('ANTHROPIC_API_KEY'),
    })
    expect(await world.vault.list()).toEqual([])
    expect(await modelSettings.providers.add(by, { ...added, keyFromEnvironment: true })).toMatchObject({
      provider: { key: 'vault', url: 'https://api.anthropic.com/v1' },
    })
    expect(await world.vault.all()).toEqual([{ name: 'provider.mine', value: key }])
  })

  test('gives the key of the environment to the kind’s own place only, whatever the path there', async () => {
    const environmentKeys = new Map([['openai', { variable: 'OPENAI_API_KEY', value: key }]] as const)
    const modelSettings = open({ environmentKeys })
    const added = { name: 'mine', kind: 'openai', ...defaults, keyFromEnvironment: true } as const
    for (const url of [
      'https://api.openai.com.example.org/v1',
      'https://api.openai.com:8443/v1',
      'http://127.0.0.1:4000/v1',
    ])
      await expect(modelSettings.providers.add(by, { ...added, url })).rejects.toMatchObject({
        code: 'usage',
        message: expect.stringContaining('another address'),
        next: expect.stringContaining('Give the key for that address'),
      })
    await expect(
      modelSettings.providers.add(by, {
        ...added,
        url: 'https://proxy.example.org/v1',
        keyFromEnvironment: false,
      }),
    ).rejects.toMatchObject({ next: expect.not.stringContaining('OPENAI_API_KEY') })
    expect([world.ledger, await world.vault.list()]).toEqual([[], []])
    expect(
      await modelSettings.providers.add(by, { ...added, url: 'https://api.openai.com/v2' }),
    ).toMatchObject({
      provider: { key: 'vault' },
    })
  })

  test.each([
    ['a hosted provider without a key', { kind: 'anthropic' }, 'needs a key'],
    ['a server without an address', { kind: 'openai-compatible' }, 'no fixed address'],
    ['a key that is too short', { kind: 'anthropic', key: 'abc' }, '3 characters'],
    ['a far server over plain http', { kind: 'openai', url: 'http://api.example.org/v1', key }, 'plain http'],
    ['a key of the environment that is not there', { kind: 'groq', keyFromEnvironment: true }, 'has no key'],
    ['two keys', { kind: 'groq', key, keyFromEnvironment: true }, 'Both a key'],
  ] as const)('is refused for %s, and leaves nothing', async (_what, given, words) => {
    const modelSettings = open()
    await expect(
      modelSettings.providers.add(by, { name: 'mine', ...defaults, ...given }),
    ).rejects.toMatchObject({
      code: 'usage',
      message: expect.stringContaining(words),
    })
    expect(world.ledger).toEqual([])
    expect(await world.vault.list()).toEqual([])
    expect(await modelSettings.providers.list()).toEqual([])
  })

  test('is refused for a name that is taken, and leaves the key of the other', async () => {
    const modelSettings = open({ configured: configured() })
    await box(modelSettings, { key })
    await expect(box(modelSettings, { key: 'sk-another-key-0123' })).rejects.toMatchObject({
      code: 'conflict',
    })
    await expect(
      modelSettings.providers.add(by, { name: 'openai-compatible', kind: 'anthropic', key, ...defaults }),
    ).rejects.toMatchObject({ code: 'conflict' })
    expect(await world.vault.all()).toEqual([{ name: 'provider.box', value: key }])
  })

  test('leaves no key when the record could not be written, and no record when the key could not be kept', async () => {
    const broken = { ...world.records(), change: () => Promise.reject(new Error('The database is away.')) }
    await expect(box(open({ records: broken }), { key })).rejects.toThrow('away')
    expect(await world.vault.list()).toEqual([])
    const secrets = { ...world.secrets, store: () => Promise.reject(new Error('The disk is full.')) }
    const modelSettings = open({ secrets })
    await expect(box(modelSettings, { key })).rejects.toThrow('full')
    expect(await modelSettings.providers.list()).toEqual([])
    expect(world.ledger.map(({ type }) => type)).toEqual(['provider.added', 'provider.removed'])
  })

  test('gives each of two that come at once one outcome: one is there with its key, the other is refused', async () => {
    const modelSettings = open()
    const both = await Promise.allSettled([
      box(modelSettings, { key }),
      box(modelSettings, { key: 'sk-another-key-0123' }),
    ])
    expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    expect((await modelSettings.providers.list()).map((provider) => provider.key)).toEqual(['vault'])
  })
})

describe('changing a provider', () => {
  test('keeps the key for another path, and wants it again for another place', async () => {
    const modelSettings = open()
    await box(modelSettings, { key })
    const port = new URL(server.url).port
    await modelSettings.providers.set(by, 'box', { url: `http://127.0.0.1:${port}/v2` })
    expect((await modelSettings.providers.list())[0]?.key).toBe('vault')
    for (const url of [`http://localhost:${port}/v1`, 'http://127.0.0.1:9/v1', 'https://evil.example/v1'])
      await expect(modelSettings.providers.set(by, 'box', { url })).rejects.toMatchObject({
        code: 'usage',
        next: expect.stringContaining('--key'),
      })
    expect((await modelSettings.providers.list())[0]?.url).toBe(`http://127.0.0.1:${port}/v2`)
    const moved = await modelSettings.providers.set(by, 'box', { url: `http://localhost:${port}/v1`, key })
    expect(moved).toMatchObject({ provider: { url: `http://localhost:${port}/v1`, key: 'vault' } })
    expect((await world.vault.list())[0]?.destinations).toMatchObject([{ host: 'localhost' }])
  })

  test('moves one without a key freely, but not to plain http far away', async () => {
    const modelSettings = open()
    await box(modelSettings)
    await modelSettings.providers.set(by, 'box', { url: 'http://192.168.1.20:8000/v1' })
    await expect(
      modelSettings.providers.set(by, 'box', { url: 'http://203.0.113.1/v1' }),
    ).rejects.toMatchObject({
      code: 'usage',
    })
  })

  test('writes the record before the key, and puts it back when the key could not be kept', async () => {
    await box(open(), { key })
    const before = (await open().providers.list())[0]
    const seen: (string | undefined)[] = []
    const secrets = {
      ...world.secrets,
      store: async () => {
        seen.push((await open().providers.list())[0]?.url, (await open().providers.list())[0]?.key)
        throw new Error('The disk is full.')
      },
    }
    const url = 'https://models.example.org/v1'
    await expect(
      open({ secrets }).providers.set(by, 'box', { url, priority: 1, key: 'sk-another-key-0123' }),
    ).rejects.toThrow('full')
    // As it would be after a crash: the new place, and no key for it.
    expect(seen).toEqual([url, 'none'])
    expect((await open().providers.list())[0]).toEqual(before)
    expect(await world.vault.all()).toEqual([{ name: 'provider.box', value: key }])
  })

  test('takes the key away before the record, so that no key is ever left alone', async () => {
    await box(open(), { key })
    const broken = { ...world.records(), change: () => Promise.reject(new Error('The database is away.')) }
    await expect(open({ records: broken }).providers.remove(by, 'box')).rejects.toThrow('away')
    expect(await world.vault.list()).toEqual([])
    expect(await open().providers.list()).toMatchObject([{ name: 'box', key: 'none' }])
    await open().providers.remove(by, 'box')
    expect(await open().providers.list()).toEqual([])
  })

  test('does not change the configuration’s, nor nothing', async () => {
    const modelSettings = open({ configured: configured() })
    await expect(modelSettings.providers.set(by, 'openai-compatible', { priority: 1 })).rejects.toMatchObject(
      {
        code: 'conflict',
        next: expect.stringContaining('config.json'),
      },
    )
    await expect(modelSettings.providers.remove(by, 'openai-compatible')).rejects.toMatchObject({
      code: 'conflict',
    })
    await box(modelSettings)
    await expect(modelSettings.providers.set(by, 'box', {})).rejects.toMatchObject({ code: 'usage' })
  })

  test('removes it with its key, once no route names it', async () => {
    const modelSettings = open()
    await box(modelSettings, { key })
    await modelSettings.models.setRoute(by, 'chat', { models: ['box/scripted'] })
    await expect(modelSettings.providers.remove(by, 'box')).rejects.toMatchObject({ code: 'conflict' })
    expect(await world.vault.list()).toHaveLength(1)
    await modelSettings.models.setRoute(by, 'chat', {})
    await modelSettings.providers.remove(by, 'box')
    expect(await world.vault.list()).toEqual([])
    expect(await modelSettings.providers.list()).toEqual([])
  })
})

describe('testing a provider', () => {
  test('makes two small calls that are in the books, and tells what came of them', async () => {
    const modelSettings = open()
    await box(modelSettings)
    await modelSettings.models.override(by, 'box/scripted', { input: 1, output: 2 })
    const tested = await modelSettings.providers.test(by, 'box')
    expect(tested).toMatchObject({
      ok: true,
      model: 'box/scripted',
      text: 'I am ready.',
      tokens: { input: 50, output: 9 },
      usd: (50 * 1 + 9 * 2) / 1_000_000,
      tools: true,
      problem: null,
    })
    expect(tested.firstTokenMs).not.toBeNull()
    expect(meter.planned).toHaveLength(2)
    expect(meter.spent.map(({ outcome }) => outcome)).toEqual(['delivered', 'delivered'])
    expect(modelSettings.models.traces({})).toHaveLength(2)
    expect((await modelSettings.providers.list())[0]?.health.calls).toBe(2)
  })

  test('offers no tool to a model that has none, and says so when one is not used', async () => {
    const modelSettings = open()
    await box(modelSettings)
    script = () => ({ text: 'I have no hands.' })
    expect(await modelSettings.providers.test(by, 'box', { model: 'scripted' })).toMatchObject({
      ok: true,
      tools: false,
    })
    await modelSettings.models.override(by, 'box/plain', { capabilities: [] })
    expect(await modelSettings.providers.test(by, 'box', { model: 'box/plain' })).toMatchObject({
      ok: true,
      tools: null,
    })
    expect(meter.planned.map(({ model }) => model)).toEqual(['scripted', 'scripted', 'plain'])
  })

  test.each([
    [401, 'countersign provider set box --key'],
    [500, 'Try again'],
    [429, 'Wait a minute'],
    [404, 'countersign model list'],
  ])('tells what to do after status %i, and asks once', async (status, next) => {
    const modelSettings = open()
    await box(modelSettings)
    script = () => ({ status })
    const tested = await modelSettings.providers.test(by, 'box')
    expect(tested).toMatchObject({ ok: false, tools: null, usd: 0, next: expect.stringContaining(next) })
    expect(tested.problem).toContain(String(status))
    expect(server.requests).toHaveLength(1)
  })

  test('asks whether the server runs when nothing answers', async () => {
    const modelSettings = open()
    await box(modelSettings)
    await server.close()
    expect(await modelSettings.providers.test(by, 'box')).toMatchObject({
      ok: false,
      problem: expect.stringContaining('No model of box is known. '),
      next: expect.stringContaining('running'),
    })
    expect(await modelSettings.providers.test(by, 'box', { model: 'scripted' })).toMatchObject({
      ok: false,
      next: expect.stringContaining('running'),
    })
  })

  test('is held to the budget like any call', async () => {
    const shortage: Shortage = {
      budget: 'global:month',
      subject: '',
      period: '2026-11',
      limitNanos: 0,
      takenNanos: 0,
      neededNanos: 1,
      message: 'Nothing is left this month.',
    }
    meter = createCountingMeter(shortage)
    const modelSettings = open()
    await box(modelSettings)
    expect(await modelSettings.providers.test(by, 'box')).toMatchObject({
      ok: false,
      problem: 'Nothing is left this month.',
    })
    expect(server.requests).toHaveLength(0)
  })

  test('calls one that is switched off or left alone, since somebody asks about exactly this one', async () => {
    const modelSettings = open()
    await box(modelSettings)
    await modelSettings.models.setRoute(by, 'chat', { models: ['box/scripted'] })
    script = () => ({ status: 500 })
    for (let count = 0; count < 4; count++) await said(modelSettings)
    expect((await modelSettings.providers.list())[0]?.health.breaker).toBe('open')
    const before = server.requests.length
    script = worker
    expect(await modelSettings.providers.test(by, 'box')).toMatchObject({ ok: true })
    expect(server.requests.length).toBe(before + 2)
    await modelSettings.providers.set(by, 'box', { enabled: false })
    expect(await modelSettings.providers.test(by, 'box')).toMatchObject({ ok: true })
  })

  test('names what is not there', async () => {
    await expect(open().providers.test(by, 'nobody')).rejects.toMatchObject({ code: 'not_found' })
  })
})
