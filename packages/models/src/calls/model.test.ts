import type { ModelChunk, ModelRequest, ModelUsage } from '@countersign/agent'
import type { ProviderKind } from '@countersign/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  basePaths,
  type ModelServer,
  type Protocol,
  type Script,
  type ScriptReply,
  type ScriptTurn,
  startModelServer,
} from '../../../../tests/model-servers/src/index.ts'
import type { ModelConfig } from '../providers/config.ts'
import { kinds } from '../providers/kinds.ts'
import { createModel } from './model.ts'

const KEY = 'sk-test-0123456789abcdef'
const ODD_ARGS = '{ "to" : "ann", "to":"bob","n":1.0, "e":"\\u00e9é😀\\/", "big":12345678901234567890 }\n'

/** Writing it again with a call for each level would overflow the stack. */
const deep = `{"a":${'['.repeat(50_000)}${']'.repeat(50_000)}}`

const servers: ModelServer[] = []

type FakeTimersOptions = Parameters<typeof vi.useFakeTimers>[0]

/** What the product waits with. The servers and the sockets keep the machine's own time. */
const productTimers: FakeTimersOptions = { toFake: ['setTimeout', 'clearTimeout'] }
/** Longer than a test may take. */
const never = 600_000

afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(script: Script | ScriptReply): Promise<ModelServer> {
  const server = await startModelServer({ script: typeof script === 'function' ? script : () => script })
  servers.push(server)
  return server
}

function requestOf(change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    purpose: 'chat',
    system: 'Be brief.',
    messages: [{ role: 'user', text: 'Hello' }],
    tools: [
      {
        name: 'send',
        description: 'Sends a note.',
        schema: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
      },
    ],
    maxOutputTokens: 500,
    ...change,
  }
}

async function collect(
  config: ModelConfig,
  request: ModelRequest = requestOf(),
  signal: AbortSignal = new AbortController().signal,
  onChunk: (count: number) => void = () => undefined,
): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = []
  for await (const chunk of createModel(config).stream(request, signal)) {
    chunks.push(chunk)
    onChunk(chunks.length)
  }
  return chunks
}

function replyOf(chunks: readonly ModelChunk[]) {
  expect(chunks.filter((chunk) => chunk.type === 'end' || chunk.type === 'failed')).toHaveLength(1)
  const last = chunks.at(-1)
  if (last?.type !== 'end') throw new Error(`Expected an end, got ${JSON.stringify(last)}`)
  return last.reply
}

function failureIn(chunks: readonly ModelChunk[]) {
  expect(chunks.filter((chunk) => chunk.type === 'end' || chunk.type === 'failed')).toHaveLength(1)
  const last = chunks.at(-1)
  if (last?.type !== 'failed') throw new Error(`Expected a failure, got ${JSON.stringify(last)}`)
  return last.failure
}

/** Every kind that can be given tools. */
const speaking: readonly ProviderKind[] = [
  'openai',
  'anthropic',
  'openai-compatible',
  'google',
  'mistral',
  'groq',
  'deepseek',
  'xai',
  'together',
  'fireworks',
  'cohere',
  'openrouter',
  'zhipu',
  'azure',
  'github',
  'bedrock',
  'vertex',
  'ollama',
]

/** Figures that a protocol does not tell. */
function unsaid(kind: ProviderKind): Partial<ModelUsage> {
  if (kind === 'cohere' || kind === 'ollama') return { cached: 0, reasoning: 0 }
  return kind === 'mistral' || kind === 'fireworks' || kind === 'bedrock' ? { reasoning: 0 } : {}
}

/** They send a call as an object: nothing but an object can come of it, and never byte for byte. */
const parsing: readonly ProviderKind[] = ['google', 'vertex', 'ollama']

function protocolOf(kind: ProviderKind): Protocol {
  if (kind === 'openai') return 'responses'
  // The demo model speaks none, and is not tried here.
  switch (kind) {
    case 'openai-compatible':
    case 'zhipu':
    case 'azure':
    case 'github':
    case 'demo':
      return 'openai'
    default:
      return kind
  }
}

