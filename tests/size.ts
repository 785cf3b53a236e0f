/** Owns how much is done: everything by default, and a part of it where `COUNTERSIGN_TESTS` is `small`. */

export const isSmall: boolean = process.env['COUNTERSIGN_TESTS'] === 'small'

export function sized<T>(full: T, small: T): T {
  return isSmall ? small : full
}

/** All of them, or one of so many. */
export function sampled<T>(all: readonly T[], every: number): readonly T[] {
  return isSmall ? all.filter((_, at) => at % every === 0) : all
}
