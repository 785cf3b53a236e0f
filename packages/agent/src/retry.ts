/** Owns when a failed model call is tried again, and how often. Pure: the chance that spreads the load is handed in. */
import type { Limits } from './limits.ts'
import type { ModelFailure } from './model-port.ts'
import type { FailureKind } from './usage.ts'

export interface NextRetry {
  readonly delayMs: number
  readonly attempt: number
  readonly of: number
}

/** What trying again can help with. A key that is refused today is refused in a minute as well. */
const transient: ReadonlySet<FailureKind> = new Set([
  'rate_limited',
  'unavailable',
  'timeout',
  'network',
  'truncated',
])
const hopeless: ReadonlySet<FailureKind> = new Set(['key', 'invalid', 'cancelled', 'budget'])

/** How long to wait before trying again at once, or nothing where that is not worth it. */
export function immediateRetry(failure: ModelFailure, attempt: number, limits: Limits): number | undefined {
  if (!transient.has(failure.kind) || attempt >= limits.modelRetries) return undefined
  const asked = failure.retryAfterMs ?? 0
  return asked > limits.longestImmediateWaitMs ? undefined : Math.max(asked, limits.modelRetryDelayMs)
}

/** When a run that had to give up for now goes on by itself; nothing when it has failed for good. */
export function delayedRetry(
  failure: ModelFailure,
  before: number,
  limits: Limits['delayedRetry'],
  random: () => number,
): NextRetry | undefined {
  if (hopeless.has(failure.kind)) return undefined
  const of = mostRetries(failure.kind, limits)
  if (before >= of) return undefined
  const spread = 1 + limits.jitter * (2 * random() - 1)
  const backoff = Math.min(limits.baseMs * limits.factor ** before, limits.longestMs) * spread
  // What the provider asks for is the least, and an hour is the most that is waited in silence.
  const asked = Math.min(failure.retryAfterMs ?? 0, limits.longestAskedMs)
  return { delayMs: Math.round(Math.max(backoff, asked)), attempt: before + 1, of }
}

function mostRetries(kind: FailureKind, limits: Limits['delayedRetry']): number {
  if (kind === 'rate_limited') return limits.rateLimited
  return transient.has(kind) ? limits.network : limits.other
}
