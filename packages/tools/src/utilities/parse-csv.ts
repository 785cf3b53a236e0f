/** Reads CSV. */
import { z } from 'zod'
import { mostItems, text } from './bounds.ts'
import { answer, brief, computing, refuse } from './computing.ts'

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
  async compute({ csv, header, delimiter }) {
    const { CsvError, parse } = await import('csv-parse/sync')
    try {
      const rows: string[][] = parse(csv, {
        bom: true,
        delimiter,
        record_delimiter: ['\r\n', '\n', '\r'],
        relax_column_count: csv.split(/[\r\n]/).length <= mostUneven,
        skip_empty_lines: true,
        to: mostItems + 2,
      })
      if (rows.length > mostItems + 1)
        return refuse(`The CSV has more than ${mostItems} rows. Give fewer at a time.`)
      return answer(header ? named(rows) : rows)
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      const hint = error.code === 'CSV_RECORD_INCONSISTENT_FIELDS_LENGTH' ? uneven : ''
      return refuse(`The CSV is not valid: ${brief(error.message, 200)}.${hint}`)
    }
  },
})

/** The parser spends long on each row whose length is not that of the first. */
const mostUneven = 1000
const uneven = ` Rows of different lengths are read only up to ${mostUneven} lines at a time.`

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
