/** Owns how much is done: everything by default, and a part of it where `COUNTERSIGN_E2E` is `small`. */

export const isSmall: boolean = process.env['COUNTERSIGN_E2E'] === 'small'

export function sized<T>(full: T, small: T): T {
  return isSmall ? small : full
}
