import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ModelReply } from '@countersign/agent'
import { idFrom, type ToolFacts } from '@countersign/contract'
import type { CallInReview } from '@countersign/kernel'
import { createSpans, type ObservedCall, type ObservedEnd } from '@countersign/models'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { createCallSpans } from './call-spans.ts'
import { openTelemetry, type Telemetry } from './telemetry.ts'

interface SentSpan {
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: { key: string; value: Record<string, unknown> }[]
  readonly status: { code?: number; message?: string }
  readonly events?: unknown[]
}

const closers: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

/** A collector that takes the JSON encoding of OTLP. */
async function collector(answer: (body: string) => number | null = () => 200) {
  const requests: { path: string; headers: Record<string, unknown>; body: string }[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      requests.push({ path: request.url ?? '', headers: request.headers, body })
      const status = answer(body)
      if (status !== null) response.writeHead(status, { 'content-type': 'application/json' }).end('{}')
    })
  })
  const url = await listening(server)
  const resources = () =>
    requests.flatMap(({ body }) => (JSON.parse(body) as { resourceSpans: ResourceSpans[] }).resourceSpans)
  const spans = () => resources().flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans))
  return { url, requests, resources, spans }
}

interface ResourceSpans {
  readonly resource: { attributes: SentSpan['attributes'] }
  readonly scopeSpans: { spans: SentSpan[] }[]
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  closers.push(async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function open(endpoint: string, problems: unknown[] = []): Telemetry {
  return openTelemetry({
    endpoint,
    headers: { 'x-team': 'blue' },
    serviceName: 'countersign',
    version: '1.2.3',
    onProblem: (problem) => problems.push(problem),
    everyMs: 20,
  })
}

const call: ObservedCall = {
  id: 'res_1',
  provider: 'anthropic',
  kind: 'anthropic',
  model: 'claude-x',
  request: { purpose: 'chat', system: '', messages: [], tools: [], maxOutputTokens: 500 },
  startedAt: new Date('2030-01-01T00:00:00.000Z'),
  run: 'run_1',
}
const spent: ObservedEnd['spent'] = {
  outcome: 'delivered',
  usage: { input: 10, output: 5, cached: 2, reasoning: 1 },
  estimated: false,
  costNanos: 2_500_000,
  firstTokenMs: 40,
  totalMs: 90,
}
const reply = (text: string): ModelReply => ({
  text,
  calls: [{ id: 'c2', name: text, args: text, problem: text }],
  finish: 'calls',
  usage: spent.usage,
  model: 'claude-x-1',
})

const attributesOf = (attributes: SentSpan['attributes']) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

const tool = { name: 'read_file', effect: 'read', description: 'words of the tool' } as unknown as ToolFacts
const passing: Pick<CallInReview, 'id' | 'tool' | 'requester' | 'again'> = {
  id: idFrom('call', '1'.repeat(32)),
  tool,
  requester: { kind: 'operator', id: 'someone' },
  again: true,
}

describe('a collector', () => {
  test('gets the span of a call to a model, as the conventions have it', async () => {
    const { url, requests, resources, spans } = await collector()
    const telemetry = open(url)
    createSpans({ tracer: telemetry.tracer, urlOf: () => 'https://api.anthropic.com/v1' }).ended(call, {
      spent,
      reply: reply('hello'),
    })
    await telemetry.close()

    expect(requests.map(({ path }) => path)).toEqual(['/v1/traces'])
    expect(requests[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'x-team': 'blue' })
    expect(attributesOf(resources()[0]?.resource.attributes ?? [])).toEqual({
      'service.name': 'countersign',
      'service.version': '1.2.3',
    })
    const [span] = spans()
    expect(span).toMatchObject({
      name: 'chat claude-x',
      kind: 3,
      startTimeUnixNano: `${Date.parse('2030-01-01T00:00:00.000Z')}000000`,
      endTimeUnixNano: `${Date.parse('2030-01-01T00:00:00.090Z')}000000`,
    })
    expect(attributesOf(span?.attributes ?? [])).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'anthropic',
      'gen_ai.request.model': 'claude-x',
      'gen_ai.response.model': 'claude-x-1',
      'gen_ai.usage.input_tokens': 10,
      'gen_ai.usage.output_tokens': 5,
      'server.address': 'api.anthropic.com',
      'countersign.run': 'run_1',
      'countersign.cost_usd': 0.0025,
    })
  })

  test('gets the span of a tool call once it is committed, and none of one that is rolled back', async () => {
    const { url, spans } = await collector()
    const telemetry = open(url)
    const middleware = createCallSpans({ tracer: telemetry.tracer })
    const actions: (() => void)[] = []
    const unit = {
      now: new Date('2030-01-01T00:00:00.400Z'),
      afterCommit: (action: () => void) => void actions.push(action),
    } as unknown as Parameters<NonNullable<typeof middleware.after>>[0]
    await middleware.after?.(unit, passing, { outcome: 'failed', ms: 400 })
    await middleware.after?.(unit, passing, { outcome: 'denied', ms: null })
    // The first is committed, the second is not.
    actions[0]?.()
    await telemetry.close()
    expect(spans()).toHaveLength(1)
    expect(spans()[0]).toMatchObject({
      name: 'execute_tool read_file',
      kind: 1,
      startTimeUnixNano: `${Date.parse('2030-01-01T00:00:00.000Z')}000000`,
      endTimeUnixNano: `${Date.parse('2030-01-01T00:00:00.400Z')}000000`,
      status: { code: 2 },
    })
    expect(attributesOf(spans()[0]?.attributes ?? [])).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'read_file',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': passing.id,
      'countersign.outcome': 'failed',
      'countersign.effect': 'read',
      'error.type': 'failed',
    })
  })

  test('never gets content, wherever it stands', async () => {
    const { url, requests, spans } = await collector()
    const telemetry = open(url)
    const observer = createSpans({ tracer: telemetry.tracer })
    const canaries: string[] = []
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), fc.integer({ min: 0, max: 6 }), (noise, place) => {
        const canary = `CANARY${canaries.length} ${noise}`
        canaries.push(canary)
        const here = (at: number) => (at === place || place === 6 ? canary : 'plain')
        observer.ended(
          {
            ...call,
            request: {
              ...call.request,
              system: here(0),
              messages: [
                { role: 'user', text: here(1), images: [{ mediaType: here(1), base64: here(1) }] },
                { role: 'assistant', text: here(1), calls: [{ id: here(2), name: here(2), args: here(2) }] },
                { role: 'tool', results: [{ callId: here(3), name: here(3), text: here(3), isError: true }] },
              ],
              tools: [{ name: here(4), description: here(4), schema: { description: here(4) } }],
              toolChoice: { name: here(4) },
            },
          },
          {
            spent: { ...spent, outcome: place % 2 === 0 ? 'delivered' : 'invalid' },
            ...(place === 5 ? {} : { reply: reply(here(5)) }),
            problem: here(5),
          },
        )
      }),
      { numRuns: 400 },
    )
    await telemetry.close()
    expect(spans()).toHaveLength(canaries.length)
    const bytes = requests.map(({ body, headers, path }) => JSON.stringify({ body, headers, path })).join('')
    expect(bytes).not.toContain('CANARY')
    expect(bytes).not.toContain('plain')
  })
})

