/** Owns what every provider must do. Each row tries one thing on a scripted server and throws where it did not hold. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type {
  FailureKind,
  ModelChunk,
  ModelFailure,
  ModelReply,
  ModelRequest,
} from '../../../packages/agent/src/index.ts'
import { createModel, kinds, type ModelConfig } from '../../../packages/models/src/index.ts'
import {
  type ModelServer,
  type Script,
  type ScriptReply,
  startModelServer,
} from '../../model-servers/src/index.ts'
import { configFor, KEY, type ProviderCase } from './provider-case.ts'
import type { RowName } from './row-name.ts'

export interface Row {
  readonly name: RowName
  /** What is tried, in one sentence. */
  readonly means: string
  readonly hold: (provider: ProviderCase) => Promise<void>
  /** What holds instead where the protocol lacks it. */
  readonly lack?: (provider: ProviderCase) => Promise<void>
  /** What the cell says when it holds; a tick where nothing is said. */
  readonly says?: (provider: ProviderCase) => string
}

const CALL = { id: 'abcdefgh1', name: 'send', args: '{"to":"ann","n":1}' }
const SECOND = { id: 'abcdefgh2', name: 'send', args: '{"to":"bob"}' }
const IMAGE = {
  mediaType: 'image/png',
  base64: 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
}

