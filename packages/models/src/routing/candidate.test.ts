import type { ModelRequest } from '@countersign/agent'
import type { Capability } from '@countersign/contract'
import { expect, test } from 'vitest'
import { type CandidateCatalogue, chooseCandidates } from './candidate.ts'
import { needsOf } from './needs.ts'
import type { RouterSettings } from './settings.ts'
import { factsOf, providerOf, requestOf } from './testing/scripted-router.ts'

const tool = { name: 'look', description: 'Looks.', schema: { type: 'object' } }
const image = { mediaType: 'image/png', base64: 'AAAA' }

test('derives what a request needs', () => {
  expect(needsOf(requestOf()).capabilities).toEqual([])
  expect(needsOf(requestOf({ tools: [tool] })).capabilities).toEqual(['tools'])
  expect(needsOf(requestOf({ purpose: 'vision' })).capabilities).toEqual(['vision'])
  const seen = requestOf({ tools: [tool], messages: [{ role: 'user', text: '', images: [image] }] })
  expect(needsOf(seen).capabilities).toEqual(['tools', 'vision'])
  expect(needsOf(requestOf({ messages: [{ role: 'user', text: '', images: [] }] })).capabilities).toEqual([])
})

test('takes every four bytes of the request for a token', () => {
  const request = requestOf({
    system: 'é'.repeat(200),
    messages: [
      { role: 'user', text: 'x'.repeat(400) },
      { role: 'assistant', text: '', calls: [{ id: '1', name: 'look', args: 'y'.repeat(396) }] },
      { role: 'tool', results: [{ callId: '1', name: 'look', text: 'z'.repeat(400), isError: false }] },
    ],
  })
  expect(needsOf(request).inputTokens).toBe(400)
})

test('says what to do without any provider, and with every one switched off', () => {
  expect(choose({ settings: { providers: [], routes: {} } })).toEqual({
    kind: 'none',
    failure: {
      kind: 'key',
      message: 'No model provider is configured. Add one under Models, or with `countersign provider add`.',
    },
  })
  const providers = [{ config: providerOf('a'), enabled: false, priority: 1 }]
  expect(problem({ settings: { providers, routes: {} } })).toMatch(
    /switched off \(a\).*countersign provider add/,
  )
})

test('takes the models of the route, and those of chat where the purpose has none', () => {
  const routes = {
    chat: { strategy: 'cheapest', models: ['a/one', 'b/two'] },
    summaries: { strategy: 'smartest', models: ['b/three'] },
  } as const
  expect(refs({ routes })).toEqual(['a/one', 'b/two'])
  expect(refs({ routes, request: { purpose: 'extraction' } })).toEqual(['a/one', 'b/two'])
  expect(choose({ routes, request: { purpose: 'summaries' } })).toMatchObject({
    strategy: 'smartest',
    candidates: [{ ref: 'b/three' }],
  })
})

test('takes a model with slashes in its name, and no model twice', () => {
  const routes = { chat: { strategy: 'fallback', models: ['a/x/y:free', 'b/two', 'a/x/y:free'] } } as const
  expect(choose({ routes })).toMatchObject({
    candidates: [
      { ref: 'a/x/y:free', model: 'x/y:free', place: 0 },
      { ref: 'b/two', place: 1 },
    ],
  })
})

test('takes every model of the enabled providers where the route names none, by priority', () => {
  const settings: RouterSettings = {
    providers: [
      { config: providerOf('a'), enabled: true, priority: 9 },
      { config: providerOf('b'), enabled: true, priority: 1 },
      { config: providerOf('c'), enabled: false, priority: 0 },
      { config: providerOf('d', { apiKey: '' }), enabled: true, priority: 0 },
      { config: providerOf('e', { kind: 'ollama', apiKey: '' }), enabled: true, priority: 5 },
    ],
    routes: {},
  }
  const models = { a: ['one'], b: ['two', 'three'], c: ['off'], d: ['keyless'], e: ['local'] }
  expect(refs({ settings, models })).toEqual(['b/two', 'b/three', 'e/local', 'a/one'])
})

test('looks at a bounded number of models', () => {
  const models = { a: Array.from({ length: 2_000 }, (_, index) => `m${index}`) }
  expect(refs({ models })).toHaveLength(500)
})

test('says that the key is missing where no other provider is left', () => {
  const settings = {
    providers: [{ config: providerOf('a', { apiKey: '' }), enabled: true, priority: 1 }],
    routes: {},
  }
  expect(choose({ settings, models: { a: ['one'] } })).toMatchObject({
    failure: { kind: 'key', message: 'No API key is configured for a. Add one: countersign provider add' },
  })
})

