import type { ModelMessage, ModelRequest, ModelUsage } from '@countersign/agent'
import type { ProviderKind, Purpose } from '@countersign/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { type ModelServer, startModelServer } from '../../../../tests/model-servers/src/index.ts'
import { costNanos } from '../catalogue/price.ts'
import { createModel } from './model.ts'

const servers: ModelServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

const turns = 20
/** In dollars for a million tokens, as Anthropic asks for a model of the middle: a cache is dearer to write, and far cheaper to read. */
const facts = {
  price: { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, source: 'test', date: '2026-11-01' },
} as const

/** A run of twenty calls: it grows from about 2,000 to 22,000 tokens. */
async function usages(
  kind: ProviderKind,
  purpose: Purpose,
): Promise<{ used: ModelUsage[]; server: ModelServer }> {
  const server = await startModelServer({ script: () => ({ text: 'Next.' }), caches: true })
  servers.push(server)
  const baseUrl = server.baseUrl(kind === 'anthropic' ? 'anthropic' : 'openai')
  const model = createModel({
    kind,
    model: 'scripted',
    apiKey: 'sk-test-0123456789',
    baseUrl,
    name: kind,
    timeoutMs: 20_000,
  })
  const messages: ModelMessage[] = [{ role: 'user', text: 'Look at all of them.' }]
  const used: ModelUsage[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    const request: ModelRequest = {
      purpose,
      system: 'You help. '.repeat(700),
      messages,
      tools: [{ name: 'look', description: 'Looks.', schema: { type: 'object', properties: {} } }],
      maxOutputTokens: 500,
    }
    for await (const chunk of model.stream(request, AbortSignal.timeout(20_000)))
      if (chunk.type === 'end') used.push(chunk.reply.usage)
      else if (chunk.type === 'failed') throw new Error(chunk.failure.message)
    const id = `call_${turn}`
    messages.push(
      { role: 'assistant', text: '', calls: [{ id, name: 'look', args: `{}` }] },
      {
        role: 'tool',
        results: [{ callId: id, name: 'look', text: `Found ${turn}. `.repeat(400), isError: false }],
      },
    )
  }
  return { used, server }
}

const costOf = (used: readonly ModelUsage[]) => used.reduce((sum, usage) => sum + costNanos(facts, usage), 0)

describe('a conversation with a provider that keeps what it is told to', () => {
  it('costs less than a third of one without marks, by the usage that the provider tells', async () => {
    const { used: kept } = await usages('anthropic', 'chat')
    const { used: plain } = await usages('anthropic', 'summaries')
    expect([kept.length, plain.length]).toEqual([turns, turns])
    const input = (used: readonly ModelUsage[]) => used.reduce((sum, usage) => sum + usage.input, 0)
    // The same was said in both.
    expect(Math.abs(input(kept) - input(plain)) / input(plain)).toBeLessThan(0.02)
    const ratio = costOf(kept) / costOf(plain)
    process.stdout.write(
      `A run of ${turns} calls with ${input(plain)} tokens of input costs ${(1 / ratio).toFixed(1)} times less with the cache.\n`,
    )
    expect(ratio).toBeLessThan(1 / 3)
    // Each request reads what the one before it wrote.
    for (const [turn, usage] of kept.entries())
      if (turn > 0) expect(usage.cached / usage.input).toBeGreaterThan(0.5)
  })

  it('puts nothing into a cache that is asked once', async () => {
    const { used } = await usages('anthropic', 'extraction')
    expect(used).toHaveLength(turns)
    for (const usage of used) expect(usage).toMatchObject({ cached: 0 })
    expect(used.some(({ written }) => written !== undefined)).toBe(false)
  })

  it('is marked the same way for OpenRouter, and not at all for others', async () => {
    const { server } = await usages('openrouter', 'chat')
    const marks = (one: ModelServer) =>
      JSON.stringify(one.requests.at(-1)?.body).split('cache_control').length - 1
    expect(marks(server)).toBe(2)
    expect(marks((await usages('openai-compatible', 'chat')).server)).toBe(0)
  })
})
