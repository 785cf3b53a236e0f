/** Owns chance that comes out the same each time for the same seed. */

export type Random = () => number

/** From 0 up to 1. */
export function seeded(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function oneOf<T>(random: Random, all: readonly [T, ...T[]]): T {
  return all[Math.floor(random() * all.length)] ?? all[0]
}