describe('a collector that does not do its part', () => {
  test('costs a call nothing when it is gone, and is told of once', async () => {
    const server = createServer()
    const url = await listening(server)
    await closers.pop()?.()
    const problems: unknown[] = []
    const telemetry = open(url, problems)
    const observer = createSpans({ tracer: telemetry.tracer })
    for (let index = 0; index < 10_000; index += 1) observer.ended(call, { spent, reply: reply('hello') })
    await telemetry.close()
    expect(problems.length).toBeLessThanOrEqual(1)
  })

  test('is left when it never answers, before its answer is late', async () => {
    const { url, requests } = await collector(() => null)
    const problems: unknown[] = []
    const telemetry = open(url, problems)
    createSpans({ tracer: telemetry.tracer }).ended(call, { spent })
    await telemetry.close()
    expect(problems).toEqual([])
    expect(requests).toHaveLength(1)
  })

  test('is told of once while it refuses, and gets later spans when it takes them', async () => {
    let status = 400
    const { url, requests, spans } = await collector(() => status)
    const problems: unknown[] = []
    const telemetry = open(url, problems)
    const observer = createSpans({ tracer: telemetry.tracer })
    for (const expected of [1, 2]) {
      observer.ended(call, { spent })
      await expect.poll(() => requests.length).toBe(expected)
    }
    await expect.poll(() => problems.length).toBe(1)
    expect(String(problems[0])).toMatch(
      /^Error: Spans could not be sent to http:\/\/127\.0\.0\.1:\d+: .+\. They are dropped/,
    )
    status = 200
    observer.ended({ ...call, model: 'claude-y' }, { spent })
    await telemetry.close()
    expect(spans().at(-1)?.name).toBe('chat claude-y')
    expect(problems).toHaveLength(1)
  })
})

test.each([
  ['', '/v1/traces'],
  ['/', '/v1/traces'],
  ['/otlp/', '/otlp/v1/traces'],
  ['/v1/traces', '/v1/traces'],
])('The endpoint %j is asked at %s.', async (given, asked) => {
  const { url, requests } = await collector()
  const telemetry = open(`${url}${given}`)
  createSpans({ tracer: telemetry.tracer }).ended(call, { spent })
  await telemetry.close()
  expect(requests.map(({ path }) => path)).toEqual([asked])
})
