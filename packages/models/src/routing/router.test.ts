import { type ModelChunk, type ModelRequest, usualTemperature } from '@countersign/agent'
import { expect, test } from 'vitest'
import type { CallObserver } from '../observe/observer.ts'
import {
  deliver,
  fail,
  never,
  noUsage,
  openTestMeter,
  openTestRouter,
  providerOf,
  readAll,
  requestOf,
  sayStep,
  shortage,
  type TestRouterOptions,
} from './testing/scripted-router.ts'

test('streams a reply, and ends it after the books are settled', async () => {
  const { router, called } = openTestRouter()
  const order: string[] = []
  const books = openTestMeter({
    settling: async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      order.push('settled')
    },
  })
  for await (const chunk of router.stream(requestOf(), never(), books)) order.push(chunk.type)
  expect(order).toEqual(['text', 'settled', 'end'])
  expect(called).toEqual(['a/one'])
  expect(books.reserved.get('call_1')).toEqual({
    provider: 'a',
    model: 'one',
    purpose: 'chat',
    worstNanos: 1_000_000_000,
  })
})

test('measures the time to the first token and to the end', async () => {
  const { books } = await read({
    scripts: { 'a/one': [{ do: 'take', ms: 300 }, sayStep('hi'), { do: 'take', ms: 700 }, deliver] },
  })
  expect(books.settled).toEqual([
    {
      id: 'call_1',
      spent: {
        outcome: 'delivered',
        usage: { input: 100, output: 20, cached: 0, reasoning: 0 },
        estimated: false,
        costNanos: 180_000,
        firstTokenMs: 300,
        totalMs: 1_000,
      },
    },
  ])
})

test.each(['timeout', 'rate_limited', 'unavailable', 'network', 'truncated', 'unknown'] as const)(
  'goes on to the next model after %s, and says so',
  async (kind) => {
    const { chunks, called, books } = await read({ scripts: { 'a/one': [sayStep('ha'), fail(kind)] } })
    expect(types(chunks)).toEqual(['text', 'again', 'text', 'end'])
    expect(chunks[1]).toMatchObject({ failure: { kind }, next: 'b/two' })
    expect(called).toEqual(['a/one', 'b/two'])
    expect(books.settled.map(({ spent }) => spent.outcome)).toEqual([kind, 'delivered'])
  },
)

test.each(['key', 'invalid', 'cancelled', 'budget'] as const)('asks nobody else after %s', async (kind) => {
  const { chunks, called, books } = await read({ scripts: { 'a/one': [fail(kind)] } })
  expect(chunks).toMatchObject([{ type: 'failed', failure: { kind, message: `It was ${kind}.` } }])
  expect(called).toEqual(['a/one'])
  expect(books.settled).toHaveLength(1)
})

test('asks every model once, and then acts on the most hopeful failure', async () => {
  const { chunks, called } = await read({
    scripts: {
      'a/one': [fail('rate_limited', { retryAfterMs: 60_000 })],
      'b/two': [fail('rate_limited', { retryAfterMs: 3_000 })],
      'c/three': [fail('unknown')],
    },
  })
  expect(types(chunks)).toEqual(['again', 'again', 'failed'])
  expect(chunks[2]).toMatchObject({ failure: { kind: 'rate_limited', retryAfterMs: 3_000 } })
  expect(messageOf(chunks)).toContain('a/one (rate limited), b/two (rate limited), c/three (unknown)')
  expect(called).toEqual(['a/one', 'b/two', 'c/three'])
})

