/** Owns how a list or a text is kept short. */

/** A list with one more at its end, the oldest left out where it would grow too long. */
export function appendBounded<Value>(list: readonly Value[], value: Value, most: number): Value[] {
  return [...list.slice(Math.max(0, list.length - most + 1)), value]
}

/** The beginning of a text, and how many characters were cut off. Never half a character. */
export function beginningOf(text: string, most: number): { text: string; cut: number } {
  if (text.length <= most) return { text, cut: 0 }
  const start = text.slice(0, most)
  const whole = start.isWellFormed() || !text.isWellFormed() ? start : start.slice(0, -1)
  return { text: whole, cut: text.length - whole.length }
}