function configOf(
  kind: ProviderKind,
  server: Pick<ModelServer, 'url'>,
  change: Partial<ModelConfig> = {},
): ModelConfig {
  return {
    name: kind,
    kind,
    model: 'scripted',
    baseUrl: server.url + basePaths[protocolOf(kind)],
    apiKey: KEY,
    timeoutMs: 5000,
    ...change,
  }
}

describe.each(speaking)('the model port on %s', (provider) => {
  const protocol = protocolOf(provider)
  const step = ['openai', 'anthropic', 'openai-compatible'].includes(provider) ? 32 : 160

  function configFor(server: Pick<ModelServer, 'url'>, change: Partial<ModelConfig> = {}): ModelConfig {
    return configOf(provider, server, change)
  }

  test('streams text and ends with the whole of it', async () => {
    const usage = { input: 100, output: 20, cached: 60, reasoning: 5 }
    const server = await serve({
      text: 'Good morning, é😀!',
      chunkSize: 4,
      usage,
    })
    const chunks = await collect(configFor(server))
    const reply = replyOf(chunks)
    expect(reply).toEqual({
      text: 'Good morning, é😀!',
      calls: [],
      finish: 'stop',
      usage: { ...usage, ...unsaid(provider) },
      model: 'scripted',
    })
    const pieces = chunks.filter((chunk) => chunk.type === 'text').map((chunk) => chunk.text)
    expect(pieces.length).toBeGreaterThan(2)
    expect(pieces.join('')).toBe(reply.text)
  })

  test('sends the system text, the tools and the limit', async () => {
    const server = await serve((turn) => ({
      text: `${turn.system}|${turn.tools.map((tool) => tool.name).join()}`,
    }))
    expect(replyOf(await collect(configFor(server))).text).toBe('Be brief.|send')
    expect(server.requests[0]).toMatchObject({ protocol })
    expect(JSON.stringify(server.requests[0]?.body)).toContain(':500')
  })

  test.skipIf(parsing.includes(provider))(
    'delivers a tool call with the arguments byte for byte, duplicate keys included',
    async () => {
      for (const chunkSize of [1, 7, 1000]) {
        const server = await serve({
          text: 'Sending.',
          calls: [{ id: 'c1', name: 'send', args: ODD_ARGS }],
          chunkSize,
        })
        const reply = replyOf(await collect(configFor(server)))
        expect(reply.calls).toEqual([{ id: 'c1', name: 'send', args: ODD_ARGS }])
        expect(reply.finish).toBe('calls')
        expect(reply.text).toBe('Sending.')
      }
    },
  )

  test.each(['not json at all', '[1,2]', '{"to":', '{"__proto__":{"a":1}}', '12'])(
    'delivers the arguments %s unparsed, or nothing at all',
    async (args) => {
      const server = await serve({ calls: [{ name: 'send', args }] })
      const last = (await collect(configFor(server))).at(-1)
      if (last?.type === 'end') expect(last.reply.calls.map((call) => call.args)).toEqual([args])
      // Where the SDK parses arguments itself there is nothing left to deliver.
      else expect([...parsing, 'cohere']).toContain(provider)
    },
  )

  test('delivers parallel tool calls in order', async () => {
    const calls = ['a', 'b', 'c'].map((name) => ({ id: `id_${name}`, name, args: `{"n":"${name}"}` }))
    const server = await serve({ calls, chunkSize: 3 })
    expect(replyOf(await collect(configFor(server))).calls).toEqual(calls)
  })

  test('recognises a tool call when the finish reason says stop', async () => {
    const server = await serve({ calls: [{ id: 'c1', name: 'send', args: '{}' }], finish: 'stop' })
    const reply = replyOf(await collect(configFor(server)))
    expect(reply.calls).toEqual([{ id: 'c1', name: 'send', args: '{}' }])
    expect(reply.finish).toBe('calls')
  })

  test.each([
    ['length', 'length'],
    ['filtered', 'filtered'],
    ['something_new', 'other'],
  ])('reports the finish reason %s', async (finish, expected) => {
    const server = await serve({ text: 'Half', finish })
    const last = (await collect(configFor(server))).at(-1)
    // Mistral calls it an error; others have no such word.
    if (provider === 'mistral' && finish === 'filtered') expect(last?.type).toBe('failed')
    else if ((provider === 'cohere' || provider === 'ollama') && finish === 'filtered')
      expect(last).toMatchObject({ reply: { finish: 'other' } })
    else expect(last).toMatchObject({ reply: { finish: expected } })
  })

  test('delivers a whole call that fits the output limit exactly, and none that the limit cut', async () => {
    const whole = await serve({ calls: [{ id: 'c1', name: 'send', args: '{"to":"}"}' }], finish: 'length' })
    expect(replyOf(await collect(configFor(whole))).calls).toHaveLength(1)
    const half = await serve({
      calls: [
        { name: 'send', args: '{"to":"ann"}' },
        { name: 'send', args: '{"to":"}"' },
      ],
      finish: 'length',
    })
    expect(failureIn(await collect(configFor(half))).kind).toBe('truncated')
  })

  test('ends a reply that trickles for longer than a reply may take', async () => {
    vi.useFakeTimers(productTimers)
    const server = await serve({ text: 'word '.repeat(200), tokenDelayMs: 5, chunkSize: 5 })
    const chunks = await collect(configFor(server, { longestMs: 2_000 }), requestOf(), undefined, (count) => {
      if (count === 3) vi.advanceTimersByTime(2_000)
    })
    expect(failureIn(chunks)).toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('did not end within') as string,
    })
    expect(chunks).toHaveLength(4)
  })

  test('aborts a reply while the provider still holds it open', async () => {
    const server = await serve({ text: 'word '.repeat(200), chunkSize: 5, stallAfterBytes: 3000 })
    const abort = new AbortController()
    const chunks = await collect(configFor(server), requestOf(), abort.signal, (count) => {
      if (count === 3) setImmediate(() => abort.abort())
    })
    expect(failureIn(chunks).kind).toBe('cancelled')
    expect(chunks.length).toBeGreaterThan(3)
    await expect.poll(() => server.requests[0]?.leftAt).not.toBeNull()
  })

  test('aborts while the provider has not answered yet, and before it is asked', async () => {
    const abort = new AbortController()
    const server = await serve(() => {
      setImmediate(() => abort.abort())
      return { text: 'Late', firstDelayMs: never }
    })
    const late = await collect(configFor(server), requestOf(), abort.signal)
    expect(failureIn(late).kind).toBe('cancelled')
    expect(failureIn(await collect(configFor(server), requestOf(), AbortSignal.abort())).kind).toBe(
      'cancelled',
    )
    expect(server.requests).toHaveLength(1)
  })

  test('aborts even when the transport ignores the signal', async () => {
    const abort = new AbortController()
    const deaf = () => {
      setImmediate(() => abort.abort())
      return new Promise<Response>(() => undefined)
    }
    const config = configFor({ url: 'http://127.0.0.1:9' }, { fetch: deaf })
    expect(failureIn(await collect(config, requestOf(), abort.signal)).kind).toBe('cancelled')
  })

  test('ends as truncated and delivers no call wherever the socket is cut', async () => {
    const reply: ScriptReply = {
      text: 'On it.',
      calls: [{ id: 'c1', name: 'send', args: ODD_ARGS }],
      chunkSize: 30,
    }
    let truncateAfterBytes = step
    const server = await serve(() => ({ ...reply, truncateAfterBytes }))
    const total = await streamLength(provider, reply)
    expect(total).toBeGreaterThan(500)
    for (; truncateAfterBytes < total; truncateAfterBytes += step) {
      const chunks = await collect(configFor(server))
      expect([truncateAfterBytes, failureIn(chunks).kind]).toEqual([truncateAfterBytes, 'truncated'])
    }
  })

  test('delivers all or nothing when the stream is cut but closed properly', async () => {
    const reply: ScriptReply = { calls: [{ id: 'c1', name: 'send', args: ODD_ARGS }], chunkSize: 30 }
    let truncateAfterBytes = step
    const server = await serve(() => ({ ...reply, truncateAfterBytes, cutCleanly: true }))
    const total = await streamLength(provider, reply)
    let cuts = 0
    for (; truncateAfterBytes < total; truncateAfterBytes += step) {
      const last = (await collect(configFor(server))).at(-1)
      if (last?.type === 'end') expect(last.reply.calls).toEqual(reply.calls)
      else {
        cuts += 1
        expect(last).toMatchObject({ type: 'failed', failure: { kind: 'truncated' } })
      }
    }
    expect(cuts * step).toBeGreaterThan(total / 2)
  })

  test('ends as truncated when the provider never says that it finished', async () => {
    const server = await serve({ text: 'Done.', calls: [{ name: 'send', args: '{}' }], finish: 'none' })
    expect(failureIn(await collect(configFor(server))).kind).toBe('truncated')
  })

  test('reports the rate limit with the time to wait', async () => {
    const server = await serve({ status: 429, retryAfter: 7, errorMessage: 'Slow down.' })
    expect(failureIn(await collect(configFor(server)))).toEqual({
      kind: 'rate_limited',
      message: expect.stringMatching(provider === 'ollama' ? /Too Many Requests/ : /Slow down\.$/) as string,
      retryAfterMs: 7000,
    })
    const date = await serve(() => ({
      status: 429,
      retryAfter: new Date(Date.now() + 60_000).toUTCString(),
    }))
    const wait = failureIn(await collect(configFor(date))).retryAfterMs
    expect(wait).toBeGreaterThan(55_000)
    expect(wait).toBeLessThanOrEqual(61_000)
  })

  test.each([
    [500, 'unavailable'],
    [503, 'unavailable'],
    [529, 'unavailable'],
    [401, 'key'],
    [403, 'key'],
    [400, 'invalid'],
    [404, 'invalid'],
    [413, 'invalid'],
    [408, 'timeout'],
  ])('maps status %i to %s and asks only once', async (status, kind) => {
    const server = await serve({ status })
    expect(failureIn(await collect(configFor(server))).kind).toBe(kind)
    expect(server.requests).toHaveLength(1)
  })

  test('does not follow a redirect to an address that was not configured', async () => {
    const elsewhere = await serve({ text: 'Caught.' })
    const path = protocol === 'anthropic' ? 'messages' : 'chat/completions'
    const server = await serve({ status: 307, location: `${elsewhere.url}/v1/${path}` })
    expect(failureIn(await collect(configFor(server))).kind).toBe('invalid')
    expect(elsewhere.requests).toHaveLength(0)
  })

  test('times out on silence before the reply', async () => {
    vi.useFakeTimers(productTimers)
    const server = await serve(() => {
      vi.advanceTimersByTime(400)
      return { text: 'Late', firstDelayMs: never }
    })
    expect(failureIn(await collect(configFor(server, { timeoutMs: 400 }))).kind).toBe('timeout')
  })

  test('times out on silence inside the reply', async () => {
    vi.useFakeTimers(productTimers)
    const server = await serve({ text: 'word '.repeat(200), chunkSize: 5, stallAfterBytes: 3000 })
    let isOver = false
    const passTime = () => {
      if (isOver) return
      vi.advanceTimersByTime(400)
      setImmediate(passTime)
    }
    const chunks = await collect(configFor(server, { timeoutMs: 400 }), requestOf(), undefined, (count) => {
      if (count === 3) setImmediate(passTime)
    })
    isOver = true
    expect(failureIn(chunks).kind).toBe('timeout')
    expect(chunks.length).toBeGreaterThan(3)
  })

  test('takes a slow reader for no silence', async () => {
    vi.useFakeTimers(productTimers)
    const server = await serve({ text: 'One two three', chunkSize: 4 })
    const chunks = await collect(configFor(server, { timeoutMs: 400 }), requestOf(), undefined, () => {
      vi.advanceTimersByTime(600)
    })
    expect(replyOf(chunks).text).toBe('One two three')
  })

  test('reports a reset, a closed port and an unknown host as network failures', async () => {
    const reset = await serve({ truncateAfterBytes: 0 })
    expect(failureIn(await collect(configFor(reset))).kind).toBe('network')
    const gone = await startModelServer({ script: () => ({}) })
    await gone.close()
    expect(failureIn(await collect(configFor(gone))).kind).toBe('network')
    const unknown = configFor({ url: 'http://nobody.invalid' })
    expect(failureIn(await collect(unknown)).kind).toBe('network')
  })

  test.each(['data: {"not": \n\n', 'data: 17\n\n', 'data: {"choices":7}\n\n'])(
    'fails on the malformed event %j',
    async (malformed) => {
      const server = await serve({ malformed })
      expect(['unknown', 'truncated']).toContain(failureIn(await collect(configFor(server))).kind)
    },
  )

  test('sends calls and their results back in the provider format', async () => {
    let turn: ScriptTurn | undefined
    const server = await serve((asked) => {
      turn = asked
      return { text: 'Good.' }
    })
    const request = requestOf({
      messages: [
        { role: 'user', text: 'Send two.' },
        { role: 'assistant', text: '  ', calls: [] },
        {
          role: 'assistant',
          text: 'Sending.',
          calls: [
            { id: 'c1', name: 'send', args: '{"to": "ann"}' },
            { id: 'c2', name: 'send it!', args: '{"to":' },
          ],
        },
        {
          role: 'tool',
          results: [
            { callId: 'c1', name: 'send', text: 'sent', isError: false },
            { callId: 'c2', name: 'send it!', text: 'The arguments are not JSON.', isError: true },
          ],
        },
        { role: 'assistant', text: '', calls: [{ id: 'c1', name: 'send', args: deep }] },
        { role: 'tool', results: [{ callId: 'c1', name: 'send', text: 'too deep', isError: true }] },
      ],
    })
    replyOf(await collect(configFor(server), request))
    const calls = turn?.messages.flatMap((message) => message.calls) ?? []
    expect(calls.map((call) => [call.name, JSON.parse(call.args)])).toEqual([
      ['send', { to: 'ann' }],
      ['send_it_', { unreadable_arguments: '{"to":' }],
      ['send', { unreadable_arguments: deep }],
    ])
    const results = turn?.messages.flatMap((message) => message.results) ?? []
    expect(results.map((result) => result.callId)).toEqual(calls.map((call) => call.id))
    expect(new Set(calls.map((call) => call.id)).size).toBe(3)
    expect(results.map((result) => result.text)).toEqual([
      'sent',
      expect.stringContaining('The arguments are not JSON.'),
      expect.stringContaining('too deep'),
    ])
    expect(turn?.messages.map((message) => message.role).join()).not.toContain('assistant,assistant')
  })

  test('shows images and obeys the choice of tools', async () => {
    const seen: ScriptTurn[] = []
    const server = await serve((turn) => {
      seen.push(turn)
      return { text: 'Seen.' }
    })
    const images = [{ mediaType: 'image/png', base64: 'iVBORw0KGgo=' }]
    const messages = [{ role: 'user' as const, text: '', images }]
    const choices = ['auto', 'none', 'required', { name: 'send' }] as const
    for (const toolChoice of choices)
      replyOf(await collect(configFor(server), requestOf({ messages, toolChoice })))
    expect(seen[0]?.messages.map((message) => message.images.length)).toEqual([1])
    expect(JSON.stringify(server.requests[0]?.body)).toContain('iVBORw0KGgo=')
    const bodies = server.requests.map((request) =>
      JSON.stringify({ ...request.body, messages: [], contents: [], input: [] }),
    )
    // Ollama, and the SDKs of some others, know no choice.
    if (provider !== 'ollama') expect(new Set(bodies).size).toBeGreaterThan(1)
  })

  test('shows a call while it is written', async () => {
    const server = await serve({ calls: [{ name: 'send', args: '{"to":"ann and bob"}' }], chunkSize: 6 })
    const chunks = await collect(configFor(server))
    const pieces = chunks.filter((chunk) => chunk.type === 'call')
    expect(pieces[0]).toEqual({ type: 'call', tool: 'send', text: '' })
    expect(pieces.map((piece) => piece.text).join('')).toBe(replyOf(chunks).calls[0]?.args)
  })

  test('takes none of two calls with one id, and gives them ids of their own', async () => {
    const twins = [
      { id: 'c1', name: 'send', args: '{"to":"ann"}' },
      { id: 'c1', name: 'look', args: '{"at":"sky"}' },
      { id: 'c2', name: 'send', args: '{"to":"eve"}' },
    ]
    const server = await serve({ calls: twins })
    const first = replyOf(await collect(configFor(server)))
    expect(first.calls.map((call) => `${call.name} ${call.problem === undefined}`).toSorted()).toEqual([
      'look false',
      'send false',
      'send true',
    ])
    expect(first.calls[0]?.problem).toMatch(/same id/)
    expect(new Set(first.calls.map((call) => call.id)).size).toBe(3)
    expect(replyOf(await collect(configFor(server))).calls).toEqual(first.calls)
  })

  test('answers arguments that are too long with words, and keeps the rest of the reply', async () => {
    const long = `{"to":"${'a'.repeat(300_000)}"}`
    const server = await serve({
      calls: [
        { id: 'c1', name: 'send', args: long },
        { id: 'c2', name: 'send', args: '{"to":"ann"}' },
      ],
      chunkSize: 50_000,
    })
    const { calls } = replyOf(await collect(configFor(server)))
    expect(calls[0]?.problem).toContain(String(long.length))
    expect(calls[0]?.args.length).toBeLessThan(1000)
    expect(calls[1]).toEqual({ id: 'c2', name: 'send', args: '{"to":"ann"}' })
  })

  test('takes thirty-two calls at once and tells about the others', async () => {
    const many = Array.from({ length: 34 }, (_, index) => ({
      id: `c${index}`,
      name: 'send',
      args: `{"n":${index}}`,
    }))
    const { calls } = replyOf(await collect(configFor(await serve({ calls: many }))))
    expect(calls).toHaveLength(34)
    expect(calls.filter((call) => call.problem === undefined)).toHaveLength(32)
    expect(calls[33]?.problem).toMatch(/too many calls/i)
  })

  test('answers a name that no tool can have with words', async () => {
    const server = await serve({ calls: [{ name: `se\u0007nd${'x'.repeat(300)}`, args: '{}' }] })
    const [call] = replyOf(await collect(configFor(server))).calls
    expect(call?.problem).toMatch(/name/)
    expect(call?.name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
  })

  test('never repeats the key in a failure, even when the provider does', async () => {
    for (const status of [400, 401, 403, 404, 429, 500, 302]) {
      const server = await serve({ status, errorMessage: `Bad key ${KEY} given.` })
      const chunks = await collect(configFor(server))
      expect(failureIn(chunks).message).not.toBe('')
      expect(JSON.stringify(chunks)).not.toContain(KEY)
    }
    const broken = await collect(configFor({ url: 'http://127.0.0.1:9' }, { apiKey: `${KEY}\n` }))
    expect(failureIn(broken).kind).toBe('key')
    expect(JSON.stringify(broken)).not.toContain(KEY)
    const inUrl = await collect(configFor({ url: `http://user:${KEY}@127.0.0.1:9` }))
    expect(failureIn(inUrl).kind).toBe('invalid')
    expect(JSON.stringify(inUrl)).not.toContain(KEY)
  })

  test('sends the configured key and reads none from the environment', async () => {
    vi.stubEnv('OPENAI_API_KEY', 'sk-environment')
    vi.stubEnv('ANTHROPIC_API_KEY', 'sk-environment')
    const server = await serve({ text: 'Hello' })
    replyOf(await collect(configFor(server)))
    const headers = server.requests[0]?.headers
    const key =
      { anthropic: 'x-api-key', google: 'x-goog-api-key', vertex: 'x-goog-api-key', azure: 'api-key' }[
        provider as string
      ] ?? 'authorization'
    expect(headers?.[key]).toContain(KEY)

    const { apiKey: _, ...keyless } = configFor(server)
    const chunks = await collect(keyless)
    if (kinds[provider].key === 'optional') {
      replyOf(chunks)
      expect(server.requests[1]?.headers['authorization']).toBeUndefined()
    } else {
      expect(failureIn(chunks).kind).toBe('key')
      expect(server.requests).toHaveLength(1)
    }
  })

  test('stops the request when its reader leaves', async () => {
    const server = await serve({ text: 'word '.repeat(100), tokenDelayMs: 20, chunkSize: 5 })
    const signals: (AbortSignal | null | undefined)[] = []
    const config = configFor(server, {
      fetch: (input, init) => {
        signals.push(init?.signal)
        return fetch(input, init)
      },
    })
    for await (const chunk of createModel(config).stream(requestOf(), new AbortController().signal)) {
      expect(chunk.type).toBe('text')
      expect(signals[0]?.aborted).toBe(false)
      break
    }
    expect(new Set(signals.map((signal) => signal?.aborted))).toEqual(new Set([true]))
  })
})