test('takes only the model that was asked for', () => {
  const routes = { chat: { strategy: 'cheapest', models: ['b/two'] } } as const
  expect(refs({ routes, request: { model: 'a/one' } })).toEqual(['a/one'])
  expect(refs({ routes: {}, models: { b: ['two'] }, request: { model: 'a/one' } })).toEqual(['a/one'])
})

test('falls back from the model that was asked for only to a list of the operator', () => {
  const routes = { chat: { strategy: 'fallback', models: ['b/two', 'a/one'] } } as const
  expect(refs({ routes, request: { model: 'a/one' } })).toEqual(['a/one', 'b/two'])
})

test.each(['nobody/one', 'a/', 'a', ''])('refuses the reference "%s", which leads nowhere', (model) => {
  expect(problem({ request: { model } })).toMatch(/no provider of that name.*countersign provider list/)
})

test('leaves out a model that lacks something, and says which need nobody meets', () => {
  const facts = { 'a/one': can('tools'), 'b/two': can('vision') }
  const routes = { chat: { strategy: 'fallback', models: ['a/one', 'b/two'] } } as const
  expect(refs({ facts, routes, request: { tools: [tool] } })).toEqual(['a/one'])
  expect(refs({ facts, routes, request: { purpose: 'vision' } })).toEqual(['b/two'])
  expect(problem({ facts, routes, request: { purpose: 'vision', tools: [tool] } })).toBe(
    'The route of vision names a/one, b/two, but none of these has tools and vision at once. See which models do: countersign model list --needs tools,vision',
  )
  const blind = { 'a/one': can('tools'), 'b/two': can() }
  expect(problem({ facts: blind, routes, request: { purpose: 'vision' } })).toBe(
    'The route of vision names a/one, b/two, but none of these has vision. See which models do: countersign model list --needs vision',
  )
  expect(problem({ facts: blind, models: { b: ['two'] }, request: { tools: [tool] } })).toBe(
    'No model of the configured providers has tools. See which models do: countersign model list --needs tools',
  )
})

test('leaves out a model whose context is too short by one token', () => {
  const needed = needsOf(requestOf()).inputTokens
  const facts = { 'a/one': { context: needed }, 'b/two': { context: needed - 1 }, 'b/any': { context: null } }
  expect(refs({ facts, models: { a: ['one'], b: ['two', 'any'] } })).toEqual(['a/one', 'b/any'])
  expect(problem({ facts, request: { model: 'b/two' } })).toContain(
    `takes the about ${needed} tokens of this request (the longest takes ${needed - 1})`,
  )
})

test('takes only models that converse for chat, and only others for embeddings', () => {
  const facts = { 'a/one': { serves: 'embeddings' as const } }
  const models = { a: ['one'], b: ['two'] }
  expect(refs({ facts, models })).toEqual(['b/two'])
  const routes = { chat: { strategy: 'balanced', models: ['b/two'] } } as const
  expect(refs({ facts, models, routes, request: { purpose: 'embeddings' } })).toEqual(['a/one'])
})

interface Given {
  readonly settings?: RouterSettings
  readonly routes?: RouterSettings['routes']
  readonly request?: Partial<ModelRequest>
  readonly models?: Record<string, readonly string[]>
  readonly facts?: Record<string, Parameters<typeof factsOf>[1]>
}

function can(...capabilities: Capability[]) {
  return { capabilities }
}

function choose(given: Given) {
  const request = requestOf(given.request)
  const catalogue: CandidateCatalogue = {
    facts: (provider, model) => factsOf(model, given.facts?.[`${provider.name}/${model}`]),
    models: (provider) => given.models?.[provider.name] ?? [],
    prices: { cost: () => 1 },
  }
  const settings = given.settings ?? {
    providers: ['a', 'b'].map((name) => ({ config: providerOf(name), enabled: true, priority: 100 })),
    routes: given.routes ?? {},
  }
  const asked = { purpose: request.purpose, model: request.model, needs: needsOf(request) }
  return chooseCandidates(asked, settings, catalogue)
}

function refs(given: Given): readonly string[] {
  const choice = choose(given)
  return choice.kind === 'found' ? choice.candidates.map(({ ref }) => ref) : [choice.failure.message]
}

function problem(given: Given): string {
  const choice = choose(given)
  return choice.kind === 'none' ? choice.failure.message : ''
}
