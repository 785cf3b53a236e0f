/** Owns what is counted of a journey. */

export const measures = [
  'transactions',
  'statements',
  'rows',
  'bytes',
  'events',
  'signatures',
  'verifications',
  'parses',
] as const

export type Measure = (typeof measures)[number]

export type Counts = Readonly<Record<Measure, number>>

/** One thing that was done, and by how much it counts. */
export interface CountedAct {
  readonly measure: Measure
  readonly text: string
  readonly by: number
}

export function countsOf(valueOf: (measure: Measure) => number): Counts {
  return Object.fromEntries(measures.map((measure) => [measure, valueOf(measure)])) as Counts
}

export function total(acts: readonly CountedAct[]): Counts {
  return countsOf((measure) => acts.reduce((sum, act) => sum + (act.measure === measure ? act.by : 0), 0))
}

/** The middle of an odd number of rounds, for each measure by itself. */
export function middle(rounds: readonly Counts[]): Counts {
  return countsOf((measure) => {
    const sorted = rounds.map((counts) => counts[measure]).toSorted((a, b) => a - b)
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
  })
}
