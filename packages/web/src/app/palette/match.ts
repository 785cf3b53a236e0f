/** Owns how typed letters find a thing: every letter in order, beginnings of words before their middles. Pure. */

/** Higher is better; 0 is no match. An empty query matches everything alike. */
export function matchScore(query: string, text: string): number {
  const wanted = folded(query).trim()
  if (wanted === '') return 1
  const where = folded(text)
  const words = wanted.split(/\s+/)
  let score = 0
  for (const word of words) {
    const found = wordScore(word, where)
    if (found === 0) return 0
    score += found
  }
  return score / words.length
}

function wordScore(word: string, text: string): number {
  const at = text.indexOf(word)
  if (at === 0) return 100 - Math.min(40, text.length - word.length) / 4
  if (at > 0) return isBoundary(text, at) ? 80 : 50
  return scattered(word, text)
}

/** Letters one after another, with gaps; each that begins a word counts more. */
function scattered(word: string, text: string): number {
  let at = -1
  let starts = 0
  for (const letter of word) {
    const next = text.indexOf(letter, at + 1)
    if (next < 0) return 0
    if (isBoundary(text, next)) starts += 1
    at = next
  }
  return starts * 2 < word.length ? 0 : 10 + (20 * starts) / word.length
}

function isBoundary(text: string, at: number): boolean {
  return at === 0 || /[^\p{L}\p{N}]/u.test(text[at - 1] ?? '')
}

function folded(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}
