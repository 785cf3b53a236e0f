/** Owns what a family of hostile servers is: one kind of attack, varied by the seed. */
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { ExtensionBench } from './bench.ts'

export interface Family {
  readonly name: string
  /** Those that break what stops this family. */
  readonly mutants: readonly string[]
  /** One hostile server. Says what went wrong; nothing where all held. `round` counts the servers of this family. */
  attempt(bench: ExtensionBench, random: Random, round: number): Promise<readonly string[]>
}

/** One after the other, so that a few rounds see each of them. */
export function turn<T>(items: readonly T[], round: number): T {
  const item = items[round % items.length]
  if (item === undefined) throw new Error('nothing to take turns with')
  return item
}
