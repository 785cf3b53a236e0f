/** Owns how long a decision waits before it is sent again. Pure: chance arrives as a number between 0 and 1. */

const firstMs = 400
const longestMs = 8_000

/** Doubles up to eight seconds; half of it is chance, so that many browsers do not come back at once. */
export function backoffMs(attempt: number, chance: number): number {
  const whole = Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 10))
  return Math.round(whole / 2 + (whole / 2) * chance)
}
