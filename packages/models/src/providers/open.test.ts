import { ProviderKind } from '@countersign/contract'
import { expect, test } from 'vitest'
import type { ModelConfig } from './config.ts'
import { kinds } from './kinds.ts'
import { type OpenProviderResult, openProvider } from './open.ts'

const KEY = 'sk-test-0123456789abcdef'

function configOf(kind: ProviderKind, change: Partial<ModelConfig> = {}): ModelConfig {
  return { name: kind, kind, model: 'some-model', apiKey: KEY, timeoutMs: 1_000, ...change }
}

/** What the provider would have sent, and where. */
async function sentBy(config: ModelConfig, holds: number | null = null, text = 'Hello') {
  const sent: { url: string; init: RequestInit; body: Record<string, unknown> }[] = []
  const fetch: typeof globalThis.fetch = (input, init) => {
    // What a model can hold is asked for first.
    if ((input as string).endsWith('/api/show'))
      return Promise.resolve(new Response(JSON.stringify({ model_info: { 'qwen3.context_length': holds } })))
    sent.push({
      url: input as string,
      init: init ?? {},
      body: JSON.parse(init?.body as string) as Record<string, unknown>,
    })
    return Promise.resolve(new Response('{}', { status: 500 }))
  }
  const opened = await openProvider({ ...config, fetch })
  if (opened.kind !== 'ready') throw new Error(opened.message)
  const request = {
    prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text }] }],
    maxOutputTokens: 77,
    ...(opened.options === undefined ? {} : { providerOptions: opened.options }),
  }
  await expect(Promise.resolve(opened.model.doStream(request))).rejects.toThrow()
  expect(sent).toHaveLength(1)
  return sent[0]
}

/** The demo model is nobody that could be asked. */
const called = ProviderKind.options.filter((kind) => kind !== 'demo')

test.each(called)('%s is asked once, at its own address, with redirects off', async (kind) => {
  const { baseUrl } = kinds[kind]
  const asked = await sentBy(configOf(kind, baseUrl === null ? { baseUrl: 'http://127.0.0.1:9/v1' } : {}))
  expect(asked?.url.startsWith(baseUrl ?? 'http://127.0.0.1:9/v1')).toBe(true)
  expect(asked?.init.redirect).toBe('manual')
  expect(JSON.stringify(asked?.body)).toContain('77')
})

test.each(ProviderKind.options)(
  '%s is refused an address with a password, and a key with a line break',
  async (kind) => {
    const refusal = async (change: Partial<ModelConfig>): Promise<OpenProviderResult> =>
      openProvider(configOf(kind, { baseUrl: 'http://127.0.0.1:9/v1', ...change }))
    for (const baseUrl of [`http://user:${KEY}@127.0.0.1:9`, 'file:///etc/passwd', 'not an address']) {
      expect(await refusal({ baseUrl })).toMatchObject({ kind: 'refused', reason: 'invalid' })
    }
    const broken = await refusal({ apiKey: `${KEY}\n` })
    expect(broken).toMatchObject({ kind: 'refused', reason: 'key' })
    expect(JSON.stringify(broken)).not.toContain(KEY)
  },
)

test('asks OpenAI and xAI to keep nothing, and for summaries only where the model reasons', async () => {
  expect((await sentBy(configOf('openai', { model: 'gpt-5' })))?.body).toMatchObject({
    store: false,
    reasoning: { summary: 'auto' },
  })
  const plain = (await sentBy(configOf('openai', { model: 'gpt-4.1' })))?.body
  expect(plain).toMatchObject({ store: false })
  expect(plain).not.toHaveProperty('reasoning')
  expect((await sentBy(configOf('xai', { model: 'grok-4' })))?.body).toMatchObject({ store: false })
})

test('asks for thoughts only where a model is known to have them', async () => {
  const thoughts = async (kind: ProviderKind, model: string) =>
    JSON.stringify((await sentBy(configOf(kind, { model })))?.body)
  expect(await thoughts('google', 'gemini-2.5-flash')).toContain('includeThoughts')
  expect(await thoughts('google', 'gemini-2.0-flash')).not.toContain('includeThoughts')
  expect(await thoughts('groq', 'qwen/qwen3-32b')).toContain('"reasoning_format":"parsed"')
  expect(await thoughts('groq', 'llama-3.3-70b-versatile')).not.toContain('reasoning_format')
  expect(await thoughts('ollama', 'qwen3:8b')).toContain('"think":true')
  expect(await thoughts('ollama', 'llama3.2')).toContain('"think":false')
})

test('tells Ollama the limit by the name that it knows, and sends a key only when there is one', async () => {
  const asked = await sentBy(configOf('ollama'))
  expect(asked?.body['options']).toEqual({ num_predict: 77 })
  expect(new Headers(asked?.init.headers).get('authorization')).toBe(`Bearer ${KEY}`)
  const { apiKey: _, ...keyless } = configOf('ollama')
  expect(new Headers((await sentBy(keyless))?.init.headers).get('authorization')).toBeNull()
})

test.each([
  [40_960, 'Hello', 4_096],
  [2_048, 'Hello', 2_048],
  [40_960, 'word '.repeat(10_000), 32_768],
  [40_960, 'word '.repeat(100_000), 40_960],
])(
  'has Ollama read all that a model of %i tokens is asked, and no more than it can hold',
  async (holds, text, size) => {
    const asked = await sentBy(configOf('ollama'), holds, text)
    expect(asked?.body['options']).toEqual({ num_predict: 77, num_ctx: size })
  },
)

test('needs an address for a server that nobody else knows', async () => {
  expect(await openProvider(configOf('openai-compatible'))).toMatchObject({
    kind: 'refused',
    reason: 'invalid',
    message: expect.stringContaining('needs an address'),
  })
})

test('opens nobody for the demo model', async () => {
  expect(await openProvider(configOf('demo'))).toMatchObject({ kind: 'refused', reason: 'invalid' })
})