export const rows: readonly Row[] = [
  {
    name: 'text',
    means: 'A reply is streamed in pieces and is whole at its end.',
    async hold(provider) {
      const text = 'Good morning, é😀! It is a fine day.'
      const chunks = await collect(provider, { text, chunkSize: 4 })
      const reply = replyIn(chunks)
      const pieces = chunks.flatMap((chunk) => (chunk.type === 'text' ? [chunk.text] : []))
      assert.equal(reply.text, text)
      assert.equal(reply.finish, 'stop')
      assert.equal(pieces.join(''), text)
      assert.ok(pieces.length > 2, `only ${pieces.length} pieces`)
    },
  },
  {
    name: 'tool call',
    means: 'Tools are offered, and a call arrives with its name and arguments.',
    async hold(provider) {
      const reply = replyIn(await collect(provider, { text: 'Sending.', calls: [CALL], chunkSize: 5 }))
      assert.deepEqual(spoken(reply), [['send', { to: 'ann', n: 1 }]])
      assert.equal(reply.finish, 'calls')
    },
    async lack(provider) {
      await withServer({ text: 'I have no tools.', calls: [CALL] }, async (server) => {
        const reply = replyIn(await collectFrom(server, provider))
        assert.deepEqual(reply.calls, [])
        assert.equal(server.requests[0]?.body['tools'], undefined)
      })
    },
  },
  {
    name: 'parallel calls',
    means: 'Two calls of one reply arrive, each with an id of its own.',
    async hold(provider) {
      const reply = replyIn(await collect(provider, { calls: [CALL, SECOND], chunkSize: 5 }))
      assert.deepEqual(spoken(reply), [
        ['send', { to: 'ann', n: 1 }],
        ['send', { to: 'bob' }],
      ])
      assert.equal(new Set(reply.calls.map((call) => call.id)).size, 2)
    },
    async lack(provider) {
      assert.deepEqual(replyIn(await collect(provider, { text: 'No.', calls: [CALL, SECOND] })).calls, [])
    },
  },
  {
    name: 'results sent back',
    means: 'Earlier calls and their results reach the provider, also those that another provider named.',
    async hold(provider) {
      const script: Script = (turn) => ({
        text: JSON.stringify({
          asked: turn.messages
            .flatMap((message) => message.calls)
            .map((call) => [call.name, JSON.parse(call.args) as unknown]),
          answered: turn.lastResults.map((result) => [result.name, result.text]),
        }),
      })
      await withServer(script, async (server) => {
        const reply = replyIn(await collectFrom(server, provider, { messages: replayed }))
        assert.deepEqual(JSON.parse(reply.text), {
          asked: [
            ['send', { to: 'ann' }],
            ['look', { at: 'bob' }],
          ],
          answered: [
            ['send', 'sent'],
            ['look', 'seen'],
          ],
        })
      })
    },
    async lack(provider) {
      await withServer({ text: 'Never.' }, async (server) => {
        failureIn(await collectFrom(server, provider, { messages: replayed }))
        assert.equal(server.requests.length, 0)
      })
    },
  },
  {
    name: 'reasoning',
    means: 'What the model thinks is streamed apart from what it says.',
    async hold(provider) {
      const chunks = await collect(provider, { reasoning: 'Let me think.', text: 'Yes.', chunkSize: 6 })
      const thoughts = chunks.flatMap((chunk) => (chunk.type === 'reasoning' ? [chunk.text] : []))
      assert.equal(thoughts.join(''), 'Let me think.')
      assert.equal(replyIn(chunks).text, 'Yes.')
    },
    async lack(provider) {
      const chunks = await collect(provider, { reasoning: 'Hm.', text: '<think>Hm.</think>Yes.' })
      assert.ok(!chunks.some((chunk) => chunk.type === 'reasoning'))
      assert.equal(replyIn(chunks).text, '<think>Hm.</think>Yes.')
    },
  },
  {
    name: 'images',
    means: 'An image of the request reaches the model.',
    async hold(provider) {
      const script: Script = (turn) => ({ text: JSON.stringify(turn.messages.at(-1)?.images) })
      await withServer(script, async (server) => {
        const reply = replyIn(await collectFrom(server, provider, { messages: shown }))
        assert.deepEqual(JSON.parse(reply.text), [provider.imageType])
        assert.ok(JSON.stringify(server.requests[0]?.body).includes(IMAGE.base64))
      })
    },
    async lack(provider) {
      await withServer({ text: 'Blind.' }, async (server) => {
        await collectFrom(server, provider, { messages: shown })
        assert.ok(!JSON.stringify(server.requests[0]?.body ?? {}).includes(IMAGE.base64))
      })
    },
  },
  {
    name: 'usage',
    means:
      'The tokens that the provider counted: input and output always, cached and reasoning where it tells them.',
    async hold(provider) {
      const usage = { input: 100, output: 20, cached: 60, reasoning: 5 }
      const reply = replyIn(await collect(provider, { text: 'Yes.', usage }))
      assert.deepEqual(reply.usage, {
        ...usage,
        cached: provider.tells.includes('cached') ? 60 : 0,
        reasoning: provider.tells.includes('reasoning') ? 5 : 0,
      })
    },
    says: ({ tells }) => {
      const silent = (['cached', 'reasoning'] as const).filter((part) => !tells.includes(part))
      return silent.length === 0 ? '✓' : `✓ without ${silent.join(', ')}`
    },
  },
  {
    name: 'abort',
    means: 'A call that is stopped ends as cancelled, and its connection closes within 250 ms.',
    async hold(provider) {
      await withServer({ text: 'word '.repeat(200), chunkSize: 5, tokenDelayMs: 20 }, async (server) => {
        const controller = new AbortController()
        const chunks: ModelChunk[] = []
        let stoppedAt = 0
        const stream = createModel(configFor(provider, server)).stream(requestOf(), controller.signal)
        for await (const chunk of stream) {
          chunks.push(chunk)
          if (stoppedAt > 0) continue
          stoppedAt = Date.now()
          controller.abort()
        }
        assert.equal(failureIn(chunks).kind, 'cancelled')
        const leftAt = await untilLeft(server)
        assert.ok(leftAt - stoppedAt <= 250, `closed after ${leftAt - stoppedAt} ms`)
      })
    },
  },
  {
    name: '429',
    means: 'A provider that limits the rate is left alone for as long as it asks.',
    async hold(provider) {
      const failure = failureIn(await collect(provider, { status: 429, retryAfter: 7 }))
      assert.equal(failure.kind, 'rate_limited')
      assert.equal(failure.retryAfterMs, 7_000)
    },
  },
  {
    name: '500',
    means: 'A provider that fails is unavailable, and is asked once.',
    async hold(provider) {
      await withServer({ status: 500 }, async (server) => {
        assert.equal(failureIn(await collectFrom(server, provider)).kind, 'unavailable')
        assert.equal(server.requests.length, 1)
      })
    },
  },
  {
    name: 'timeout',
    means: 'Silence before the reply and silence inside it both end the call.',
    async hold(provider) {
      const before = { text: 'Late.', firstDelayMs: 4_000 }
      assert.equal((await failureOf(provider, before, { timeoutMs: 150 })).kind, 'timeout')
      const inside = { text: 'word '.repeat(200), chunkSize: 5, stallAfterBytes: 3_000 }
      assert.equal((await failureOf(provider, inside, { timeoutMs: 300 })).kind, 'timeout')
    },
  },
  {
    name: 'reset',
    means: 'A connection that breaks inside the reply delivers no call, wherever it breaks.',
    async hold(provider) {
      const whole = { text: 'Sending.', calls: [CALL], chunkSize: 5 }
      const length = await streamLength(provider, whole)
      const cuts = [0.2, 0.4, 0.6].map((share) => Math.floor(length * share))
      // The last bytes may be missing from a reply that ended in good order: the provider had said that it is over.
      const tries = [
        ...cuts.flatMap((cut) => [
          { truncateAfterBytes: cut, cutCleanly: true },
          { truncateAfterBytes: cut, cutCleanly: false },
        ]),
        { truncateAfterBytes: length - 3, cutCleanly: false },
      ]
      const expected: FailureKind[] = ['truncated', 'network', 'unknown']
      for (const cut of tries) {
        const { kind } = failureIn(await collect(provider, { ...whole, ...cut }))
        assert.ok(expected.includes(kind), `${kind} after ${cut.truncateAfterBytes} of ${length} bytes`)
      }
    },
  },
  {
    name: 'key refused',
    means: 'A key that the provider does not take is told as such, without being repeated.',
    async hold(provider) {
      const chunks = await collect(provider, { status: 401, errorMessage: `Wrong key ${KEY}.` })
      assert.equal(failureIn(chunks).kind, 'key')
      assert.ok(!JSON.stringify(chunks).includes(KEY))
    },
  },
  {
    name: 'redirect',
    means: 'A redirect is not followed, so that the key goes nowhere else.',
    async hold(provider) {
      await withServer({ text: 'Caught.' }, async (elsewhere) => {
        const location = elsewhere.baseUrl(provider.protocol)
        const failure = await failureOf(provider, { status: 307, location })
        assert.equal(failure.kind, 'invalid')
        assert.equal(elsewhere.requests.length, 0)
      })
    },
  },
  {
    name: 'no key of the environment',
    means: 'Keys in the environment are not taken: the configured key is sent, and without one none is.',
    async hold(provider) {
      await withServer({ text: 'Yes.' }, async (server) => {
        replyIn(await collectFrom(server, provider))
        const sent = server.requests[0]?.headers[provider.keyHeader]
        assert.ok(String(sent).endsWith(KEY), 'the configured key was not sent')
        const { apiKey: _, ...keyless } = configFor(provider, server)
        const chunks = await drain(keyless)
        if (kinds[provider.kind].key === 'needed') {
          assert.equal(failureIn(chunks).kind, 'key')
          assert.equal(server.requests.length, 1)
        } else {
          replyIn(chunks)
          assert.equal(server.requests[1]?.headers[provider.keyHeader], undefined)
        }
      })
    },
  },
]