test('fits the conversation to each model, and asks those first that hold all of it', async () => {
  const asked: string[] = []
  const messages: ModelRequest['messages'] = [
    { role: 'user', text: 'old '.repeat(4_000) },
    { role: 'assistant', text: 'said', calls: [] },
    { role: 'user', text: 'now' },
  ]
  const { chunks } = await read(
    {
      facts: { 'a/one': { context: 1_000 }, 'b/two': { context: 100_000 }, 'c/three': { context: 2_000 } },
      options: {
        open: ({ name, model }) => ({
          async *stream(request) {
            asked.push(`${name}/${model} ${request.messages.length}`)
            yield name === 'c'
              ? { type: 'end', reply: { text: 'hi', calls: [], finish: 'stop', usage: noUsage, model } }
              : { type: 'failed', failure: { kind: 'unavailable', message: 'Down.' } }
          },
        }),
      },
    },
    { messages, maxOutputTokens: 100 },
  )
  expect(asked).toEqual(['b/two 3', 'a/one 1', 'c/three 1'])
  expect(types(chunks)).toEqual(['again', 'again', 'end'])
})

test('does not try a single candidate twice', async () => {
  const { chunks, called } = await read({
    route: { strategy: 'fallback', models: ['a/one'] },
    scripts: { 'a/one': [fail('timeout')] },
  })
  expect(chunks).toEqual([
    {
      type: 'failed',
      failure: { kind: 'timeout', message: 'It was timeout.', provider: 'a', model: 'a/one' },
    },
  ])
  expect(called).toEqual(['a/one'])
})

test('asks only the model that the request names', async () => {
  const testRouter = openTestRouter({
    route: { strategy: 'cheapest', models: ['b/two'] },
    scripts: { 'a/one': [fail('timeout')] },
  })
  const chunks = await readAll(
    testRouter.router.stream(requestOf({ model: 'a/one' }), never(), openTestMeter()),
  )
  expect(types(chunks)).toEqual(['failed'])
  expect(testRouter.called).toEqual(['a/one'])
})

test('falls back from the named model to the list of the operator', async () => {
  const testRouter = openTestRouter({ scripts: { 'c/other': [fail('timeout')] } })
  const chunks = await readAll(
    testRouter.router.stream(requestOf({ model: 'c/other' }), never(), openTestMeter()),
  )
  expect(types(chunks)).toEqual(['again', 'text', 'end'])
  expect(testRouter.called).toEqual(['c/other', 'a/one'])
})

test('calls nobody where no model can do it', async () => {
  const { chunks, called, books } = await read({}, { purpose: 'vision' })
  expect(chunks).toMatchObject([{ type: 'failed', failure: { kind: 'invalid' } }])
  expect(messageOf(chunks)).toContain('countersign model list --needs vision')
  expect([called, [...books.reserved]]).toEqual([[], []])
})

test('ends with the budget when money is refused, and calls nobody else', async () => {
  const testRouter = openTestRouter({ scripts: { 'a/one': [fail('timeout')] } })
  const books = openTestMeter({ refuse: 2 })
  const chunks = await readAll(testRouter.router.stream(requestOf(), never(), books))
  expect(types(chunks)).toEqual(['again', 'failed'])
  expect(chunks[1]).toEqual({
    type: 'failed',
    failure: { kind: 'budget', message: 'The month is spent.', shortage, provider: 'b', model: 'b/two' },
  })
  expect(testRouter.called).toEqual(['a/one'])
  expect(books.settled).toHaveLength(1)
  expect(testRouter.health.view('b').calls).toBe(0)
})

test('calls nobody while the books are away, and tells it', async () => {
  const testRouter = openTestRouter()
  const chunks = await readAll(
    testRouter.router.stream(requestOf(), never(), openTestMeter({ reserveThrows: true })),
  )
  expect(chunks).toMatchObject([{ type: 'failed', failure: { kind: 'unavailable' } }])
  expect(testRouter.called).toEqual([])
  expect(testRouter.problems).toEqual(['No budget could be reserved for a model call.'])
})

test('ends as it should when a call cannot be settled, and tells it', async () => {
  const testRouter = openTestRouter()
  const chunks = await readAll(
    testRouter.router.stream(requestOf(), never(), openTestMeter({ settleThrows: true })),
  )
  expect(types(chunks)).toEqual(['text', 'end'])
  expect(testRouter.problems).toEqual(['The call call_1 could not be settled.'])
})

