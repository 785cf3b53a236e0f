/** Breaks long lines between words. */
import { z } from 'zod'
import { text } from './bounds.ts'
import { answer, computing } from './computing.ts'

export const wrapText = computing({
  name: 'wrap_text',
  version: '1',
  description: 'Wrap a text at a width, breaking lines between words only.',
  group: 'textUtils',
  tags: ['line width', 'break', 'line breaks', 'columns', 'fold', 'reflow', 'format'],
  input: z.strictObject({ text, width: z.int().min(10).max(1000).default(80) }),
  describe: ({ width }) => `Wrap a text at ${width} characters`,
  compute: ({ text: given, width }) =>
    answer(
      given
        .split('\n')
        .map((line) => wrapped(line, width))
        .join('\n'),
    ),
})

function wrapped(line: string, width: number): string {
  if (line.length <= width) return line
  const rows: string[] = []
  let row = ''
  for (const word of line.split(/\s+/)) {
    if (row !== '' && row.length + 1 + word.length > width) {
      rows.push(row)
      row = word
    } else {
      row = row === '' ? word : `${row} ${word}`
    }
  }
  return [...rows, row].join('\n')
}