/** What the cell says. Throws where it does not hold. */
export async function tryCell(provider: ProviderCase, row: Row): Promise<string> {
  const lacking = provider.lacks[row.name]
  if (lacking === undefined) {
    await row.hold(provider)
    return row.says?.(provider) ?? '✓'
  }
  if (row.lack === undefined) throw new Error(`The row ${row.name} cannot be lacking.`)
  await row.lack(provider)
  return lacking
}

/** The names in which every kind's key is looked for, each with a value that must never be sent. */
export function environmentKeys(): Readonly<Record<string, string>> {
  const names = Object.values(kinds).flatMap((facts) => facts.variables)
  return Object.fromEntries(
    [...names, 'ANTHROPIC_AUTH_TOKEN', 'OLLAMA_API_KEY'].map((name) => [name, 'sk-environment']),
  )
}

const replayed: ModelRequest['messages'] = [
  { role: 'user', text: 'Send and look.' },
  {
    role: 'assistant',
    text: 'Doing both.',
    calls: [
      { id: 'toolu_01AbCdEf', name: 'send', args: '{"to":"ann"}' },
      { id: 'call_xyz-2', name: 'look', args: '{"at":"bob"}' },
    ],
  },
  {
    role: 'tool',
    results: [
      { callId: 'toolu_01AbCdEf', name: 'send', text: 'sent', isError: false },
      { callId: 'call_xyz-2', name: 'look', text: 'seen', isError: false },
    ],
  },
]