test('fails without a throw when the settings cannot be read', async () => {
  const testRouter = openTestRouter({ options: { settings: () => Promise.reject(new Error('away')) } })
  const chunks = await readAll(testRouter.router.stream(requestOf(), never(), openTestMeter()))
  expect(chunks).toMatchObject([{ type: 'failed', failure: { kind: 'unavailable' } }])
  expect(testRouter.problems).toEqual(['No model could be chosen.'])
})

test('goes on after a model that throws or ends without a word', async () => {
  const { chunks, books, problems } = await read({
    scripts: { 'a/one': [sayStep('x'), { do: 'throw' }], 'b/two': [{ do: 'stop' }] },
  })
  expect(types(chunks)).toEqual(['text', 'again', 'again', 'text', 'end'])
  expect(books.settled.map(({ spent }) => spent.outcome)).toEqual(['unknown', 'truncated', 'delivered'])
  expect(problems).toEqual(['The call to a/one threw.'])
})

test('charges nothing for a call that failed before a reply began', async () => {
  for (const kind of ['key', 'invalid', 'network', 'unavailable', 'rate_limited'] as const) {
    const { books } = await read({
      route: { strategy: 'fallback', models: ['a/one'] },
      scripts: { 'a/one': [fail(kind)] },
    })
    expect(books.settled[0]?.spent).toMatchObject({ usage: noUsage, estimated: false, costNanos: 0 })
  }
})

test('charges the input of a call that nobody waited for, since its provider may have read it', async () => {
  const { books } = await read({
    route: { strategy: 'fallback', models: ['a/one'] },
    scripts: { 'a/one': [fail('timeout')] },
  })
  expect(books.settled[0]?.spent).toMatchObject({ outcome: 'timeout', estimated: true, usage: { output: 0 } })
  expect(books.settled[0]?.spent.costNanos).toBeGreaterThan(0)
})

test('counts all the output that was allowed where a model thought unseen and was cut off', async () => {
  const facts = { 'a/one': { capabilities: ['tools', 'reasoning'] as const } }
  const route = { strategy: 'fallback' as const, models: ['a/one'] }
  const cut = await read({ facts, route, scripts: { 'a/one': [sayStep('Hm'), fail('truncated')] } })
  expect(cut.books.settled[0]?.spent.usage.output).toBe(1_000)
  const whole = await read({ facts, route })
  expect(whole.books.settled[0]?.spent).toMatchObject({ estimated: false, usage: { output: 20 } })
})

test('talks without tools to models that have none, where these were chosen, and tells what was done in words', async () => {
  const seen: ModelRequest[] = []
  const observer: CallObserver = { began: ({ request }) => seen.push(request), ended: () => undefined }
  const tools = [{ name: 'look', description: 'Looks.', schema: {} }]
  const messages: ModelRequest['messages'] = [
    { role: 'user', text: 'Look.' },
    { role: 'assistant', text: '', calls: [{ id: 'c1', name: 'look', args: '{}' }] },
    { role: 'tool', results: [{ callId: 'c1', name: 'look', text: 'A cat.', isError: false }] },
  ]
  const plain = { capabilities: [] }
  const facts = { 'a/one': plain, 'b/two': plain, 'c/three': plain }
  const options = { observers: [observer] }
  const { chunks } = await read({ facts, options }, { tools, messages, toolChoice: 'required' })
  expect(types(chunks)).toEqual(['text', 'end'])
  expect(seen[0]).toMatchObject({
    tools: [],
    messages: [
      { role: 'user', text: 'Look.' },
      { role: 'assistant', text: '[called look with {}]', calls: [] },
      { role: 'user', text: '[result of look]\nA cat.' },
    ],
  })
  expect(seen[0]).not.toHaveProperty('toolChoice')
  const mixed = await read({ facts: { 'a/one': plain }, options }, { tools })
  expect(mixed.called).toEqual(['b/two'])
})

