/** Owns the arithmetic of a score: which mutants are sampled, and how sure a share of them is. Pure. */
import type { Mutant } from './mutants.ts'

/** A mutant that no test can kill because it behaves as the original does, and why. */
export interface JudgedMutant {
  readonly file: string
  readonly text: string
  readonly from: string
  readonly to: string
  readonly reason: string
}

export function judgementOf(mutant: Mutant, judged: readonly JudgedMutant[]): JudgedMutant | undefined {
  return judged.find(
    ({ file, text, from, to }) =>
      file === mutant.file && text === mutant.text && from === mutant.from && to === mutant.to,
  )
}

/** The same seed chooses the same mutants of the same code. */
export function sampleOf<One>(all: readonly One[], size: number, seed: number): One[] {
  const next = randomFrom(seed)
  const left = [...all]
  const chosen: One[] = []
  while (chosen.length < size && left.length > 0) {
    chosen.push(...left.splice(Math.floor(next() * left.length), 1))
  }
  return chosen
}

/** The Wilson interval: holds for small samples and for shares near 1. */
export function interval95(hits: number, trials: number): readonly [number, number] {
  if (trials === 0) return [0, 1]
  const z = 1.96
  const share = hits / trials
  const middle = share + z ** 2 / (2 * trials)
  const half = z * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2))
  const whole = 1 + z ** 2 / trials
  return [Math.max(0, (middle - half) / whole), Math.min(1, (middle + half) / whole)]
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
