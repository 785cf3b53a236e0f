/** Owns when another model is asked after a failure, and which failure counts when all failed. Pure. */
import type { FailureKind, ModelFailure } from '@countersign/agent'

export interface FailedAttempt {
  readonly ref: string
  readonly failure: ModelFailure
}

const LONGEST_LIST = 6

/** A wrong key or request, a stop and a budget are for people to act on; another model would only hide them. */
export function mayFailOver({ kind }: Pick<ModelFailure, 'kind'>): boolean {
  switch (kind) {
    case 'timeout':
    case 'rate_limited':
    case 'unavailable':
    case 'network':
    case 'truncated':
    case 'unknown':
      return true
    case 'key':
    case 'invalid':
    case 'cancelled':
    case 'budget':
      return false
  }
}

/** The failure to act on: the one that the next try can get past soonest. Its words name every model that was tried. */
export function failureOfAll(attempts: readonly FailedAttempt[]): ModelFailure {
  const [first] = attempts.toSorted(
    (one, other) =>
      hopeOf(one.failure.kind) - hopeOf(other.failure.kind) ||
      (one.failure.retryAfterMs ?? 0) - (other.failure.retryAfterMs ?? 0),
  )
  if (!first) return { kind: 'unknown', message: 'No model was tried.' }
  if (attempts.length === 1) return first.failure
  const tried = attempts
    .slice(0, LONGEST_LIST)
    .map(({ ref, failure }) => `${ref} (${failure.kind.replaceAll('_', ' ')})`)
  if (attempts.length > LONGEST_LIST) tried.push(`${attempts.length - LONGEST_LIST} more`)
  return { ...first.failure, message: `No model delivered: ${tried.join(', ')}. ${first.failure.message}` }
}

/** Less is more hopeful. */
function hopeOf(kind: FailureKind): number {
  if (!mayFailOver({ kind })) return 2
  return kind === 'unknown' ? 1 : 0
}
