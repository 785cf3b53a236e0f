/** Owns how a text becomes lines of IRC that fit, and what a line says without its colours. Pure. */
import { plainMarkdown } from '../frame/plain-markdown.ts'

/** So many lines stand as they were written; more would take minutes to send, and are put together. */
const mostLines = 8
const between = ' · '

export interface IrcTextOptions {
  readonly format: 'markdown' | 'plain'
  /** Bytes of text in one line. */
  readonly room: number
}

/** At least one line, none of them empty. */
export function ircLines(text: string, { format, room }: IrcTextOptions): string[] {
  const shown = format === 'markdown' ? withoutFences(plainMarkdown(text)) : text
  const lines = shown
    .toWellFormed()
    .split(/\r\n|[\r\n\v\f\u0085\u2028\u2029]/)
    .map((line) => line.replaceAll('\t', '    ').replaceAll(/\p{Cc}/gu, ''))
    .filter((line) => line.trim() !== '')
  const fewer = lines.length > mostLines ? joined(lines, room) : lines
  return fewer.flatMap((line) => cut(line, room))
}

/** What somebody wrote, without colours and other codes. */
export function withoutCodes(text: string): string {
  return text
    .replaceAll(/\cC(?:\d{1,2}(?:,\d{1,2})?)?|\cD(?:[\da-fA-F]{6}(?:,[\da-fA-F]{6})?)?/g, '')
    .replaceAll('\t', ' ')
    .replaceAll(/\p{Cc}/gu, '')
}

const withoutFences = (text: string): string => text.replaceAll(/^\s*```.*$/gm, '')

function joined(lines: readonly string[], room: number): string[] {
  const together: string[] = []
  for (const line of lines) {
    const last = together.at(-1)
    const both = `${last}${between}${line}`
    if (last !== undefined && Buffer.byteLength(both) <= room) together[together.length - 1] = both
    else together.push(line)
  }
  return together
}

/** At a gap where there is one in the second half, and never within a character. */
function cut(line: string, room: number): string[] {
  const pieces: string[] = []
  let rest = line
  while (Buffer.byteLength(rest) > room) {
    let end = 0
    let size = 0
    for (const character of rest) {
      size += Buffer.byteLength(character)
      if (size > room) break
      end += character.length
    }
    const gap = rest.lastIndexOf(' ', end)
    if (gap > end / 2) end = gap
    pieces.push(rest.slice(0, end))
    rest = rest.slice(end).replace(/^ /, '')
  }
  return rest.trim() === '' ? pieces : [...pieces, rest]
}
