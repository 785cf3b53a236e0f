import {
  type Attributes,
  INVALID_SPAN_CONTEXT,
  type Span,
  SpanKind,
  type SpanStatus,
  type Tracer,
} from '@opentelemetry/api'
import { describe, expect, test } from 'vitest'
import type { ObservedCall, ObservedEnd } from './observer.ts'
import { createSpans } from './spans.ts'

interface Seen {
  readonly name: string
  readonly kind: SpanKind | undefined
  readonly start: unknown
  end: unknown
  status: SpanStatus | undefined
  readonly attributes: Attributes
}

function recorder(): { tracer: Tracer; seen: Seen[] } {
  const seen: Seen[] = []
  const tracer = {
    startSpan(name: string, options: { kind?: SpanKind; startTime?: unknown; attributes?: Attributes }) {
      const made: Seen = {
        name,
        kind: options.kind,
        start: options.startTime,
        end: undefined,
        status: undefined,
        attributes: { ...options.attributes },
      }
      seen.push(made)
      const span: Partial<Span> = {
        spanContext: () => INVALID_SPAN_CONTEXT,
        setAttribute(key, value) {
          made.attributes[key] = value
          return span as Span
        },
        setStatus(status) {
          made.status = status
          return span as Span
        },
        end(at) {
          made.end = at
        },
      }
      return span as Span
    },
  } as unknown as Tracer
  return { tracer, seen }
}

const call: ObservedCall = {
  id: 'res_1',
  provider: 'my-google',
  kind: 'google',
  model: 'gemini-x',
  request: { purpose: 'planning', system: 's', messages: [], tools: [], maxOutputTokens: 500 },
  startedAt: new Date(1_000),
  run: 'run_1',
}
const spent: ObservedEnd['spent'] = {
  outcome: 'delivered',
  usage: { input: 10, output: 5, cached: 2, reasoning: 1 },
  estimated: false,
  costNanos: 2_000_000,
  firstTokenMs: 40,
  totalMs: 90,
}
const reply: ObservedEnd['reply'] = {
  text: 't',
  calls: [],
  finish: 'stop',
  usage: spent.usage,
  model: 'gemini-x-001',
}

function spanOf(end: ObservedEnd, urlOf?: (provider: string) => string | undefined): Seen | undefined {
  const { tracer, seen } = recorder()
  const spans = createSpans({ tracer, ...(urlOf ? { urlOf } : {}) })
  spans.began(call)
  expect(seen).toEqual([])
  spans.ended(call, end)
  return seen[0]
}

describe('the span of a call', () => {
  test('follows the conventions', () => {
    expect(spanOf({ spent, reply }, () => 'https://me:pass@example.com:8443/v1?key=k')).toEqual({
      name: 'chat gemini-x',
      kind: SpanKind.CLIENT,
      start: 1_000,
      end: 1_090,
      status: undefined,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'gcp.gemini',
        'gen_ai.request.model': 'gemini-x',
        'gen_ai.request.max_tokens': 500,
        'gen_ai.response.model': 'gemini-x-001',
        'gen_ai.response.finish_reasons': ['stop'],
        'gen_ai.response.time_to_first_chunk': 0.04,
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 5,
        'gen_ai.usage.cache_read.input_tokens': 2,
        'gen_ai.usage.reasoning.output_tokens': 1,
        'server.address': 'example.com',
        'server.port': 8443,
        'countersign.provider': 'my-google',
        'countersign.purpose': 'planning',
        'countersign.run': 'run_1',
        'countersign.outcome': 'delivered',
        'countersign.cost_usd': 0.002,
        'countersign.estimated': false,
      },
    })
  })

  test('has the kind of a failure and no words about it', () => {
    const span = spanOf({
      spent: { ...spent, outcome: 'rate_limited', firstTokenMs: null },
      problem: 'secret words',
    })
    expect(span?.attributes).toMatchObject({
      'error.type': 'rate_limited',
      'countersign.outcome': 'rate_limited',
    })
    expect(span?.status).toEqual({ code: 2 })
    expect(span?.attributes).not.toHaveProperty('gen_ai.response.finish_reasons')
    expect(span?.attributes).not.toHaveProperty('gen_ai.response.time_to_first_chunk')
    expect(JSON.stringify(span)).not.toContain('secret words')
  })

  test('is no failure when the call was called off', () => {
    const span = spanOf({ spent: { ...spent, outcome: 'cancelled' } })
    expect(span?.status).toBeUndefined()
    expect(span?.attributes).not.toHaveProperty('error.type')
    expect(span?.attributes).toHaveProperty(['countersign.outcome'], 'cancelled')
  })

  test.each(['I will now say something', 'x'.repeat(101), 'a\nb', ''])(
    'leaves out what a server calls a model when it is none: %j',
    (model) => {
      expect(spanOf({ spent, reply: { ...reply, model } })?.attributes).not.toHaveProperty([
        'gen_ai.response.model',
      ])
    },
  )

  test('has no server where the address is unknown or none', () => {
    for (const url of [undefined, 'not a url'])
      expect(spanOf({ spent, reply }, () => url)?.attributes).not.toHaveProperty(['server.address'])
  })
})
