/** Owns the money side of one call that is not a stream: set aside before, settled after, exactly once, whatever comes of it. Never rejects. */
import type { Meter, ModelFailure, ModelUsage, PlannedCall } from '@countersign/agent'

export interface MeteredContext {
  readonly meter: Meter
  readonly planned: PlannedCall
  readonly signal: AbortSignal
  /** Milliseconds. */
  readonly now: () => number
}

export type EmbeddingCallAnswer<Made> =
  | { readonly kind: 'made'; readonly made: Made }
  | { readonly kind: 'failed'; readonly failure: ModelFailure }

/** What came of it, and what it came to. */
export interface EmbeddingCallEnd<Made> {
  readonly answer: EmbeddingCallAnswer<Made>
  readonly usage: ModelUsage
  readonly estimated: boolean
  readonly costNanos: number
}

export const noUsage: ModelUsage = { input: 0, output: 0, cached: 0, reasoning: 0 }

export async function meteredCall<Made>(
  { meter, planned, signal, now }: MeteredContext,
  work: () => Promise<EmbeddingCallEnd<Made>>,
): Promise<EmbeddingCallAnswer<Made>> {
  if (signal.aborted) return failed(embeddingCancelled())
  const reservation = await meter.reserve(planned).catch(() => undefined)
  if (reservation === undefined) {
    return failed({
      kind: 'unknown',
      message: 'The budget could not be reserved, so nothing was called. Try again.',
    })
  }
  if (reservation.kind === 'refused') {
    const { shortage } = reservation
    return failed({ kind: 'budget', message: shortage.message, shortage })
  }
  const began = now()
  const end = await (signal.aborted
    ? notCalled<Made>()
    : work().catch((): EmbeddingCallEnd<Made> => broken(planned)))
  const { answer, usage, estimated, costNanos } = end
  const outcome = answer.kind === 'made' ? 'delivered' : answer.failure.kind
  const spent = { outcome, usage, estimated, costNanos, firstTokenMs: null, totalMs: now() - began } as const
  // Whoever keeps the books settles what is left open; the answer is worth no less.
  await meter.settle(reservation.id, spent).catch(() => undefined)
  return answer
}

export function embeddingCancelled(): ModelFailure {
  return { kind: 'cancelled', message: 'The call was cancelled.' }
}

function failed<Made>(failure: ModelFailure): EmbeddingCallAnswer<Made> {
  return { kind: 'failed', failure }
}

async function notCalled<Made>(): Promise<EmbeddingCallEnd<Made>> {
  return { answer: failed(embeddingCancelled()), usage: noUsage, estimated: false, costNanos: 0 }
}

/** Nobody knows how far it came, so the worst is counted. */
function broken<Made>(planned: PlannedCall): EmbeddingCallEnd<Made> {
  const failure = { kind: 'unknown', message: 'The call broke off.' } as const
  return { answer: failed(failure), usage: noUsage, estimated: true, costNanos: planned.worstNanos }
}
