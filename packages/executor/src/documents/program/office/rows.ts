/** Owns how a row of a sheet becomes a line: its number and its cells with tabs between, empty ones only where few are left out. */
import { unseenMark } from './notes.ts'

export interface SheetCell {
  /** From zero. */
  readonly column: number
  readonly text: string
}

const mostEmpty = 24

/** Piece by piece, so that what is too much is noticed before it is put together. */
export function putRow(
  row: number,
  cells: readonly SheetCell[],
  put: (text: string) => void,
  isHidden = false,
): void {
  const filled = cells.filter(({ text }) => text !== '')
  if (filled.length === 0) return
  put(isHidden ? `${row} ${unseenMark.hidden.trim()}` : String(row))
  let next = 0
  for (const { column, text } of filled) {
    const between = column - next
    put(between >= 0 && between <= mostEmpty ? '\t'.repeat(between + 1) : `\t[column ${columnName(column)}] `)
    put(text.replaceAll(/\s+/g, ' ').trim())
    next = column + 1
  }
  put('\n')
}

/** A, B, … Z, AA, as a sheet names them. */
export function columnName(column: number): string {
  let name = ''
  for (let left = Math.min(column, 100_000) + 1; left > 0; left = Math.floor((left - 1) / 26))
    name = String.fromCharCode(65 + ((left - 1) % 26)) + name
  return name
}

/** From zero; nothing where it is no name of a column. */
export function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? '')?.[0]
  if (letters === undefined) return undefined
  return letters.split('').reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1
}
