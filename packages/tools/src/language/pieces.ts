/** Owns how a long text is cut, so that each piece fits into one question: at a blank line, a line, a sentence or a space. */

export const longestPiece = 8_000

/** Together they are the text again, to the byte. */
export function piecesOf(text: string, longest = longestPiece): string[] {
  const pieces: string[] = []
  let rest = text
  while (rest.length > longest) {
    const at = cutIn(rest, longest)
    pieces.push(rest.slice(0, at))
    rest = rest.slice(at)
  }
  return rest === '' ? pieces : [...pieces, rest]
}

const borders = [/\n\s*\n/g, /\n/g, /[.!?]\s/g, /\s/g]

/** As late as possible, and not so early that pieces become many. */
function cutIn(text: string, longest: number): number {
  const part = text.slice(0, longest)
  for (const border of borders) {
    const last = [...part.matchAll(border)].at(-1)
    const end = last ? last.index + last[0].length : 0
    if (end > longest / 2) return end
  }
  // Not between the two halves of a character.
  return /[\uD800-\uDBFF]$/.test(part) ? longest - 1 : longest
}
