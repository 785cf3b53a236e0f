/** Lays rows out in aligned columns. Nothing is cut; a cell that is too wide pushes its row only. */
import { stripVTControlCharacters } from 'node:util'

const gap = '  '
/** A wider cell does not move the others of its column: a long name would carry them out of sight. */
const widestShared = 100

/** Every column but the last is padded to the widest of its cells that the others can follow. */
export function columns(rows: readonly (readonly string[])[]): string {
  const widths: number[] = []
  for (const row of rows) {
    for (const [at, cell] of row.entries()) {
      const width = widthOf(cell)
      if (width <= widestShared) widths[at] = Math.max(widths[at] ?? 0, width)
    }
  }
  return rows
    .map((row) =>
      row
        .map((cell, at) => pad(cell, at === row.length - 1 ? 0 : (widths[at] ?? 0)))
        .join(gap)
        .trimEnd(),
    )
    .join('\n')
}

/** Indents every line, so that no line of somebody else's text can stand where ours do. */
export function indent(text: string, by = '  '): string {
  return text
    .split('\n')
    .map((line) => `${by}${line}`)
    .join('\n')
}

/** How many cells of a terminal the text takes. */
export function widthOf(cell: string): number {
  let width = 0
  for (const character of stripVTControlCharacters(cell))
    width += isWide(character.codePointAt(0) ?? 0) ? 2 : 1
  return width
}

function pad(cell: string, width: number): string {
  return cell + ' '.repeat(Math.max(0, width - widthOf(cell)))
}

/** East Asian wide forms and pictographs, which terminals draw over two cells. */
function isWide(point: number): boolean {
  return (
    (point >= 0x1100 && point <= 0x115f) ||
    (point >= 0x2e80 && point <= 0xa4cf) ||
    (point >= 0xac00 && point <= 0xd7a3) ||
    (point >= 0xf900 && point <= 0xfaff) ||
    (point >= 0xfe30 && point <= 0xfe6f) ||
    (point >= 0xff00 && point <= 0xff60) ||
    (point >= 0x1f300 && point <= 0x1faff) ||
    (point >= 0x20000 && point <= 0x3fffd)
  )
}
