/**
 * Owns the last requests, so that the operator can see what a model was really sent. In memory only, and nothing is
 * kept before every secret in it is masked.
 */
import { type ModelTrace, nanosPerDollar } from '@countersign/contract'
import { excerptOf } from './excerpt.ts'
import type { CallObserver, ObservedCall, ObservedEnd } from './observer.ts'
import { replyPieces, requestPieces } from './transcript.ts'

export interface Traces extends CallObserver {
  /** Newest first. */
  /** Drops what is kept of these runs. */
  forget(runs: readonly string[]): void
  list(filter?: { readonly limit?: number; readonly run?: string }): readonly ModelTrace[]
}

export interface TracesOptions {
  /** Takes every secret out of all strings of a value. */
  readonly mask: <T>(value: T) => T
  /** How many requests are kept. */
  readonly keep?: number
  /** The most characters of a request, and of a reply. */
  readonly longest?: number
}

const longestProblem = 2_000

export function createTraces({ mask, keep = 50, longest = 20_000 }: TracesOptions): Traces {
  const kept: ModelTrace[] = []

  function traceOf(call: ObservedCall, { spent, reply, problem }: ObservedEnd): ModelTrace {
    const { input, output, cached, reasoning } = spent.usage
    return {
      id: call.id,
      at: call.startedAt.toISOString(),
      provider: call.provider,
      model: call.model,
      purpose: call.request.purpose,
      run: call.run ?? null,
      outcome: spent.outcome,
      problem: problem === undefined ? null : excerptOf([problem], longestProblem, mask),
      firstTokenMs: spent.firstTokenMs,
      totalMs: spent.totalMs,
      tokens: { input, output, cached, reasoning },
      usd: spent.costNanos / nanosPerDollar,
      request: excerptOf(requestPieces(call.request), longest, mask),
      reply: reply ? excerptOf(replyPieces(reply), longest, mask) : '',
    }
  }

  return {
    began() {},
    ended(call, end) {
      kept.unshift(traceOf(call, end))
      kept.length = Math.min(kept.length, keep)
    },
    forget(runs) {
      const left = kept.filter(({ run }) => run === null || !runs.includes(run))
      kept.splice(0, kept.length, ...left)
    },
    list({ limit = keep, run } = {}) {
      const wanted = run === undefined ? kept : kept.filter((trace) => trace.run === run)
      // Once more: a secret may have become known since.
      return mask(wanted.slice(0, limit))
    },
  }
}
