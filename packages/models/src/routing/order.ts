/** Owns which candidate is asked first. Pure and the same every time: what is still equal goes by reference. */
import type { Strategy } from '@countersign/contract'
import type { Candidate } from './candidate.ts'
import type { Health, Latency } from './health.ts'

/** A ten-thousandth of a dollar. Below it a difference in price is nobody's concern. */
const NEGLIGIBLE_NANOS = 100_000
/** A dearest candidate is preferred to a cheapest when it is more than twice as good. */
const DEAREST_COUNTS = 0.5

/**
 * - `cheapest`: the expected cost, then the quality.
 * - `smartest`: the quality, then the expected cost.
 * - `fastest`: the median time to the first token, made longer by the share of calls that failed; then those without
 *   calls; then those of which half or more failed.
 * - `balanced`: the quality times the thrift. Thrift falls with the logarithm of the cost, from 1 for the cheapest
 *   candidate to a half for the dearest.
 * - `fallback`: the operator's order, then the quality.
 */
export function orderCandidates(
  strategy: Strategy,
  candidates: readonly Candidate[],
  health: Pick<Health, 'latency'>,
): readonly Candidate[] {
  const rank = rankOf(strategy, candidates, health)
  return candidates
    .map((candidate) => ({ candidate, rank: rank(candidate) }))
    .toSorted((one, other) => compare(one.rank, other.rank) || byRef(one.candidate, other.candidate))
    .map(({ candidate }) => candidate)
}

/** Compared from left to right; less comes first. */
type Rank = readonly number[]

function rankOf(
  strategy: Strategy,
  candidates: readonly Candidate[],
  health: Pick<Health, 'latency'>,
): (candidate: Candidate) => Rank {
  switch (strategy) {
    case 'cheapest':
      return ({ expectedNanos, facts }) => [expectedNanos, -facts.quality]
    case 'smartest':
      return ({ expectedNanos, facts }) => [-facts.quality, expectedNanos]
    case 'fastest':
      return ({ ref }) => slownessOf(health.latency(ref))
    case 'fallback':
      return ({ place, facts }) => [place, -facts.quality]
    case 'balanced': {
      const thrift = thriftAmong(candidates)
      return ({ expectedNanos, facts }) => [-facts.quality * thrift(expectedNanos), expectedNanos]
    }
  }
}

function slownessOf({ calls, failures, medianMs }: Latency): Rank {
  if (calls === 0) return [1, 0]
  const failed = failures / calls
  if (failed >= 0.5) return [2, failed]
  return medianMs === null ? [1, 0] : [0, medianMs / (1 - failed)]
}

function thriftAmong(candidates: readonly Candidate[]): (nanos: number) => number {
  const sizeOf = (nanos: number) => Math.log(Math.max(nanos, NEGLIGIBLE_NANOS))
  let least = Number.POSITIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (const { expectedNanos } of candidates) {
    least = Math.min(least, sizeOf(expectedNanos))
    most = Math.max(most, sizeOf(expectedNanos))
  }
  return (nanos) => (most > least ? 1 - ((sizeOf(nanos) - least) / (most - least)) * (1 - DEAREST_COUNTS) : 1)
}

function compare(one: Rank, other: Rank): number {
  for (const [index, value] of one.entries()) {
    const difference = value - (other[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function byRef(one: Candidate, other: Candidate): number {
  return one.ref < other.ref ? -1 : Number(one.ref > other.ref)
}
