import type { ModelRequest } from '@countersign/agent'
import { ModelTrace } from '@countersign/contract'
import { createRedactor } from '@countersign/contract/node'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ObservedCall, ObservedEnd } from './observer.ts'
import { createTraces } from './traces.ts'

const asIs = <T>(value: T): T => value

const request: ModelRequest = {
  purpose: 'chat',
  system: 'Be brief.',
  messages: [
    {
      role: 'user',
      text: 'What is in it?',
      images: [{ mediaType: 'image/png', base64: 'A'.repeat(16_000) }],
    },
    { role: 'assistant', text: '', calls: [{ id: 'c1', name: 'read_file', args: '{"path":"a"}' }] },
    { role: 'tool', results: [{ callId: 'c1', name: 'read_file', text: 'No such file.', isError: true }] },
  ],
  tools: [
    { name: 'read_file', description: 'long words about reading', schema: {} },
    { name: 'list_files', description: '', schema: {} },
  ],
  maxOutputTokens: 1_000,
}

const call = (changes: Partial<ObservedCall> = {}): ObservedCall => ({
  id: 'res_1',
  provider: 'anthropic',
  kind: 'anthropic',
  model: 'claude-x',
  request,
  startedAt: new Date('2030-01-01T00:00:00.000Z'),
  ...changes,
})

const spent: ObservedEnd['spent'] = {
  outcome: 'delivered',
  usage: { input: 10, output: 5, cached: 2, reasoning: 1 },
  estimated: false,
  costNanos: 1_500_000_000,
  firstTokenMs: 40,
  totalMs: 90,
}

const reply: ObservedEnd['reply'] = {
  text: 'Nothing.',
  calls: [{ id: 'c2', name: 'list_files', args: '{}' }],
  finish: 'calls',
  usage: spent.usage,
  model: 'claude-x-1',
}

const asked = (text: string): ModelRequest => ({ ...request, messages: [{ role: 'user', text }] })

describe('what is kept of a request', () => {
  test('reads as text, with tools by name and images by size', () => {
    const traces = createTraces({ mask: asIs })
    traces.ended(call({ run: 'run_1' }), { spent, reply })
    const [trace] = traces.list()
    expect(ModelTrace.parse(trace)).toEqual({
      id: 'res_1',
      at: '2030-01-01T00:00:00.000Z',
      provider: 'anthropic',
      model: 'claude-x',
      purpose: 'chat',
      run: 'run_1',
      outcome: 'delivered',
      problem: null,
      firstTokenMs: 40,
      totalMs: 90,
      tokens: { input: 10, output: 5, cached: 2, reasoning: 1 },
      usd: 1.5,
      request: [
        'for chat, at most 1000 tokens',
        'tools (auto): read_file, list_files',
        'system\nBe brief.',
        'user\nWhat is in it?\n[image/png, 12 kB]',
        'assistant\ncall read_file c1: {"path":"a"}',
        'tool\nread_file c1 failed: No such file.',
      ].join('\n\n'),
      reply: 'Nothing.\n\ncall list_files c2: {}\n\nended: calls, by claude-x-1',
    })
  })

  test('is there without a reply, with the problem and without a run', () => {
    const traces = createTraces({ mask: asIs })
    traces.ended(call(), { spent: { ...spent, outcome: 'timeout' }, problem: 'It was silent for a minute.' })
    expect(traces.list()[0]).toMatchObject({
      run: null,
      outcome: 'timeout',
      problem: 'It was silent for a minute.',
      reply: '',
    })
  })

  test('is only that of the last requests, newest first', () => {
    const traces = createTraces({ mask: asIs, keep: 3 })
    for (const id of ['a', 'b', 'c', 'd'])
      traces.ended(call({ id, run: id === 'c' ? 'run_1' : 'run_2' }), { spent })
    expect(traces.list().map(({ id }) => id)).toEqual(['d', 'c', 'b'])
    expect(traces.list({ limit: 1 }).map(({ id }) => id)).toEqual(['d'])
    expect(traces.list({ run: 'run_1' }).map(({ id }) => id)).toEqual(['c'])
    expect(traces.list({ run: 'run_9' })).toEqual([])
  })

  test('is nothing while the call is under way', () => {
    const traces = createTraces({ mask: asIs })
    traces.began(call())
    expect(traces.list()).toEqual([])
  })

  test('is bounded, keeps both ends and says what is missing', () => {
    const traces = createTraces({ mask: asIs, longest: 1_000 })
    const messages = Array.from({ length: 200 }, (_, turn) => ({
      role: 'user' as const,
      text: `turn ${turn} `.padEnd(50, '.'),
    }))
    traces.ended(call({ request: { ...request, messages } }), { spent, problem: 'x'.repeat(10_000) })
    const [trace] = traces.list()
    expect(trace?.request.length).toBeLessThan(1_100)
    expect(trace?.request).toMatch(
      /^for chat[\s\S]*turn 0 [\s\S]*\n\[\d+ characters left out\]\n[\s\S]*turn 199 \.+$/,
    )
    expect(trace?.problem?.length).toBeLessThan(2_100)
  })
})

describe('secrets', () => {
  const secret = 'ghp_0123456789abcdefXYZ'
  const redactor = createRedactor()
  redactor.register('github', secret)

  test('are masked wherever they stand, whatever the length of the rest', () => {
    const at = fc.record({
      before: fc.string({ maxLength: 400 }),
      after: fc.string({ maxLength: 400 }),
      longest: fc.integer({ min: 20, max: 600 }),
      place: fc.constantFrom('system', 'user', 'args', 'result', 'reply', 'replyArgs', 'problem'),
    })
    fc.assert(
      fc.property(at, ({ before, after, longest, place }) => {
        const here = (name: string) => (place === name ? `${before} ${secret} ${after}` : before)
        const traces = createTraces({ mask: redactor.json, longest })
        traces.ended(
          call({
            request: {
              ...request,
              system: here('system'),
              messages: [
                { role: 'user', text: here('user') },
                {
                  role: 'assistant',
                  text: '',
                  calls: [{ id: 'c', name: 'n', args: JSON.stringify(here('args')) }],
                },
                { role: 'tool', results: [{ callId: 'c', name: 'n', text: here('result'), isError: false }] },
              ],
            },
          }),
          {
            spent,
            reply: {
              ...reply,
              text: here('reply'),
              calls: [{ id: 'd', name: 'n', args: here('replyArgs') }],
            },
            problem: here('problem'),
          },
        )
        const shown = JSON.stringify(traces.list())
        // No half of it either, on whichever side of a cut.
        expect(shown).not.toContain(secret.slice(0, 8))
        expect(shown).not.toContain(secret.slice(-8))
      }),
      { numRuns: 300 },
    )
  })

  test('would be seen without the mask, so that the test above proves something', () => {
    const traces = createTraces({ mask: asIs })
    traces.ended(call({ request: asked(secret) }), { spent })
    expect(JSON.stringify(traces.list())).toContain(secret)
  })

  test('that become known later are masked in what was kept before', () => {
    const later = createRedactor()
    const traces = createTraces({ mask: later.json })
    traces.ended(call({ request: asked(`it is ${secret}`) }), { spent })
    later.register('github', secret)
    expect(JSON.stringify(traces.list())).not.toContain(secret)
  })
})
