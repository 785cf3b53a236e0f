/**
 * Owns one call to a provider that answers in one piece: its deadline, its abort, the most that it may send, the name
 * of what went wrong, and that it is paid for once. No retries. Never rejects.
 */
import type { Meter, ModelFailure, ModelUsage } from '@countersign/agent'
import type { Purpose } from '@countersign/contract'
import { failureOf } from '../calls/failure.ts'
import type { ModelConfig } from '../providers/config.ts'
import { type EmbeddingKit, openKit } from './kit.ts'
import {
  type EmbeddingCallAnswer,
  type EmbeddingCallEnd,
  embeddingCancelled,
  meteredCall,
  noUsage,
} from './metered-embedding.ts'

export interface PaidCall {
  readonly config: ModelConfig
  readonly purpose: Purpose
  readonly worstNanos: number
  readonly signal: AbortSignal
  readonly meter: Meter
  readonly now: () => number
  /** The longest answer that is read. */
  readonly mostBytes: number
}

export interface ProviderCall<Model> extends PaidCall {
  /** What is wanted of the provider, in words that follow "does not offer". */
  readonly wanted: string
  readonly model: (kit: EmbeddingKit) => ((model: string) => Model) | undefined
}

/** What was made and what it came to, or why what came is not taken. */
export type PricedAnswer<Made> =
  | {
      readonly kind: 'made'
      readonly made: Made
      readonly usage: ModelUsage
      readonly estimated: boolean
      readonly costNanos: number
    }
  | { readonly kind: 'refused'; readonly failure: ModelFailure }

export type ProviderAnswer<Made> =
  | EmbeddingCallAnswer<Made>
  | { readonly kind: 'unavailable'; readonly reason: string }

export async function providerCall<Model, Made>(
  { wanted, model, ...paid }: ProviderCall<Model>,
  call: (model: Model, signal: AbortSignal) => Promise<PricedAnswer<Made>>,
): Promise<ProviderAnswer<Made>> {
  const { config } = paid
  const watch = watchFetch(config.fetch ?? globalThis.fetch, paid.mostBytes)
  const opened = await openKit(config, watch.fetch).catch(() => undefined)
  if (opened === undefined) {
    return { kind: 'unavailable', reason: `The package for the provider ${config.name} could not be loaded.` }
  }
  if (opened.kind === 'refused') {
    return { kind: 'failed', failure: { kind: opened.reason, message: opened.message } }
  }
  const create = model(opened.kit)
  if (create === undefined) {
    return {
      kind: 'unavailable',
      reason: `The provider ${config.name} (${config.kind}) does not offer ${wanted}. Choose a model of another provider.`,
    }
  }
  return paidCall(paid, watch, (signal) => call(create(config.model), signal))
}

/** The same for whoever speaks to the provider without a package. */
export function paidCall<Made>(
  { config, purpose, worstNanos, signal, meter, now, mostBytes }: PaidCall,
  watch: FetchWatch,
  call: (signal: AbortSignal) => Promise<PricedAnswer<Made>>,
): Promise<EmbeddingCallAnswer<Made>> {
  const planned = { provider: config.name, model: config.model, purpose, worstNanos }
  return meteredCall({ meter, planned, signal, now }, async (): Promise<EmbeddingCallEnd<Made>> => {
    const stop = new AbortController()
    const onAbort = () => stop.abort()
    signal.addEventListener('abort', onAbort, { once: true })
    let isLate = false
    const deadline = setTimeout(() => {
      isLate = true
      stop.abort()
    }, config.timeoutMs)
    try {
      const priced = await unlessStopped(
        Promise.resolve().then(() => call(stop.signal)),
        stop.signal,
      )
      if (priced === undefined)
        return ended(isLate ? late(config.timeoutMs) : embeddingCancelled(), worstNanos)
      if (priced.kind === 'refused') return ended(priced.failure, worstNanos)
      const { made, usage, estimated, costNanos } = priced
      return { answer: { kind: 'made', made }, usage, estimated, costNanos }
    } catch (error) {
      if (signal.aborted) return ended(embeddingCancelled(), worstNanos)
      if (isLate) return ended(late(config.timeoutMs), worstNanos)
      if (watch.sentTooMuch()) return ended(tooMuch(mostBytes), worstNanos)
      return ended(failureOf(error, { replyBegan: watch.replyBegan(), apiKey: config.apiKey }), worstNanos)
    } finally {
      clearTimeout(deadline)
      signal.removeEventListener('abort', onAbort)
      stop.abort()
    }
  })
}

/** A provider that refused a call charges nothing; one that was left alone in the middle may charge all of it. */
const mayHaveBeenCharged: ReadonlySet<ModelFailure['kind']> = new Set([
  'timeout',
  'cancelled',
  'truncated',
  'unknown',
])

function ended<Made>(failure: ModelFailure, worstNanos: number): EmbeddingCallEnd<Made> {
  const costNanos = mayHaveBeenCharged.has(failure.kind) ? worstNanos : 0
  return { answer: { kind: 'failed', failure }, usage: noUsage, estimated: true, costNanos }
}

function late(timeoutMs: number): ModelFailure {
  return { kind: 'timeout', message: `The model provider did not answer within ${timeoutMs} ms.` }
}

function tooMuch(mostBytes: number): ModelFailure {
  const most = `${Math.floor(mostBytes / 1_000_000)} MB`
  return { kind: 'unknown', message: `The model provider sent more than ${most}; ask it for less.` }
}

function unlessStopped<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
    work.then(resolve, reject)
  })
}

export interface FetchWatch {
  readonly fetch: typeof globalThis.fetch
  replyBegan(): boolean
  sentTooMuch(): boolean
}

/** A followed redirect would carry the key to an address that nobody configured. */
export function watchFetch(fetch: typeof globalThis.fetch, mostBytes: number): FetchWatch {
  let replyBegan = false
  let sentTooMuch = false
  return {
    async fetch(input, init) {
      const response = await fetch(input, { ...init, redirect: 'manual' })
      replyBegan ||= response.ok
      if (response.body === null) return response
      let received = 0
      const limit = new TransformStream<Uint8Array, Uint8Array>({
        transform(piece, controller) {
          received += piece.length
          if (received <= mostBytes) return controller.enqueue(piece)
          sentTooMuch = true
          controller.error(new Error('The answer is too long.'))
        },
      })
      const { status, statusText, headers } = response
      return new Response(response.body.pipeThrough(limit), { status, statusText, headers })
    },
    replyBegan: () => replyBegan,
    sentTooMuch: () => sentTooMuch,
  }
}
