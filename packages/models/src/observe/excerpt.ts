/**
 * Owns how a long text is shortened: its beginning and its end stay, and it says how much is missing. Every piece is
 * masked whole before it is cut, so that no half of a secret is left over; what is not shown is not masked either.
 */

const between = '\n\n'

export function excerptOf(
  pieces: readonly string[],
  longest: number,
  mask: (text: string) => string,
): string {
  const half = Math.floor(longest / 2)
  const front: string[] = []
  const back: string[] = []
  let from = 0
  let to = pieces.length
  for (; from < to && lengthOf(front) < half; from += 1) front.push(mask(pieces[from] ?? ''))
  for (; from < to && lengthOf(back) < half; to -= 1) back.unshift(mask(pieces[to - 1] ?? ''))
  if (from < to) {
    const missing = lengthOf(front) + lengthOf(pieces.slice(from, to)) + lengthOf(back) - 2 * half
    return shortened(front.join(between), back.join(between), half, missing)
  }
  const text = [...front, ...back].join(between)
  return text.length <= longest ? text : shortened(text, text, half, text.length - 2 * half)
}

function shortened(head: string, tail: string, half: number, missing: number): string {
  return `${head.slice(0, half)}\n[${missing} characters left out]\n${tail.slice(-half)}`.toWellFormed()
}

function lengthOf(pieces: readonly string[]): number {
  return pieces.reduce((sum, piece) => sum + piece.length, between.length * Math.max(0, pieces.length - 1))
}