describe('a temperature', () => {
  const sent = ({ requests }: ModelServer) =>
    requests.map(({ body }) => /"temperature":([\d.]+)/.exec(JSON.stringify(body))?.[1])

  test.each(speaking)('goes to %s where there is one', async (provider) => {
    const server = await serve({ text: 'Yes.' })
    await collect(configOf(provider, server), requestOf({ temperature: 0.25 }))
    await collect(configOf(provider, server))
    expect(sent(server)).toEqual(['0.25', undefined])
  })

  test('is left out for a model that refused it, from then on', async () => {
    const server = await serve(({ callIndex }) =>
      callIndex === 0
        ? {
            status: 400,
            errorMessage: "Unsupported parameter: 'temperature' is not supported with this model.",
          }
        : { text: 'Yes.' },
    )
    const model = createModel(configOf('openai-compatible', server))
    for (let index = 0; index < 2; index += 1) {
      const chunks = await Array.fromAsync(
        model.stream(requestOf({ temperature: 0.25 }), new AbortController().signal),
      )
      expect(replyOf(chunks).text).toBe('Yes.')
    }
    expect(sent(server)).toEqual(['0.25', undefined, undefined])
  })

  test('is not what every refusal is about', async () => {
    const server = await serve({ status: 400, errorMessage: 'The prompt is too long.' })
    const request = requestOf({ temperature: 0.25 })
    expect(failureIn(await collect(configOf('openai-compatible', server), request)).message).toContain('long')
    expect(server.requests).toHaveLength(1)
  })
})