const shown: ModelRequest['messages'] = [{ role: 'user', text: 'What is this?', images: [IMAGE] }]

function requestOf(change: Partial<ModelRequest> = {}): ModelRequest {
  return {
    purpose: 'chat',
    system: 'Be brief.',
    messages: [{ role: 'user', text: 'Hello' }],
    tools: ['send', 'look'].map((name) => ({
      name,
      description: `Does ${name}.`,
      schema: { type: 'object', properties: { to: { type: 'string' } } },
    })),
    maxOutputTokens: 500,
    ...change,
  }
}

async function withServer<Result>(
  script: Script | ScriptReply,
  work: (server: ModelServer) => Promise<Result>,
): Promise<Result> {
  const server = await startModelServer({ script: typeof script === 'function' ? script : () => script })
  try {
    return await work(server)
  } finally {
    await server.close()
  }
}

async function drain(config: ModelConfig, change: Partial<ModelRequest> = {}): Promise<ModelChunk[]> {
  const chunks: ModelChunk[] = []
  for await (const chunk of createModel(config).stream(requestOf(change), new AbortController().signal)) {
    chunks.push(chunk)
  }
  return chunks
}

function collectFrom(server: ModelServer, provider: ProviderCase, change: Partial<ModelRequest> = {}) {
  return drain(configFor(provider, server), change)
}

function collect(provider: ProviderCase, script: Script | ScriptReply): Promise<ModelChunk[]> {
  return withServer(script, (server) => collectFrom(server, provider))
}

function failureOf(
  provider: ProviderCase,
  reply: ScriptReply,
  change: Partial<ModelConfig> = {},
): Promise<ModelFailure> {
  return withServer(reply, async (server) => failureIn(await drain(configFor(provider, server, change))))
}

function endOf(chunks: readonly ModelChunk[]): ModelChunk | undefined {
  assert.equal(chunks.filter((chunk) => chunk.type === 'end' || chunk.type === 'failed').length, 1)
  return chunks.at(-1)
}

function replyIn(chunks: readonly ModelChunk[]): ModelReply {
  const last = endOf(chunks)
  if (last?.type !== 'end') throw new Error(`Expected a reply, got ${JSON.stringify(last)}`)
  return last.reply
}

function failureIn(chunks: readonly ModelChunk[]): ModelFailure {
  const last = endOf(chunks)
  if (last?.type !== 'failed') throw new Error(`Expected a failure, got ${JSON.stringify(last)}`)
  return last.failure
}

function spoken(reply: ModelReply): unknown[] {
  return reply.calls.map((call) => [call.name, JSON.parse(call.args) as unknown])
}

/** How many bytes the whole reply takes, by asking the provider's package to ask for it. */
async function streamLength(provider: ProviderCase, reply: ScriptReply): Promise<number> {
  let length = 0
  await withServer(reply, async (server) => {
    const counting: typeof globalThis.fetch = async (input, init) => {
      const response = await fetch(input, init)
      const bytes = await response.arrayBuffer()
      length = bytes.byteLength
      return new Response(bytes, { status: response.status, headers: response.headers })
    }
    await drain(configFor(provider, server, { fetch: counting }))
  })
  return length
}

async function untilLeft(server: ModelServer): Promise<number> {
  for (let tries = 0; tries < 100; tries += 1) {
    const leftAt = server.requests[0]?.leftAt
    if (typeof leftAt === 'number') return leftAt
    await sleep(10)
  }
  throw new Error('The connection was never closed.')
}
