import { createHash } from 'node:crypto'
import { CountersignError, errorCatalogue, idFrom } from '@countersign/contract'
import { createClient } from '@countersign/contract/client'
import { OpenAPIHono, z } from '@hono/zod-openapi'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type ModelServer, startModelServer } from '../../../../tests/model-servers/src/index.ts'
import { createModelSettings } from '../model-settings/model-settings.ts'
import {
  createCountingMeter,
  openTestRecords,
  operator,
  type TestRecords,
} from '../model-settings/testing/test-records.ts'
import { errorReply } from './failures.ts'
import { addModelRoutes } from './models.ts'
import { addProviderRoutes } from './providers.ts'
import type { Env } from './route.ts'

const key = 'sk-0123456789abcdef'
const device = idFrom('dev', '0'.repeat(32))

let world: TestRecords
let server: ModelServer
let app: OpenAPIHono<Env>
let client: ReturnType<typeof createClient>
let told: string[]

beforeEach(async () => {
  world = await openTestRecords()
  told = []
  server = await startModelServer({ script: () => ({ text: 'I am ready.' }) })
  const modelSettings = createModelSettings({
    records: world.records(),
    operator,
    vault: world.vault,
    secrets: world.secrets,
    configured: null,
    environmentKeys: new Map(),
    meterFor: () => createCountingMeter().meter,
    mask: world.redactor.json,
    folder: world.folder,
    clock: () => new Date(),
    fetch: onlyHere,
    onProblem: (problem) => {
      throw problem
    },
  })
  app = new OpenAPIHono<Env>({
    defaultHook: (result) => {
      if (!result.success) throw new CountersignError('usage', z.prettifyError(result.error))
    },
  })
  app.onError((error, context) => {
    if (!(error instanceof CountersignError)) throw error
    return context.json(errorReply(error), errorCatalogue[error.code].http)
  })
  app.use('*', async (context, next) => {
    context.set('speaker', { operator, device, actor: { kind: 'operator', id: 'laptop' }, reach: 3 })
    await next()
  })
  addProviderRoutes(app, modelSettings.providers)
  addModelRoutes(app, modelSettings.models)
  client = createClient({
    url: 'http://127.0.0.1:1',
    signer: {
      device,
      gateway: idFrom('gw', '0'.repeat(32)),
      sign: () => Promise.resolve(''),
      proves: () => Promise.resolve(true),
      hash: (text) => Promise.resolve(createHash('sha256').update(text).digest('hex')),
      nonce: () => 'nonce',
      now: () => new Date(),
    },
    fetch: async (url, { method, headers, body }) => {
      const response = await app.request(url.pathname + url.search, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      })
      told.push(await response.clone().text())
      return response
    },
  })
})
afterEach(async () => {
  expect(told.join('\n')).not.toContain(key)
  await server.close()
  world.close()
})

/** The scripted server and nothing else. */
const onlyHere: typeof globalThis.fetch = (input, init) =>
  String(input instanceof Request ? input.url : input).startsWith(server.url)
    ? fetch(input, init)
    : Promise.reject(new TypeError('fetch failed'))

const add = () => client.addProvider({ name: 'box', kind: 'openai-compatible', url: `${server.url}/v1`, key })

