/** Owns the measures of a list of numbers. Refuses those that no number can hold. */
import type { JsonObject } from '@countersign/contract'
import { answer, type ComputationResult, refuse } from './computing.ts'

export const measures = [
  'count',
  'sum',
  'mean',
  'median',
  'mode',
  'min',
  'max',
  'range',
  'variance',
  'std',
  'sampleVariance',
  'sampleStd',
  'q1',
  'q3',
  'iqr',
] as const
export type Measure = (typeof measures)[number]

export function figuresOf(
  numbers: readonly number[],
): ComputationResult<Record<Measure, number | number[] | null>> {
  const sorted = numbers.toSorted((left, right) => left - right)
  const count = sorted.length
  const sum = sumOf(sorted)
  const mean = sum / count
  const squares = sumOf(sorted.map((value) => (value - mean) ** 2))
  const [min = 0, max = 0] = [sorted[0], sorted[count - 1]]
  const [q1, median, q3] = [0.25, 0.5, 0.75].map((share) => quantile(sorted, share)) as [
    number,
    number,
    number,
  ]
  const single = {
    count,
    sum,
    mean,
    median,
    min,
    max,
    range: max - min,
    variance: squares / count,
    std: Math.sqrt(squares / count),
    sampleVariance: count > 1 ? squares / (count - 1) : null,
    sampleStd: count > 1 ? Math.sqrt(squares / (count - 1)) : null,
    q1,
    q3,
    iqr: q3 - q1,
  }
  if (Object.values(single).some((value) => value !== null && !Number.isFinite(value)))
    return refuse('The numbers are too large to reckon with. Divide them all by the same number first.')
  const told = Object.fromEntries(
    Object.entries(single).map(([name, value]) => [
      name,
      value === null ? null : Number(value.toPrecision(14)),
    ]),
  ) as Record<Exclude<Measure, 'mode'>, number | null>
  return answer({ ...told, mode: modesOf(sorted) })
}

export function pickFigures(figures: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, figures[name] ?? null]))
}

/** Kahan's: small numbers are not lost beside large ones. */
function sumOf(values: readonly number[]): number {
  let sum = 0
  let lost = 0
  for (const value of values) {
    const next = value - lost
    const total = sum + next
    lost = total - sum - next
    sum = total
  }
  return sum
}

/** Between two neighbours the value lies on the straight line that joins them. */
function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share
  const [low = 0, high = 0] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]]
  return low + (high - low) * (at - Math.floor(at))
}

/** The values that come most often, at most ten; none if each comes once. */
function modesOf(sorted: readonly number[]): number[] {
  const counts = new Map<number, number>()
  for (const value of sorted) counts.set(value, (counts.get(value) ?? 0) + 1)
  const most = [...counts.values()].reduce((left, right) => Math.max(left, right), 0)
  if (most < 2) return []
  return [...counts]
    .filter(([, count]) => count === most)
    .map(([value]) => value)
    .slice(0, 10)
}
