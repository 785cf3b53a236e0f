/** Reads durations as people write them: 90s, 10m, 1h30m, 2d. A bare number is refused, since its unit is a guess. */

const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Longest that a timer of this runtime can wait. */
const longest = 2 ** 31 - 1

/** Milliseconds, or undefined when the text is no duration. */
export function parseDuration(text: string): number | undefined {
  const parts = [...text.trim().matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/gy)]
  const length = parts.reduce((sum, part) => sum + part[0].length, 0)
  if (parts.length === 0 || length !== text.trim().length) return undefined
  const total = parts.reduce((sum, part) => sum + Number(part[1]) * units[part[2] as keyof typeof units], 0)
  return total > 0 && total <= longest ? Math.round(total) : undefined
}
