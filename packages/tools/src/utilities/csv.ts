/**
 * Owns how CSV is written and read (RFC 4180, with any line end and rows of any length). Reads each character once. Refuses a quote
 * that does not end and text beside a quoted cell.
 */
import { answer, type ComputationResult, refuse } from './computing.ts'

/** The rows, without empty lines, until there are so many. */
export function readCsv(csv: string, delimiter: string, mostRows: number): ComputationResult<string[][]> {
  const text = csv.startsWith('\ufeff') ? csv.slice(1) : csv
  const rows: string[][] = []
  let row: string[] = []
  let at = 0
  while (at < text.length && rows.length < mostRows) {
    const cell = text[at] === '"' ? quotedCell(text, at) : plainCell(text, at, delimiter)
    if (cell.kind === 'refused') return cell
    const { content, end } = cell.value
    const next = text[end]
    if (next !== undefined && next !== delimiter && !isLineEnd(next))
      return refuse(`The CSV is not valid: text stands beside the quoted cell before character ${end + 1}.`)
    const isEmptyLine = row.length === 0 && end === at && next !== delimiter
    if (!isEmptyLine) row.push(content)
    if (next === delimiter && end + 1 === text.length) row.push('')
    at = next === '\r' && text[end + 1] === '\n' ? end + 2 : end + 1
    if (next !== delimiter || at >= text.length) {
      if (row.length > 0) rows.push(row)
      row = []
    } else if (isLineEnd(text[at] ?? '')) {
      // The line ends in a delimiter, so its last cell is empty.
      rows.push([...row, ''])
      row = []
      at += text[at] === '\r' && text[at + 1] === '\n' ? 2 : 1
    }
  }
  return answer(rows)
}

/** Without the line's end. */
export function csvLine(line: readonly string[], delimiter: string): string {
  // A line of one empty cell would be read as no line.
  if (line.length === 1 && line[0] === '') return '""'
  return line
    .map((cell) =>
      cell.includes(delimiter) || /["\r\n\ufeff]|^\s|\s$/.test(cell)
        ? `"${cell.replaceAll('"', '""')}"`
        : cell,
    )
    .join(delimiter)
}

interface Cell {
  readonly content: string
  /** Where what follows the cell begins. */
  readonly end: number
}

function plainCell(text: string, start: number, delimiter: string): ComputationResult<Cell> {
  let end = start
  while (end < text.length && text[end] !== delimiter && !isLineEnd(text[end] ?? '')) end += 1
  return answer({ content: text.slice(start, end), end })
}

function quotedCell(text: string, start: number): ComputationResult<Cell> {
  const pieces: string[] = []
  let from = start + 1
  for (;;) {
    const quote = text.indexOf('"', from)
    if (quote < 0) return refuse(`The CSV is not valid: the quote at character ${start + 1} does not end.`)
    pieces.push(text.slice(from, quote))
    if (text[quote + 1] !== '"') return answer({ content: pieces.join('"'), end: quote + 1 })
    from = quote + 2
  }
}

function isLineEnd(letter: string): boolean {
  return letter === '\n' || letter === '\r'
}
