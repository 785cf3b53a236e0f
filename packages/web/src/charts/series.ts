/** Owns the shape of what is drawn over time, and the sums that charts need. Pure, and without a library. */
import type { Shade } from './shades.ts'

export interface Series {
  readonly key: string
  /** What people call it. */
  readonly label: string
  readonly shade: Shade
}

/** One place on the axis of time, with a value for each series; a series that is missing has none there. */
export interface Moment {
  readonly key: string
  /** Under the axis. */
  readonly label: string
  readonly values: Readonly<Record<string, number>>
  /** Not happened yet: drawn hatched. */
  readonly expected?: boolean | undefined
}

export const totalOf = ({ values }: Moment): number =>
  Object.values(values).reduce((sum, value) => sum + value, 0)

/** The highest thing that is drawn, with the limit, so that its line is on the picture. */
export function highest(moments: readonly Moment[], limit: number | null = null): number {
  return Math.max(limit ?? 0, ...moments.map(totalOf), 0)
}

/** Whether there are only whole numbers, as of things that are counted. */
export function isCounted(moments: readonly Moment[]): boolean {
  return moments.every(({ values }) => Object.values(values).every(Number.isInteger))
}

/** Each moment with everything before it. */
export function runningTotal(moments: readonly Moment[]): readonly Moment[] {
  const sums: Record<string, number> = {}
  return moments.map((moment) => {
    for (const [key, value] of Object.entries(moment.values)) sums[key] = (sums[key] ?? 0) + value
    return { ...moment, values: { ...sums } }
  })
}

/** The series with most first; whatever is beyond `most` is one series of its own. */
export function largest(
  totals: ReadonlyMap<string, number>,
  most: number,
): { readonly shown: readonly string[]; readonly rest: readonly string[] } {
  const ordered = [...totals]
    .toSorted(([one, left], [other, right]) => right - left || (one < other ? -1 : 1))
    .map(([key]) => key)
  return ordered.length <= most
    ? { shown: ordered, rest: [] }
    : { shown: ordered.slice(0, most - 1), rest: ordered.slice(most - 1) }
}
