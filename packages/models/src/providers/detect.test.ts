import { DetectedProvider, type ProviderKind } from '@countersign/contract'
import { afterEach, expect, test, vi } from 'vitest'
import {
  type ModelServer,
  type Protocol,
  startModelServer,
} from '../../../../tests/model-servers/src/index.ts'
import { detectProviders } from './detect.ts'
import { listModels } from './list-models.ts'

const servers: ModelServer[] = []
afterEach(async () => void (await Promise.all(servers.splice(0).map((server) => server.close()))))

async function serve(): Promise<ModelServer> {
  const server = await startModelServer({ script: () => ({}), models: ['qwen3:8b', 'gpt/oss'] })
  servers.push(server)
  return server
}

/** Sends what is meant for the local ports to the scripted server; every other address is closed. */
function pretending(server: ModelServer, ports: Readonly<Record<string, Protocol>>) {
  const asked: { readonly url: string; readonly headers: string }[] = []
  const fake: typeof globalThis.fetch = (input, init) => {
    const url = new URL(input as string)
    asked.push({ url: url.href, headers: JSON.stringify([...new Headers(init?.headers)]) })
    const protocol = ports[url.port]
    if (protocol === undefined) return Promise.reject(new TypeError('fetch failed'))
    const path = url.pathname.replace(/^\/(api|v1)/, '')
    return fetch(`${server.baseUrl(protocol)}${path}`, init)
  }
  return { fetch: fake, asked }
}

test('finds keys by their variables and local servers by their answers, and sends no key', async () => {
  const { fetch, asked } = pretending(await serve(), { '11434': 'ollama', '1234': 'openai' })
  const environment = { GEMINI_API_KEY: 'sk-environment', XAI_API_KEY: ' ', OPENAI_API_KEY: 'sk-environment' }
  const found = await detectProviders({ fetch, environment, configured: [], timeoutMs: 5_000 })
  expect(found.map((one) => DetectedProvider.parse(one))).toEqual([
    {
      kind: 'openai',
      name: 'openai',
      title: 'OpenAI',
      url: 'https://api.openai.com/v1',
      variable: 'OPENAI_API_KEY',
      models: [],
    },
    expect.objectContaining({ kind: 'google', variable: 'GEMINI_API_KEY' }),
    expect.objectContaining({ kind: 'ollama', variable: null, models: ['qwen3:8b', 'gpt/oss'] }),
    expect.objectContaining({
      kind: 'openai-compatible',
      name: 'lm-studio',
      url: 'http://127.0.0.1:1234/v1',
    }),
  ])
  expect(JSON.stringify(asked)).not.toContain('sk-environment')
  expect(asked.every(({ url }) => url.startsWith('http://127.0.0.1:'))).toBe(true)
})

test('leaves out what is configured already', async () => {
  const { fetch, asked } = pretending(await serve(), { '11434': 'ollama' })
  const configured = [
    { kind: 'openai' as const },
    { kind: 'ollama' as const, baseUrl: 'http://localhost:11434/api' },
  ]
  const environment = { OPENAI_API_KEY: 'sk-environment' }
  expect(await detectProviders({ fetch, environment, configured, timeoutMs: 400 })).toEqual([])
  expect(asked.some(({ url }) => url.includes('11434'))).toBe(false)
})

test('waits for a silent server no longer than 400 ms, whatever it is told', async () => {
  const silent: typeof globalThis.fetch = (_, init) =>
    new Promise((_resolve, reject) => {
      if (init?.signal?.aborted) reject(new TypeError('fetch failed'))
    })
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort())
  try {
    expect(
      await detectProviders({ fetch: silent, environment: {}, configured: [], timeoutMs: 60_000 }),
    ).toEqual([])
    expect(new Set(timeout.mock.calls.flat())).toEqual(new Set([400]))
  } finally {
    timeout.mockRestore()
  }
})

test.each<[ProviderKind, Protocol]>([
  ['anthropic', 'anthropic'],
  ['openai', 'responses'],
  ['google', 'google'],
  ['mistral', 'mistral'],
  ['groq', 'groq'],
  ['deepseek', 'deepseek'],
  ['xai', 'xai'],
  ['together', 'together'],
  ['fireworks', 'fireworks'],
  ['cohere', 'cohere'],
  ['openrouter', 'openrouter'],
  ['zhipu', 'openai'],
  ['azure', 'openai'],
  ['github', 'openai'],
  ['bedrock', 'bedrock'],
  ['vertex', 'vertex'],
  ['ollama', 'ollama'],
  ['openai-compatible', 'openai'],
])('lists the models of %s', async (kind, protocol) => {
  const server = await serve()
  const config = { kind, baseUrl: server.baseUrl(protocol), apiKey: 'sk-test', timeoutMs: 5_000 }
  expect(await listModels(config, fetch)).toEqual({ kind: 'listed', models: ['qwen3:8b', 'gpt/oss'] })
})

test('tells why a list could not be had', async () => {
  const server = await serve()
  const of = (kind: ProviderKind, baseUrl: string, answer?: Response) =>
    listModels({ kind, baseUrl, timeoutMs: 1_000 }, answer ? () => Promise.resolve(answer) : fetch)
  expect(await of('perplexity', server.baseUrl('perplexity'))).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('Give the name of a model'),
  })
  expect(await of('openai', server.url, new Response('no', { status: 401 }))).toMatchObject({
    message: expect.stringContaining('refused the key'),
  })
  expect(await of('openai', server.url, new Response('<html>'))).toMatchObject({ kind: 'failed' })
  expect(await of('openai', server.url, new Response('{"data":7}'))).toMatchObject({ kind: 'failed' })
  expect(await of('openai', 'http://127.0.0.1:9')).toMatchObject({ kind: 'failed' })
  const redirect = new Response(null, { status: 302, headers: { location: 'http://elsewhere.example/' } })
  expect(await of('openai', server.url, redirect)).toMatchObject({ kind: 'failed' })
})

test('reads a list no further than its bound, however long the server goes on', async () => {
  const chunk = new Uint8Array(1024 * 1024).fill(32)
  let sent = 0
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      sent += 1
      controller.enqueue(chunk)
    },
  })
  const config = { kind: 'openai', timeoutMs: 10_000 } as const
  expect(await listModels(config, () => Promise.resolve(new Response(endless)))).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('too long'),
  })
  expect(sent).toBeLessThan(20)
  const long = new Response(`${' '.repeat(15 * 1024 * 1024)}{"data":[{"id":"a"}]}`)
  expect(await listModels(config, () => Promise.resolve(long))).toEqual({ kind: 'listed', models: ['a'] })
})
