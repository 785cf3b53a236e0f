/**
 * Owns when a provider is left alone. Closed: calls pass. Open: none does until its rest is over. Half-open: one probe
 * passes at a time, and its outcome closes or opens. Pure: a breaker is a value, and time is an argument.
 */
import type { SpentCall } from '@countersign/agent'

export interface Breaker {
  /** The newest last; whatever says nothing of the provider's state is not among them. */
  readonly verdicts: readonly { readonly at: number; readonly good: boolean }[]
  readonly rest: Rest | null
}

interface Rest {
  readonly since: number
  readonly until: number
  /** How often the rest was doubled; -1 while only a wait that the provider asked for. */
  readonly doublings: number
  readonly probeSince: number | null
}

export type BreakerState =
  | { readonly kind: 'closed' }
  | { readonly kind: 'open'; readonly until: number }
  | { readonly kind: 'half-open'; readonly probing: boolean }

export interface CallOutcome {
  readonly at: number
  readonly outcome: SpentCall['outcome']
  readonly retryAfterMs?: number | undefined
}

/** `bystander`: it was let through while the breaker was closed, and may have ended long after. */
export type ProbeRole = 'probe' | 'bystander'

const WINDOW_MS = 15 * 60_000
const LOOKS_BACK = 10
const FAILURES = 5
const FAILURES_IN_A_ROW = 3
const FIRST_REST_MS = 30_000
const LONGEST_REST_MS = 5 * 60_000
/** A probe that nobody ended does not block its provider for ever. */
const LONGEST_PROBE_MS = 5 * 60_000

export const closedBreaker: Breaker = { verdicts: [], rest: null }

export function stateOf({ rest }: Breaker, now: number): BreakerState {
  if (!rest) return { kind: 'closed' }
  // A clock that was set back would otherwise prolong the rest by as much.
  if (now < rest.until && now >= rest.since) return { kind: 'open', until: rest.until }
  return {
    kind: 'half-open',
    probing: rest.probeSince !== null && now >= rest.probeSince && now - rest.probeSince < LONGEST_PROBE_MS,
  }
}

export function withProbe(breaker: Breaker, now: number): Breaker {
  return breaker.rest ? { ...breaker, rest: { ...breaker.rest, probeSince: now } } : breaker
}

export function withoutProbe(breaker: Breaker): Breaker {
  return breaker.rest ? { ...breaker, rest: { ...breaker.rest, probeSince: null } } : breaker
}

export function afterCall(breaker: Breaker, call: CallOutcome, role: ProbeRole): Breaker {
  const good = verdictOf(call.outcome)
  if (good === undefined) return role === 'probe' ? withoutProbe(breaker) : breaker
  const { rest } = breaker
  const asked = call.outcome === 'rate_limited' ? Math.min(call.retryAfterMs ?? 0, LONGEST_REST_MS) : 0
  if (rest && role === 'probe') {
    if (good) return closedBreaker
    const doublings = rest.doublings + 1
    return resting(breaker, call.at, Math.max(asked, restMs(doublings)), doublings)
  }
  if (rest) {
    const until = Math.max(rest.until, call.at + asked)
    return asked > 0 ? { ...breaker, rest: { ...rest, until } } : breaker
  }
  const verdicts = [...breaker.verdicts, { at: call.at, good }]
    .filter(({ at }) => call.at - at < WINDOW_MS)
    .slice(-LOOKS_BACK)
  const next = { verdicts, rest: null }
  if (good) return next
  // Five of at most ten are half of them.
  const tooMany =
    verdicts.filter((verdict) => !verdict.good).length >= FAILURES ||
    (verdicts.length >= FAILURES_IN_A_ROW &&
      verdicts.slice(-FAILURES_IN_A_ROW).every((verdict) => !verdict.good))
  if (tooMany) return resting(next, call.at, Math.max(asked, FIRST_REST_MS), 0)
  return asked > 0 ? resting(next, call.at, asked, -1) : next
}

/** Nothing is held against a provider after a quarter of an hour without a call. */
export function isForgotten({ verdicts, rest }: Breaker, now: number): boolean {
  return verdicts.every(({ at }) => now - at >= WINDOW_MS) && (rest === null || now - rest.until >= WINDOW_MS)
}

/** Undefined where the outcome says nothing of the provider: the request was at fault, or somebody stopped it. */
function verdictOf(outcome: SpentCall['outcome']): boolean | undefined {
  switch (outcome) {
    case 'delivered':
      return true
    case 'timeout':
    case 'network':
    case 'unavailable':
    case 'rate_limited':
    // What was cut off is paid for and of no use.
    case 'truncated':
      return false
    default:
      return undefined
  }
}

function resting(breaker: Breaker, now: number, ms: number, doublings: number): Breaker {
  return { ...breaker, rest: { since: now, until: now + ms, doublings, probeSince: null } }
}

function restMs(doublings: number): number {
  return Math.min(FIRST_REST_MS * 2 ** doublings, LONGEST_REST_MS)
}
