/** Owns what of a text can stand in a message: whole characters, lines and tabs, and no control characters. Pure. */

export function cleanText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(lineEnds, '\n')
    .replaceAll(/(?![\n\t])\p{Cc}/gu, '')
}

/** Other ends of lines: of other systems, of pages, of Unicode. */
const lineEnds = /\r\n?|\v|\f|\x85|\u2028|\u2029/g

/** So long at most, without half of a character. */
export function cutText(text: string, most: number): string {
  const cut = text.length > most ? text.slice(0, most) : text
  return cut.isWellFormed() ? cut : cut.replace(/[\ud800-\udbff]$/, '').toWellFormed()
}
