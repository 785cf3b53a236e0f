/** Counts the rows that a text takes on a terminal, so that it can be taken off again. */
import { widthOf } from './columns.ts'

const tabStop = 8

/** How many rows the text covers, from the margin on. A text that ends with a line break stands on the row after it. */
export function rowsOf(text: string, width: number): number {
  let rows = 1
  let used = 0
  for (const character of text) {
    if (character === '\n') {
      rows += 1
      used = 0
      continue
    }
    const cells = character === '\t' ? tabStop - (used % tabStop) : widthOf(character)
    if (used + cells > width) {
      rows += 1
      used = 0
    }
    used += cells
  }
  return rows
}

/** One row at most: what is too long for it ends with a mark. Only for lines that are written over again. */
export function oneRow(text: string, width: number): string {
  if (widthOf(text) <= width) return text
  let kept = ''
  let used = 0
  for (const character of text) {
    const cells = widthOf(character)
    if (used + cells > width - 1) break
    kept += character
    used += cells
  }
  return `${kept}…`
}

/** Each row of a list in one row of the terminal; the rest of it is one command away. Through a pipe nothing is cut. */
export function cutRows(text: string, width: number | undefined): string {
  if (width === undefined) return text
  return text
    .split('\n')
    .map((row) => oneRow(row, width))
    .join('\n')
}
