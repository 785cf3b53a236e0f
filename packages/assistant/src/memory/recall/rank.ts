/**
 * Owns the order of what was recalled: by meaning and words first, then by what still weighs and what is new. What
 * repeats another is left out, and what was corrected stands below its correction. Pure.
 */
import type { MemoryCandidate } from './candidate.ts'
import { type Comparable, comparableOf, kinshipOf, type Similarity } from './same.ts'
import { recencyOf, strengthOf } from './strength.ts'

export interface FoundMemory {
  readonly candidate: MemoryCandidate
  /** The cosine to the query; null where there is no vector to compare. */
  readonly likeness: number | null
  /** The share of the query's words that it has; zero for none. */
  readonly coverage: number
}

export interface RankedMemory {
  readonly candidate: MemoryCandidate
  readonly score: number
}

/** How much each counts beside the likeness of meaning, which counts as it is. */
export interface RankWeights {
  /** Of the square of the coverage: one shared word says little, all of them say nearly everything. */
  readonly coverage: number
  readonly strength: number
  readonly recency: number
  /** Two memories nearer than this are of the same matter. */
  readonly sameMatter: number
  /** How far a newer one is lifted over an older one, for each bit that they are nearer than that. */
  readonly lift: number
}

export const rankWeights: RankWeights = {
  coverage: 0.3,
  strength: 0.05,
  recency: 0.02,
  sameMatter: 0.5,
  lift: 2,
}

export function rank(
  found: readonly FoundMemory[],
  limit: number,
  now: Date,
  weights: RankWeights = rankWeights,
): readonly RankedMemory[] {
  const scored = found
    .map(({ candidate, likeness, coverage }) => ({
      candidate,
      score:
        (likeness ?? 0) +
        weights.coverage * Math.min(1, coverage) ** 2 +
        weights.strength * strengthOf(candidate, now) +
        weights.recency * recencyOf(candidate, now),
    }))
    .toSorted((one, other) => other.score - one.score || (one.candidate.id < other.candidate.id ? -1 : 1))
  return settled(scored.slice(0, compared(limit)), weights).slice(0, limit)
}

/**
 * The memories worth reading of those that were found. What was found by its words alone may be as near as the last of
 * the nearest and no nearer, or it would be among them.
 */
export function shortlist(
  coverage: ReadonlyMap<string, number>,
  likeness: ReadonlyMap<string, number>,
  limit: number,
  weights: RankWeights = rankWeights,
): readonly string[] {
  const furthest = Math.min(...likeness.values(), 1)
  const most = compared(limit) + spare
  return [...new Set([...likeness.keys(), ...coverage.keys()])]
    .map((id) => ({
      id,
      hope: (likeness.get(id) ?? furthest) + weights.coverage * Math.min(1, coverage.get(id) ?? 0) ** 2,
    }))
    .toSorted((one, other) => other.hope - one.hope)
    .slice(0, most)
    .map(({ id }) => id)
}

/** Each is compared with each; more than these are not worth it. */
function compared(limit: number): number {
  return Math.max(20, limit * 3)
}

/** For those that what still weighs, and what is new, bring forward. */
const spare = 10

interface ComparedMemory extends RankedMemory {
  readonly comparable: Comparable
}

/** Takes them one by one: a newer word on the same matter goes before the older, and a repetition nowhere. */
function settled(ranked: readonly RankedMemory[], weights: RankWeights): RankedMemory[] {
  const order: ComparedMemory[] = []
  for (const { candidate, score } of ranked) {
    const next = { candidate, score, comparable: comparableOf(candidate.content, candidate.vector) }
    const kin = order.map((each) => kinshipOf(each.comparable, next.comparable))
    const repeated = kin.findIndex(({ repeats }) => repeats)
    const older = order.findIndex((each, place) => goesBefore(next, each, kin[place], weights))
    const known = order[repeated]
    const above = order[older]
    if (known) {
      // Of two that say the same the newer stays, in the place of the better.
      if (isNewer(candidate, known.candidate)) order[repeated] = { ...next, score: known.score }
    } else if (above) order.splice(older, 0, { ...next, score: above.score })
    else order.push(next)
  }
  return order.map(({ candidate, score }) => ({ candidate, score }))
}

/** True when the next may be what is true by now. What happened does not correct what happened before. */
function goesBefore(
  next: ComparedMemory,
  older: ComparedMemory,
  kinship: Similarity | undefined,
  weights: RankWeights,
): boolean {
  if (corrects(next.candidate, older.candidate)) return true
  if (next.candidate.type === 'event' || older.candidate.type === 'event') return false
  const near = (kinship?.nearness ?? 0) - weights.sameMatter
  return (
    isNewer(next.candidate, older.candidate) && near > 0 && older.score - next.score <= near * weights.lift
  )
}

function isNewer(one: MemoryCandidate, other: MemoryCandidate): boolean {
  if (corrects(other, one)) return false
  return corrects(one, other) || one.toldAt.getTime() > other.toldAt.getTime()
}

function corrects(one: MemoryCandidate, other: MemoryCandidate): boolean {
  return one.corrects.includes(other.id)
}