describe('the model port on anthropic', () => {
  const opening =
    'data: {"type":"message_start","message":{"id":"m","type":"message","role":"assistant","model":"x","content":[],"stop_reason":null,"usage":{"input_tokens":1,"output_tokens":1}}}\n\n'
  const ending =
    'data: {"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":1}}\n\ndata: {"type":"message_stop"}\n\n'
  const block = (index: number, content: string, delta: string) =>
    `data: {"type":"content_block_start","index":${index},"content_block":${content}}\n\n` +
    `data: {"type":"content_block_delta","index":${index},"delta":{"type":"input_json_delta","partial_json":${delta}}}\n\n` +
    `data: {"type":"content_block_stop","index":${index}}\n\n`
  const plain = '{"type":"tool_use","id":"c1","name":"send","input":{}}'

  async function collectRaw(malformed: string) {
    const server = await serve({ malformed })
    return collect(configOf('anthropic', server))
  }

  test('streams reasoning apart from the text', async () => {
    const server = await serve({ reasoning: 'Let me think.', text: 'Yes.' })
    for (const provider of ['anthropic', 'openai-compatible'] as const) {
      const chunks = await collect(configOf(provider, server))
      expect(chunks).toContainEqual({ type: 'reasoning', text: 'Let me think.' })
      expect(replyOf(chunks).text).toBe('Yes.')
    }
  })

  test('reads a call without arguments as an empty object', async () => {
    const chunks = await collectRaw(opening + block(0, plain, '""') + ending)
    expect(replyOf(chunks).calls).toEqual([{ id: 'c1', name: 'send', args: '{}' }])
  })

  test('refuses arguments that did not come as streamed text', async () => {
    const parsed = '{"type":"tool_use","id":"c1","name":"send","input":{"to":"ann"}}'
    expect(failureIn(await collectRaw(opening + block(0, parsed, '""') + ending)).kind).toBe('unknown')
    const early = opening.replace('"content":[]', `"content":[${parsed}]`)
    expect(failureIn(await collectRaw(early + ending)).kind).toBe('unknown')
  })

  test('refuses a reply that claims to have run a tool itself', async () => {
    const own = '{"type":"server_tool_use","id":"c1","name":"web_search","input":{}}'
    expect(failureIn(await collectRaw(opening + block(0, own, '"{}"') + ending)).kind).toBe('unknown')
  })

  test('delivers no call whose block never closed', async () => {
    const unclosed = block(0, plain, '"{}"').replace(/data: \{"type":"content_block_stop".*\n\n/, '')
    expect(failureIn(await collectRaw(opening + unclosed + ending)).kind).toBe('truncated')
  })

  test('tells what was used, also of a reply that breaks', async () => {
    const server = await serve({ malformed: opening })
    const used: Partial<ModelUsage>[] = []
    const model = createModel(configOf('anthropic', server))
    const chunks: ModelChunk[] = []
    const never = new AbortController().signal
    for await (const chunk of model.stream(requestOf(), never, (usage) => used.push(usage)))
      chunks.push(chunk)
    expect(failureIn(chunks).kind).toBe('truncated')
    expect(used[0]).toEqual({ input: 1, output: 1, cached: 0 })
  })

  test('maps an error event inside the stream', async () => {
    const overloaded = 'data: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'
    expect(failureIn(await collectRaw(overloaded)).kind).toBe('unavailable')
    expect(failureIn(await collectRaw(opening + block(0, plain, '"{}"') + overloaded)).kind).toBe(
      'unavailable',
    )
  })
})

/** Bytes of the whole stream, as the provider sends it to this kind of client. */
async function streamLength(kind: ProviderKind, reply: ScriptReply): Promise<number> {
  const server = await serve(reply)
  let length = 0
  const config = configOf(kind, server, {
    fetch: async (input, init) => {
      const response = await fetch(input, init)
      length = (await response.clone().arrayBuffer()).byteLength
      return response
    },
  })
  await collect(config)
  return length
}

describe('the model port on openrouter', () => {
  const event = (delta: string, finish = 'null') =>
    `data: {"id":"g","model":"x","choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]}\n\n`
  const call = (args: string) =>
    `{"tool_calls":[{"index":0,"id":"c1","type":"function","function":{"name":"send","arguments":${JSON.stringify(args)}}}]}`
  const rest = (args: string) =>
    `{"tool_calls":[{"index":0,"function":{"arguments":${JSON.stringify(args)}}}]}`

  async function callsOf(stream: string) {
    const server = await serve({ malformed: `${stream}data: [DONE]\n\n` })
    return replyOf(await collect(configOf('openrouter', server))).calls
  }

  test('delivers the arguments that were written, not those that its SDK puts in their place', async () => {
    for (const finish of ['"tool_calls"', '"stop"']) {
      const half = '{"to":'
      const delivered = [{ id: 'c1', name: 'send', args: half }]
      expect(await callsOf(event(call(half)) + event('{}', finish))).toEqual(delivered)
      expect(await callsOf(event(call('{"to')) + event(rest('":')) + event('{}', finish))).toEqual(delivered)
    }
  })

  test('reads arguments to their end, also when they looked complete before', async () => {
    const [delivered] = await callsOf(event(call('1')) + event(rest('2')) + event('{}', '"tool_calls"'))
    expect(delivered?.args).toBe('12')
  })

  test('refuses a call that goes on after the end of the reply', async () => {
    const server = await serve({ malformed: event('{}', '"stop"') + event(call('{}')) })
    expect(failureIn(await collect(configOf('openrouter', server))).kind).toBe('unknown')
  })
})
