/** Writes CSV. */
import { z } from 'zod'
import { rowList } from './bounds.ts'
import { answer, computing } from './computing.ts'
import { csvLine } from './csv.ts'
import { tableOf } from './rows.ts'

export const generateCsv = computing({
  name: 'generate_csv',
  version: '2',
  description: 'Generate CSV from a list of rows, each an object or a list.',
  group: 'conversion',
  tags: ['table', 'spreadsheet', 'excel', 'export', 'comma separated', 'tsv', 'write csv'],
  input: z.strictObject({
    data: rowList,
    columns: z.array(z.string().max(200)).min(1).max(500).exactOptional(),
    delimiter: z.enum([',', ';', '\t', '|']).default(','),
  }),
  describe: ({ data }) => `Write ${data.length} ${data.length === 1 ? 'row' : 'rows'} as CSV`,
  compute({ data, columns, delimiter }) {
    const table = tableOf(data, columns)
    if (table.kind === 'refused') return table
    const { columns: names, cells } = table.value
    const lines = names.length > 0 ? [names, ...cells] : cells
    return answer(lines.map((line) => csvLine(line, delimiter)).join('\n'))
  },
})
