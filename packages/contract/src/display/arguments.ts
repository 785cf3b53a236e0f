/**
 * Owns how the sealed arguments of a call are shown: one line for each value, under the path that leads to it. Nothing
 * is left out; what is long is folded and says how long it is, and whoever decides must be able to unfold it.
 */
import type { Card, Preview } from '../card.ts'
import { parseStrict } from '../json/strict.ts'
import type { JsonValue } from '../json/value.ts'
import { forDisplay } from './sanitise.ts'

export interface ArgumentLine {
  /** As `headers.accept` or `items[2].title`. Safe to show. */
  readonly path: string
  /** On one line, safe to show, folded where it is long. */
  readonly text: string
  /** The whole value, safe to show, on as many lines as it has. */
  readonly whole: string
  readonly isFolded: boolean
}

/** A longer value is folded on a line. */
export const longestArgument = 160

/** Text that is not canonical arguments is shown as one value, so nothing can hide by being malformed. */
export function argumentLines(args: string): ArgumentLine[] {
  const parsed = parseStrict(args)
  if (parsed.kind === 'refused') return [lineOf('arguments', args)]
  return leavesOf('', parsed.value as JsonValue)
}

/** The folded values that the preview does not hold whole: they must be read before a decision. */
export function argumentsToRead({ args, preview }: Pick<Card, 'args' | 'preview'>): ArgumentLine[] {
  const shown = stringsIn(preview)
  return argumentLines(args).filter(
    ({ isFolded, whole }) => isFolded && !shown.some((text) => text.includes(whole)),
  )
}

function stringsIn(value: Preview | readonly unknown[]): string[] {
  return Object.values(value).flatMap((each: unknown) => {
    if (typeof each === 'string') return [each]
    return Array.isArray(each) ? stringsIn(each) : []
  })
}

function leavesOf(path: string, value: JsonValue): ArgumentLine[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((each, index) => leavesOf(`${path}[${index}]`, each))
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    const entries = Object.entries(value)
    if (entries.length > 0)
      return entries.flatMap(([name, each]) => leavesOf(path === '' ? name : `${path}.${name}`, each))
    if (path === '') return []
  }
  return [lineOf(path, typeof value === 'string' ? value : JSON.stringify(value))]
}

function lineOf(path: string, value: string): ArgumentLine {
  const line = forDisplay(value).text
  const isFolded = line.length > longestArgument
  return {
    path: forDisplay(path).text,
    text: isFolded ? `${cut(line)}… (${value.length} characters)` : line,
    whole: forDisplay(value, { multiline: true }).text,
    isFolded,
  }
}

/** Never in the middle of an escape or of a character. */
function cut(line: string): string {
  const short = line.slice(0, longestArgument)
  const open = short.lastIndexOf('⟨')
  return (open > short.lastIndexOf('⟩') ? short.slice(0, open) : short).toWellFormed()
}