describe('the routes of providers', () => {
  test('add, list, change, test and remove one, and never tell its key', async () => {
    expect(await add()).toMatchObject({ provider: { name: 'box', key: 'vault', timeoutMs: 60_000 } })
    expect(await client.providers()).toMatchObject([{ name: 'box', health: { breaker: 'closed' } }])
    expect(await client.setProvider('box', { priority: 3 })).toMatchObject({ provider: { priority: 3 } })
    expect(await client.testProvider('box')).toMatchObject({ ok: true, text: 'I am ready.' })
    expect(await client.testProvider('box', 'other')).toMatchObject({ model: 'box/other' })
    expect(await client.removeProvider('box')).toMatchObject({ name: 'box' })
    expect(await client.providers()).toEqual([])
  })

  test('say what was detected, which is nothing where nothing answers', async () => {
    expect(await client.detectProviders()).toEqual([])
  })

  test('refuse what is not known or does not fit, in words', async () => {
    await expect(client.removeProvider('nobody')).rejects.toMatchObject({ code: 'not_found' })
    await expect(client.testProvider('nobody')).rejects.toMatchObject({ code: 'not_found' })
    await expect(client.setProvider('NOT-A-NAME', { priority: 1 })).rejects.toMatchObject({ code: 'usage' })
    await expect(
      client.addProvider({ name: 'far', kind: 'openai', url: 'http://api.example.org/v1', key }),
    ).rejects.toMatchObject({ code: 'usage', next: 'Use its https address.' })
    await add()
    await expect(add()).rejects.toMatchObject({ code: 'conflict' })
    await expect(client.setProvider('box', { url: 'https://evil.example/v1' })).rejects.toMatchObject({
      code: 'usage',
    })
  })
})

describe('the routes of models', () => {
  test('list and find models, and take and give back the operator’s figures', async () => {
    await add()
    expect(
      await client.models({ provider: 'box', words: 'script', needs: 'tools', all: 'true' }),
    ).toMatchObject([{ ref: 'box/scripted', capabilities: ['tools'] }])
    expect(await client.models({ provider: 'box', needs: 'tools,vision' })).toEqual([])
    expect(await client.model('box/scripted')).toMatchObject({ overridden: false })
    expect(await client.overrideModel('box/scripted', { input: 2, output: 4 })).toMatchObject({
      model: { price: { input: 2, output: 4 }, overridden: true },
    })
    expect(await client.restoreModel('box/scripted')).toMatchObject({ model: { overridden: false } })
    await expect(client.models({ needs: 'wings' })).rejects.toMatchObject({ code: 'usage' })
    await expect(client.model('no-slash')).rejects.toMatchObject({ code: 'usage' })
    await expect(client.model('nobody/a')).rejects.toMatchObject({ code: 'not_found' })
  })

  test('take models with slashes of their own', async () => {
    await add()
    expect(await client.model('box/vendor/big:free')).toMatchObject({ model: 'vendor/big:free' })
  })

  test('show and set what is taken for what', async () => {
    await add()
    expect((await client.routes()).map(({ purpose }) => purpose)).toContain('chat')
    expect(await client.setRoute('chat', { strategy: 'fallback', models: ['box/scripted'] })).toMatchObject({
      route: { purpose: 'chat', next: 'box/scripted', problem: null, own: true },
    })
    await expect(client.setRoute('dreaming', { models: [] })).rejects.toMatchObject({ code: 'usage' })
    await expect(client.setRoute('chat', { models: ['nobody/a'] })).rejects.toMatchObject({
      code: 'not_found',
    })
  })

  test('tell of the catalogue, and of a refresh that found nobody', async () => {
    expect(await client.catalogue()).toMatchObject({ refreshed: false })
    await expect(client.refreshCatalogue()).rejects.toMatchObject({ code: 'model_unavailable' })
  })

  test('tell the last calls', async () => {
    await add()
    await client.testProvider('box')
    expect(await client.modelTraces({ limit: '1' })).toMatchObject([
      { provider: 'box', outcome: 'delivered' },
    ])
    expect(await client.modelTraces({ run: 'run_1' })).toEqual([])
    await expect(client.modelTraces({ limit: 'many' })).rejects.toMatchObject({ code: 'usage' })
  })
})

test('the routes of providers and models are in the API document', () => {
  const document = app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'x', version: '1' } })
  expect(Object.keys(document.paths ?? {})).toEqual([
    '/v1/providers',
    '/v1/detected-providers',
    '/v1/providers/{name}',
    '/v1/providers/{name}/test',
    '/v1/models',
    '/v1/model',
    '/v1/model-estimate',
    '/v1/routes',
    '/v1/routes/{purpose}',
    '/v1/model-catalogue',
    '/v1/model-catalogue/refresh',
    '/v1/model-traces',
  ])
})