test('shows pictures to the model of the route that sees, and tells of them where none does', async () => {
  const image = { mediaType: 'image/png', base64: 'AAAA' }
  const messages: ModelRequest['messages'] = [{ role: 'user', text: 'Look.', images: [image] }]
  const sees = { capabilities: ['tools', 'vision'] as const }
  const ask = async (facts: NonNullable<TestRouterOptions['facts']>, request: Partial<ModelRequest> = {}) => {
    const seen: ModelRequest[] = []
    const observer: CallObserver = { began: (call) => seen.push(call.request), ended: () => undefined }
    const { called } = await read({ facts, options: { observers: [observer] } }, { messages, ...request })
    const router = openTestRouter({ facts }).router
    const taken = await router.takesPictures?.({ purpose: 'chat', ...request })
    return { called, taken, sent: seen[0]?.messages }
  }
  expect(await ask({ 'b/two': sees })).toEqual({ called: ['b/two'], taken: true, sent: messages })
  const told = [
    {
      role: 'user',
      text: expect.stringMatching(/^Look\.\n\n\[A picture is attached here that you cannot see/),
    },
  ]
  expect(await ask({})).toEqual({ called: ['a/one'], taken: false, sent: told })
  // Whoever asks for a model gets that model.
  expect(await ask({ 'b/two': sees }, { model: 'a/one' })).toMatchObject({ called: ['a/one'], sent: told })
})

test('estimates a call that broke inside its reply from what arrived', async () => {
  const { books } = await read({
    scripts: { 'a/one': [sayStep('abcde'), { do: 'think', text: 'fgh' }, fail('truncated')] },
  })
  expect(books.settled[0]?.spent).toMatchObject({
    usage: { input: 7, output: 8, cached: 0, reasoning: 0 },
    estimated: true,
    costNanos: 39_000,
  })
})

test('prefers the input that the provider told to its own estimate', async () => {
  const told = { input: 900, output: 1, cached: 800 }
  const { books } = await read({
    scripts: { 'a/one': [{ do: 'tell', usage: told }, sayStep('abcde'), fail('timeout')] },
  })
  expect(books.settled[0]?.spent).toMatchObject({
    usage: { input: 900, output: 5, cached: 800, reasoning: 0 },
    estimated: true,
  })
})

test('charges the input of a call that ended after its provider had begun, with nothing to show', async () => {
  const { books } = await read({
    scripts: { 'a/one': [{ do: 'tell', usage: { input: 900 } }, fail('timeout')] },
  })
  expect(books.settled[0]?.spent).toMatchObject({
    usage: { input: 900, output: 0 },
    estimated: true,
    costNanos: 900_000,
    firstTokenMs: null,
  })
})

test('estimates a delivered reply whose usage the provider left out', async () => {
  const { books } = await read({
    scripts: { 'a/one': [sayStep('abcde'), { do: 'deliver', usage: noUsage }] },
  })
  expect(books.settled[0]?.spent).toMatchObject({
    outcome: 'delivered',
    usage: { input: 7, output: 5 },
    estimated: true,
  })
})

test('counts the worst case where the use cannot be worked out', async () => {
  const testRouter = openTestRouter({
    scripts: { 'a/one': [sayStep('x'), fail('key')] },
    options: {
      prices: { cost: () => 1, worst: () => 77, estimate: () => Promise.reject(new Error('no tokenizer')) },
    },
  })
  const books = openTestMeter()
  await readAll(testRouter.router.stream(requestOf(), never(), books))
  expect(books.settled[0]?.spent).toMatchObject({ outcome: 'key', estimated: true, costNanos: 77 })
  expect(testRouter.problems).toHaveLength(1)
})

test('hands an abort to the provider at once, and charges what arrived', async () => {
  const testRouter = openTestRouter({ scripts: { 'a/one': [sayStep('abc'), { do: 'hang' }] } })
  const books = openTestMeter()
  const controller = new AbortController()
  const chunks: ModelChunk[] = []
  for await (const chunk of testRouter.router.stream(requestOf(), controller.signal, books)) {
    chunks.push(chunk)
    controller.abort()
  }
  expect(types(chunks)).toEqual(['text', 'failed'])
  expect(chunks[1]).toMatchObject({ failure: { kind: 'cancelled' } })
  expect(books.settled[0]?.spent).toMatchObject({ outcome: 'cancelled', usage: { output: 3 } })
  expect(testRouter.called).toEqual(['a/one'])
})

test('calls nobody after an abort', async () => {
  const testRouter = openTestRouter()
  const books = openTestMeter()
  const chunks = await readAll(testRouter.router.stream(requestOf(), AbortSignal.abort(), books))
  expect(chunks).toMatchObject([{ type: 'failed', failure: { kind: 'cancelled' } }])
  expect(books.reserved.size).toBe(0)
})

test('sets nothing aside for the next model after an abort between two', async () => {
  const testRouter = openTestRouter({ scripts: { 'a/one': [fail('timeout')] } })
  const books = openTestMeter()
  const controller = new AbortController()
  const chunks: ModelChunk[] = []
  for await (const chunk of testRouter.router.stream(requestOf(), controller.signal, books)) {
    chunks.push(chunk)
    if (chunk.type === 'again') controller.abort()
  }
  expect(types(chunks)).toEqual(['again', 'failed'])
  expect(chunks[1]).toMatchObject({ failure: { kind: 'cancelled' } })
  expect(books.reserved.size).toBe(1)
})

test('gives back what was set aside when the abort came before the call', async () => {
  const controller = new AbortController()
  const testRouter = openTestRouter()
  const books = openTestMeter()
  const meter = {
    ...books,
    reserve: (planned: Parameters<typeof books.reserve>[0]) => {
      controller.abort()
      return books.reserve(planned)
    },
  }
  const chunks = await readAll(testRouter.router.stream(requestOf(), controller.signal, meter))
  expect(chunks).toMatchObject([{ type: 'failed', failure: { kind: 'cancelled' } }])
  expect(testRouter.called).toEqual([])
  expect(books.settled).toMatchObject([{ id: 'call_1', spent: { outcome: 'cancelled', costNanos: 0 } }])
})

test('settles when the reader goes away in the middle', async () => {
  const testRouter = openTestRouter({ scripts: { 'a/one': [sayStep('abc'), sayStep('def'), deliver] } })
  const books = openTestMeter()
  for await (const chunk of testRouter.router.stream(requestOf(), never(), books)) {
    if (chunk.type === 'text') break
  }
  expect(books.settled).toMatchObject([
    { id: 'call_1', spent: { outcome: 'cancelled', estimated: true, usage: { output: 3 } } },
  ])
  expect(testRouter.health.view('a')).toMatchObject({ calls: 1, failures: 0 })
})

test('is not upset by a model that throws while it is being closed', async () => {
  const leaving = (after: ModelChunk) => ({
    open: () => ({
      async *stream(): AsyncGenerator<ModelChunk> {
        try {
          yield after
          yield after
        } finally {
          await Promise.reject(new Error('It does not close.'))
        }
      },
    }),
  })
  const failure = { kind: 'key', message: 'No.', provider: 'a', model: 'a/one' } as const
  for (const after of [
    { type: 'text', text: 'x' },
    { type: 'failed', failure },
  ] as const) {
    const testRouter = openTestRouter({ options: leaving(after) })
    const books = openTestMeter()
    const read: ModelChunk[] = []
    for await (const chunk of testRouter.router.stream(requestOf(), never(), books)) {
      read.push(chunk)
      if (chunk.type === 'text') break
    }
    expect(read).toEqual([after])
    expect(books.settled).toHaveLength(1)
    expect(testRouter.problems).toEqual(['The call to a/one threw.'])
  }
})

test('skips a provider that is left alone', async () => {
  const testRouter = openTestRouter()
  rest(testRouter, 'a')
  const chunks = await readAll(testRouter.router.stream(requestOf(), never(), openTestMeter()))
  expect(types(chunks)).toEqual(['text', 'end'])
  expect(testRouter.called).toEqual(['b/two'])
})

test('fails with the shortest wait when every provider is left alone', async () => {
  const testRouter = openTestRouter()
  rest(testRouter, 'a')
  testRouter.time.ms += 10_000
  rest(testRouter, 'b')
  rest(testRouter, 'c')
  const books = openTestMeter()
  const chunks = await readAll(testRouter.router.stream(requestOf(), never(), books))
  expect(chunks).toMatchObject([{ type: 'failed', failure: { kind: 'unavailable', retryAfterMs: 20_000 } }])
  expect(messageOf(chunks)).toContain('The provider a failed before and is paused for another 20 s.')
  expect([testRouter.called, books.reserved.size]).toEqual([[], 0])
  testRouter.time.ms += 20_000
  await readAll(testRouter.router.stream(requestOf(), never(), books))
  expect(testRouter.called).toEqual(['a/one'])
})

test('gives the place of a probe back when its money is refused', async () => {
  const testRouter = openTestRouter({ route: { strategy: 'fallback', models: ['a/one'] } })
  rest(testRouter, 'a')
  testRouter.time.ms += 30_000
  await readAll(testRouter.router.stream(requestOf(), never(), openTestMeter({ refuse: 1 })))
  const chunks = await readAll(testRouter.router.stream(requestOf(), never(), openTestMeter()))
  expect(types(chunks)).toEqual(['text', 'end'])
})

test('leaves the other models of a provider alone that asked for a wait', async () => {
  const { called } = await read({
    route: { strategy: 'fallback', models: ['a/one', 'a/other', 'b/two'] },
    scripts: { 'a/one': [fail('rate_limited', { retryAfterMs: 5_000 })] },
  })
  expect(called).toEqual(['a/one', 'b/two'])
})

test('shows every call to the observers, and survives one that throws', async () => {
  const seen: string[] = []
  const bad: CallObserver = {
    began: () => {
      throw new Error('bad')
    },
    ended: () => {
      throw new Error('bad')
    },
  }
  const good: CallObserver = {
    began: ({ id, provider, kind, model }) => seen.push(`began ${id} ${provider} ${kind} ${model}`),
    ended: ({ id }, { spent, reply, problem }) =>
      seen.push(`ended ${id} ${spent.outcome} ${reply?.text} ${problem}`),
  }
  const { chunks, problems } = await read({
    scripts: { 'a/one': [fail('timeout')] },
    options: { observers: [bad, good] },
  })
  expect(types(chunks)).toEqual(['again', 'text', 'end'])
  expect(seen).toEqual([
    'began call_1 a openai one',
    'ended call_1 timeout undefined It was timeout.',
    'began call_2 b openai two',
    'ended call_2 delivered hi undefined',
  ])
  expect(problems).toHaveLength(4)
})

test('asks a model for no more output than it allows', async () => {
  const asked: number[] = []
  const observer: CallObserver = {
    began: ({ request }) => asked.push(request.maxOutputTokens),
    ended: () => undefined,
  }
  const options = { observers: [observer] }
  await read({ facts: { 'a/one': { output: 400 } }, options })
  await read({ facts: { 'a/one': { output: 4_000 } }, options })
  expect(asked).toEqual([400, 1_000])
})

test('leaves a model that reasons its own temperature unless the operator chose another', async () => {
  const asked: (number | undefined)[] = []
  const observer: CallObserver = {
    began: ({ request }) => asked.push(request.temperature),
    ended: () => undefined,
  }
  const options = { observers: [observer] }
  const facts = { 'a/one': { capabilities: ['tools', 'reasoning'] } } as const
  for (const temperature of [usualTemperature, 0.2]) {
    await read({ options }, { temperature })
    await read({ options, facts }, { temperature })
  }
  await read({ options })
  expect(asked).toEqual([usualTemperature, undefined, 0.2, 0.2, undefined])
})

test('reads the settings anew for every call', async () => {
  let ref = 'a/one'
  const testRouter = openTestRouter({
    options: {
      settings: async () => ({
        providers: ['a', 'b'].map((name) => ({ config: providerOf(name), enabled: true, priority: 1 })),
        routes: { chat: { strategy: 'balanced', models: [ref] } },
      }),
    },
  })
  await readAll(testRouter.router.stream(requestOf(), never(), openTestMeter()))
  ref = 'b/two'
  await readAll(testRouter.router.stream(requestOf(), never(), openTestMeter()))
  expect(testRouter.called).toEqual(['a/one', 'b/two'])
})

test('looks at the settings in the state that the caller saw, once, and then as they are', async () => {
  const states: unknown[] = []
  const options = {
    settings: (state?: string) => {
      states.push(state)
      return Promise.resolve({ providers: [], routes: {} })
    },
  }
  const seen = ['as seen']
  const meter = { ...openTestMeter(), settingsSeen: () => seen.pop() }
  const { router } = openTestRouter({ options })
  await readAll(router.stream(requestOf(), never(), meter))
  await readAll(router.stream(requestOf(), never(), meter))
  expect(states).toEqual(['as seen', undefined])
})

test('tries few models of one provider where nobody named any', async () => {
  const testRouter = openTestRouter({
    settings: { routes: {} },
    models: { a: ['1', '2', '3', '4', '5', '6'], b: ['1', '2'] },
    facts: { 'b/2': { quality: 40 }, 'b/1': { quality: 40 } },
  })
  const found = await testRouter.router.candidates('chat')
  expect(found.kind === 'found' && found.candidates.map(({ ref }) => ref)).toEqual([
    'a/1',
    'a/2',
    'a/3',
    'a/4',
    'b/1',
    'b/2',
  ])
})

test('tells the model that the next call would take, or why there is none', async () => {
  const testRouter = openTestRouter({ facts: { 'a/one': { capabilities: [] } } })
  expect(await testRouter.router.next('chat')).toEqual({ next: 'b/two', problem: null })
  expect(await testRouter.router.next('chat', { capabilities: [] })).toEqual({ next: 'a/one', problem: null })
  rest(testRouter, 'b')
  expect(await testRouter.router.next('chat')).toEqual({ next: 'c/three', problem: null })
  rest(testRouter, 'c')
  const { next, problem } = await testRouter.router.next('chat')
  expect(next).toBeNull()
  expect(problem).toContain('paused for another 30 s')
  expect((await testRouter.router.next('vision')).problem).toContain('--needs vision')
})

function rest(testRouter: ReturnType<typeof openTestRouter>, provider: string): void {
  for (let round = 0; round < 3; round += 1) {
    const record = { provider, model: 'x', at: testRouter.time.ms, firstTokenMs: null }
    testRouter.health.record({ ...record, outcome: 'unavailable' })
  }
}

async function read(given: TestRouterOptions, request: Parameters<typeof requestOf>[0] = {}) {
  const testRouter = openTestRouter(given)
  const books = openTestMeter()
  const chunks = await readAll(testRouter.router.stream(requestOf(request), never(), books))
  return { ...testRouter, books, chunks }
}

function types(chunks: readonly ModelChunk[]): string[] {
  return chunks.map(({ type }) => type)
}

function messageOf(chunks: readonly ModelChunk[]): string {
  const last = chunks.at(-1)
  return last?.type === 'failed' ? last.failure.message : ''
}

test('is not kept from asking the only provider there is, however often it failed', async () => {
  const testRouter = openTestRouter({
    route: { strategy: 'fallback', models: ['a/one'] },
    scripts: {
      'a/one': [fail('unavailable'), fail('unavailable'), fail('unavailable'), fail('unavailable')],
    },
  })
  for (let at = 1; at <= 4; at += 1) {
    const chunks = await readAll(testRouter.router.stream(requestOf(), never(), openTestMeter()))
    expect(messageOf(chunks)).toBe('It was unavailable.')
    expect(testRouter.called).toHaveLength(at)
  }
  expect(testRouter.health.view('a').breaker).toBe('open')
  expect(testRouter.health.problem('a')).toBe('It was unavailable.')
  expect(await testRouter.router.next('chat')).toEqual({ next: 'a/one', problem: null })
})
