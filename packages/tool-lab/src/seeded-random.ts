/** Owns chance that can be repeated: the same seed gives the same throws on every machine. */

export interface SeededRandom {
  /** From 0 to `most`, each included. */
  int(most: number): number
  pick<T>(list: readonly [T, ...T[]]): T
  /** True so often of a hundred times. */
  chance(percent: number): boolean
}

export const mostSeed = 0xffff_ffff

export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b_79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const int = (most: number) => Math.floor(next() * (Math.floor(most) + 1))
  return {
    int,
    pick: (list) => list[int(list.length - 1)] ?? list[0],
    chance: (percent) => next() * 100 < percent,
  }
}
