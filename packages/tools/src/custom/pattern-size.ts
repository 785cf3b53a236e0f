/**
 * Owns how large a regular expression becomes when it is compiled: a part that is repeated up to a number is written out so
 * often. Never says too little, and takes no longer than the pattern is.
 */

interface Level {
  /** What was written out before. */
  sum: number
  /** The part that a repetition would repeat. */
  last: number
}

export function patternSize(pattern: string): number {
  const levels: Level[] = [{ sum: 0, last: 0 }]
  const here = () => levels.at(-1) ?? { sum: 0, last: 0 }
  const add = (size: number) => {
    const level = here()
    level.sum += level.last
    level.last = size
  }
  for (const [token, least, , most] of pattern.matchAll(tokens)) {
    if (token === '(') levels.push({ sum: 0, last: 0 })
    else if (token === ')' && levels.length > 1) {
      const { sum, last } = levels.pop() ?? here()
      add(sum + last + 2)
    } else if (least !== undefined) here().last *= Math.max(1, Number(least), Number(most ?? 0)) + 1
    else if (/^[*+?|]$/.test(token)) here().last += 2
    else add(1)
  }
  return levels.reduce((size, { sum, last }) => size + sum + last, 0)
}

/** A number of repetitions, an escape, a class of characters, or one character. */
const tokens = /\{(\d+)(,(\d*))?\}|\\[pPxu]\{[^}]*\}|\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|./gsu
