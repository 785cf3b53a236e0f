/** Owns what the files of skills and plugins have in common: that they are what a card showed, and how one is read. */
import { skillChanges, skillReport, textIn } from '@countersign/contract/skills'
import type { FilesProblem } from '../capabilities.ts'
import { failed, sizeOf, succeeded } from '../result.ts'

/** Refuses files whose report, or whose difference to those that are there, is another one than was shown. */
export function asShown(
  report: readonly string[],
  replaces: { readonly changes: string } | null,
): FilesProblem {
  return (files, was) => {
    if (skillReport(files).join('\n') !== report.join('\n'))
      return 'The report on its files is another one than was shown.'
    const changes = was === undefined ? undefined : skillChanges(was, files)
    return changes === replaces?.changes ? undefined : 'What differs is not what was shown.'
  }
}

/** In characters. */
const mostAtOnce = 60_000

/** A part of a file, and how to read on. `of` says what it is a file of, `otherwise` what one that is no text is for. */
export function partOfFile(
  bytes: Uint8Array,
  { path, offset, of, otherwise = '' }: { path: string; offset: number; of: string; otherwise?: string },
) {
  const text = textIn(bytes)
  if (text === undefined) return failed(`${path} is no text, ${sizeOf(bytes.length)}.${otherwise}`)
  const part = text.slice(offset, offset + mostAtOnce).toWellFormed()
  const rest = text.length - offset - mostAtOnce
  const more = rest > 0 ? `\n[${rest} characters more, from offset ${offset + mostAtOnce}]` : ''
  return succeeded(`${part}${more}`, `Read ${path} of ${of}`)
}
