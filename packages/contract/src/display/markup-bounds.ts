/**
 * Tells text whose markup is not worth reading as such: so deep or so long that a reader of Markdown takes minutes or all
 * of the stack for it. Whoever shows it shows the words as they are.
 */
const longest = 200_000

/** Marks of quotes and lists at the start of a line: nothing nests deeper than they are long. */
const marks = /^(?:[ \t]*(?:>|(?:[-*+]|\d{1,9}[.)])(?=[ \t]|$)))+/gm
const deepest = 48

/** Emphasis is looked for in a whole paragraph, and addresses in a whole word, each in the square of its length. */
const mostEmphasis = 2_000
const longestWord = 5_000

export function isBeyondMarkup(text: string): boolean {
  if (text.length > longest) return true
  for (const [found] of text.matchAll(marks)) if (found.length > deepest) return true
  if (text.split(/\s+/).some(({ length }) => length > longestWord)) return true
  return text.split(/\n[ \t]*\n/).some((paragraph) => paragraph.split(/[*_~]/).length > mostEmphasis)
}
