/** Reads CSV. */
import { z } from 'zod'
import { mostItems, text } from './bounds.ts'
import { answer, computing, refuse } from './computing.ts'
import { readCsv } from './csv.ts'

export const parseCsv = computing({
  name: 'parse_csv',
  version: '1',
  description: 'Parse CSV text into rows: objects by the names of the first line, or lists.',
  group: 'conversion',
  tags: ['table', 'spreadsheet', 'excel', 'comma separated', 'tsv', 'import', 'rows', 'read csv'],
  input: z.strictObject({
    csv: text,
    header: z.boolean().default(true),
    delimiter: z.enum([',', ';', '\t', '|']).default(','),
  }),
  describe: ({ csv }) => `Read CSV of ${csv.length} characters`,
  compute({ csv, header, delimiter }) {
    const read = readCsv(csv, delimiter, mostItems + 2)
    if (read.kind === 'refused') return read
    if (read.value.length > mostItems + 1)
      return refuse(`The CSV has more than ${mostItems} rows. Give fewer at a time.`)
    return answer(header ? named(read.value) : read.value)
  },
})

/** A name that comes again is numbered, and what stands beyond the names is kept under its place. */
function named([first = [], ...rows]: string[][]): Record<string, string>[] {
  const taken = new Map<string, number>()
  const names = first.map((name) => {
    const times = (taken.get(name) ?? 0) + 1
    taken.set(name, times)
    return times === 1 ? name : `${name}_${times}`
  })
  return rows.map((row) =>
    Object.fromEntries(row.map((value, index) => [names[index] ?? `column_${index + 1}`, value])),
  )
}
