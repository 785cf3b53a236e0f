/**
 * Owns what an OpenTelemetry collector is told of every call to a provider, by the GenAI conventions. Refuses content:
 * no prompt, argument, reply or message of an error is among the attributes, only names, counts and kinds.
 */
import { nanosPerDollar } from '@countersign/contract'
import { type Attributes, ROOT_CONTEXT, SpanKind, SpanStatusCode, type Tracer } from '@opentelemetry/api'
import type { CallObserver, ObservedCall, ObservedEnd } from './observer.ts'

export interface SpansOptions {
  readonly tracer: Tracer
  /** The address of a provider. Only its host and port are told. */
  readonly urlOf?: (provider: string) => string | undefined
}

/** Where the conventions have a name of their own for it. */
const conventionalNames: Readonly<Record<string, string>> = {
  google: 'gcp.gemini',
  mistral: 'mistral_ai',
  xai: 'x_ai',
}

export function createSpans({ tracer, urlOf }: SpansOptions): CallObserver {
  return {
    began() {},
    // The whole span at the end, with its times: nothing is left open by a call that never ends.
    ended(call, end) {
      const { outcome, totalMs } = end.spent
      const startTime = call.startedAt.getTime()
      const span = tracer.startSpan(
        `${operationOf(call)} ${call.model}`,
        {
          kind: SpanKind.CLIENT,
          startTime,
          attributes: { ...askedOf(call), ...serverAt(urlOf?.(call.provider)), ...cameOf(end) },
        },
        ROOT_CONTEXT,
      )
      // Called off is not gone wrong.
      if (outcome !== 'delivered' && outcome !== 'cancelled') {
        span.setAttribute('error.type', outcome)
        span.setStatus({ code: SpanStatusCode.ERROR })
      }
      span.end(startTime + totalMs)
    },
  }
}

function operationOf({ request }: ObservedCall): string {
  return request.purpose === 'embeddings' ? 'embeddings' : 'chat'
}

function askedOf(call: ObservedCall): Attributes {
  const { request, kind, provider, model, run } = call
  return {
    'gen_ai.operation.name': operationOf(call),
    'gen_ai.provider.name': conventionalNames[kind] ?? kind,
    'gen_ai.request.model': model,
    'gen_ai.request.max_tokens': request.maxOutputTokens,
    ...(request.temperature === undefined ? {} : { 'gen_ai.request.temperature': request.temperature }),
    'countersign.provider': provider,
    'countersign.purpose': request.purpose,
    ...(run === undefined ? {} : { 'countersign.run': run }),
  }
}

function cameOf({ spent, reply }: ObservedEnd): Attributes {
  const { usage, firstTokenMs, costNanos, estimated, outcome } = spent
  return {
    'gen_ai.usage.input_tokens': usage.input,
    'gen_ai.usage.output_tokens': usage.output,
    'gen_ai.usage.cache_read.input_tokens': usage.cached,
    'gen_ai.usage.reasoning.output_tokens': usage.reasoning,
    ...(firstTokenMs === null ? {} : { 'gen_ai.response.time_to_first_chunk': firstTokenMs / 1000 }),
    ...(reply ? { 'gen_ai.response.finish_reasons': [reply.finish] } : {}),
    ...(reply && looksLikeAModel(reply.model) ? { 'gen_ai.response.model': reply.model } : {}),
    'countersign.outcome': outcome,
    'countersign.cost_usd': costNanos / nanosPerDollar,
    'countersign.estimated': estimated,
  }
}

/** The server writes it, and may write anything. */
const looksLikeAModel = (name: string): boolean => /^[\w.:/@+-]{1,100}$/.test(name)

function serverAt(url: string | undefined): Attributes {
  const parsed = url === undefined ? null : URL.parse(url)
  if (!parsed) return {}
  const port = parsed.port === '' ? (parsed.protocol === 'http:' ? 80 : 443) : Number(parsed.port)
  return { 'server.address': parsed.hostname, 'server.port': port }
}
