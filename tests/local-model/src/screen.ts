/**
 * Owns what stands on a terminal after all that was written to it, from the first line on: lines that were written over
 * or taken away are gone, as they are for the person before it. Knows the movements that a line editor makes.
 */

export interface Screen {
  write(text: string): void
  /** Each row as it stands, the oldest first. */
  rows(): readonly string[]
}

const escape = '\u001b'
const bell = '\u0007'
const title = `${escape}\\][^${bell}]*`
/** A movement or colour, a title, another short sequence, or one character. */
const piece = new RegExp(`${escape}\\[([\\d;?]*)([A-Za-z])|${title}${bell}|${escape}.|[\\s\\S]`, 'gu')
/** A sequence whose end has not come yet. */
const begun = new RegExp(`(?:${escape}(?:\\[[\\d;?]*)?|${title})$`, 'u')

export function createScreen(columns: number): Screen {
  const rows: string[][] = [[]]
  let row = 0
  let column = 0
  let unread = ''

  const line = (at: number): string[] => {
    while (rows.length <= at) rows.push([])
    return rows[at] as string[]
  }

  function put(character: string): void {
    if (column === columns) {
      row += 1
      column = 0
    }
    const letters = line(row)
    while (letters.length < column) letters.push(' ')
    letters[column] = character
    column += 1
  }

  function move(end: string, given: string): void {
    const count = Number(given || '1')
    if (end === 'A') row = Math.max(0, row - count)
    else if (end === 'B') row += count
    else if (end === 'C') column = Math.min(columns - 1, column + count)
    else if (end === 'D') column = Math.max(0, column - count)
    else if (end === 'G') column = count - 1
    else if (end === 'J' || end === 'K') {
      line(row).length = Math.min(line(row).length, column)
      if (end === 'J') rows.length = row + 1
    }
  }

  function take(text: string, given: string | undefined, end: string | undefined): void {
    if (end !== undefined) move(end, given ?? '')
    else if (text === '\r') column = 0
    else if (text === '\n') row += 1
    else if (text === '\b') column = Math.max(0, column - 1)
    else if (text >= ' ' && !text.startsWith(escape)) put(text)
  }

  return {
    write(text) {
      const whole = unread + text
      const cut = begun.exec(whole)?.index ?? whole.length
      unread = whole.slice(cut)
      for (const [all, given, end] of whole.slice(0, cut).matchAll(piece)) take(all, given, end)
    },
    rows: () => rows.map((letters) => letters.join('').trimEnd()),
  }
}
