/** Owns what a bench is: figures measured in one run, and the goals that some of them have. */

export interface Bench {
  readonly name: string
  readonly about: string
  run(options: BenchOptions): Promise<BenchResult>
}

export interface BenchOptions {
  /** Shorter, for a busy machine: ratios then have slack, and times are only told. */
  readonly small: boolean
  /** Messages a second, for a machine that is slower or faster than the goal has in mind; undefined for that of the goal. */
  readonly rate?: number | undefined
  /** One readable line about what goes on. */
  note(line: string): void
}

export interface BenchResult {
  readonly figures: Figures
  readonly goals: readonly Goal[]
}

export type Figure =
  | number
  | string
  | boolean
  | null
  | readonly number[]
  | { readonly [name: string]: Figure }
export type Figures = Readonly<Record<string, Figure>>

export interface Goal {
  readonly name: string
  readonly value: number
  /**
   * A ratio compares two things of one run; a time depends on the machine; memory on when it was last collected; a
   * size on none of these.
   */
  readonly kind: 'ratio' | 'time' | 'memory' | 'size'
  readonly limit: { readonly atLeast: number } | { readonly atMost: number }
}

export type Slack = 'none' | 'small'

/** How far a goal of each kind may be missed by a small run: a time on a shared machine shows nothing. */
const smallSlack: Readonly<Record<Goal['kind'], number>> = {
  ratio: 3,
  memory: 1.5,
  time: Number.POSITIVE_INFINITY,
  size: 1,
}

export function isMet(goal: Goal, slack: Slack): boolean {
  const factor = slack === 'small' ? smallSlack[goal.kind] : 1
  if (!Number.isFinite(goal.value)) return false
  return 'atLeast' in goal.limit
    ? goal.value >= goal.limit.atLeast / factor
    : goal.value <= goal.limit.atMost * factor
}

export function limitText({ limit }: Goal): string {
  return 'atLeast' in limit ? `≥ ${limit.atLeast}` : `≤ ${limit.atMost}`
}
