/**
 * Breaks text between words at the width of a terminal. What goes on stands below where it began: under its column, its
 * indentation, or behind the mark of somebody else's text, so that none of it comes to the margin.
 */
import { widthOf } from './columns.ts'

/** Narrower than this, a column is given up and the whole row goes on at its indentation. */
const narrowest = 24

/** Without a width, as through a pipe, nothing is broken. */
export function wrap(text: string, width: number | undefined): string {
  if (width === undefined || width < narrowest) return text
  return text
    .split('\n')
    .map((row) => (widthOf(row) <= width ? row : wrapRow(row, width)))
    .join('\n')
}

function wrapRow(row: string, width: number): string {
  const hang = hangOf(row, width)
  const room = widthOf(hang)
  const out: string[] = []
  let current = ''
  let used = 0
  // A word keeps the spaces before it, so that columns stay where they are. A key stays with what it does: `[d] deny`;
  // a number with its unit: `58 kB`.
  for (const [, spaces = '', word = ''] of row.matchAll(
    /( *)(\[\w\] [^ ]+|[^ ]*\d (?:B|kB|MB|GB|ms|s|min|h|%)(?![^ ,.;:)])[^ ]*|[^ ]+)/g,
  )) {
    const wide = widthOf(word)
    if (used > room && used + spaces.length + wide > width) {
      out.push(current)
      current = `${hang}${word}`
      used = room + wide
    } else {
      current += spaces + word
      used += spaces.length + wide
    }
  }
  return [...out, current].join('\n')
}

/** What a row that goes on begins with. */
function hangOf(row: string, width: number): string {
  // Painted rows begin with the painting; it takes no room.
  const plain = row.replace(painting, '')
  const [lead = ''] = /^ *(?:│ )?/.exec(plain) ?? []
  if (lead.includes('│')) return lead
  const [mark] = /^ *[✓✗●○⏸⏳⚠•] /u.exec(plain) ?? []
  if (mark !== undefined) return ' '.repeat(widthOf(mark))
  // The last column that leaves room; what stands behind a long one is only its end.
  const column = Math.max(
    0,
    ...Array.from(plain.matchAll(/ {2,}(?=[^ ])/g), ({ index, 0: gap }) =>
      widthOf(plain.slice(0, index + gap.length)),
    ).filter((start) => width - start >= narrowest),
  )
  return column > lead.length ? ' '.repeat(column) : lead
}

// oxlint-disable-next-line no-control-regex
const painting = /\u001b\[[\d;]*m/g
