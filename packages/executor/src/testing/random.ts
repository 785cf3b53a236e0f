/** Randomness from a seed, so that a failing trial can be made again. */

export interface Random {
  /** A whole number from 0 up to, not including, `bound`. */
  below(bound: number): number
  pick<T>(items: readonly T[]): T
  shuffle<T>(items: readonly T[]): T[]
}

export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  return {
    below,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
    shuffle(items) {
      const left = [...items]
      const shuffled: (typeof items)[number][] = []
      while (left.length > 0) shuffled.push(...left.splice(below(left.length), 1))
      return shuffled
    },
  }
}
