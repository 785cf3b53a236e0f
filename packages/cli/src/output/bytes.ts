/** Says how many bytes, in the largest unit that fits. */
const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

export function bytesWords(bytes: number): string {
  let value = bytes
  let at = 0
  while (value >= 1_000 && at < units.length - 1) {
    value /= 1_000
    at += 1
  }
  return `${value < 10 && at > 0 ? value.toFixed(1) : Math.round(value)} ${units[at]}`
}
