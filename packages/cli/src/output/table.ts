/**
 * Lays records out: side by side where the terminal is wide enough, or with one column that goes on below itself, or else
 * one below the other. Nothing is cut.
 */
import { columns, indent, widthOf } from './columns.ts'

const margin = '  '

/** Without a width, as through a pipe, the columns are always taken. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number | undefined,
): string {
  const used = header.map((_title, at) => rows.some((row) => (row[at] ?? '') !== ''))
  const kept = (row: readonly string[]) => row.filter((_cell, at) => used[at] === true)
  const wide = columns([kept(header), ...rows.map(kept)])
  if (width === undefined || wide.split('\n').every((each) => widthOf(each) <= width)) return wide
  return (
    withOneFolded(kept(header), rows.map(kept), width) ??
    rows.map((row) => stacked(header, row, width)).join('\n\n')
  )
}

/** Narrower than this, a column is hard to read. */
const narrowest = 16

/** The widest column that can be folded is; undefined where none can. */
function withOneFolded(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width: number,
): string | undefined {
  const widths = header.map((title, at) =>
    Math.max(...[title, ...rows.map((row) => row[at] ?? '')].map(widthOf)),
  )
  const all = widths.reduce((sum, each) => sum + each, 0) + margin.length * (widths.length - 1)
  const [folded] = widths
    .map((each, at) => ({ at, each, room: width - (all - each) }))
    .filter(({ at, room }) => room >= Math.max(narrowest, longestWord(rows, at)))
    .toSorted((left, right) => right.each - left.each)
  if (folded === undefined) return undefined
  const lines = rows.flatMap((row) =>
    wrapped(row[folded.at] ?? '', folded.room).map((part, index) =>
      row.map((cell, at) => (at === folded.at ? part : index === 0 ? cell : '')),
    ),
  )
  return columns([header, ...lines])
}

function longestWord(rows: readonly (readonly string[])[], at: number): number {
  return Math.max(0, ...rows.flatMap((row) => (row[at] ?? '').split(' ').map(widthOf)))
}

function stacked(header: readonly string[], row: readonly string[], width: number): string {
  const facts = header.flatMap((title, at) => (at === 0 || !row[at] ? [] : [[title, row[at]] as const]))
  const titles = Math.max(0, ...facts.map(([title]) => widthOf(title)))
  const room = width - margin.length - titles - margin.length
  const lines = facts.flatMap(([title, value]) =>
    wrapped(value, room).map((part, at) => [at === 0 ? title : '', part]),
  )
  return [row[0] ?? '', ...(lines.length === 0 ? [] : [indent(columns(lines), margin)])].join('\n')
}

/** Breaks between words. A word that is longer than the line stays whole. */
export function wrapped(text: string, width: number): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || widthOf(last) + 1 + widthOf(word) > width) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}
