/** Makes a table of what a text lists. */
import { z } from 'zod'
import { succeeded } from '../result.ts'
import { brief } from '../utilities/computing.ts'
import { longestPiece } from './pieces.ts'
import { NoAnswer, working } from './working.ts'

/** Columns are chosen once, so all of the text goes into one question. */
const longestSource = 3 * longestPiece

export const extractTableData = working({
  name: 'extract_table_data',
  version: '1',
  description: 'Extract a table from a text that lists things: columns and rows.',
  group: 'dataExtraction',
  tags: ['table', 'rows', 'columns', 'list to table', 'spreadsheet', 'tabular'],
  input: z.strictObject({
    text: z.string().min(1).max(longestSource),
    columns: z.array(z.string().min(1).max(100)).min(1).max(30).optional(),
  }),
  describe: ({ text }) => `Make a table of “${brief(text)}”`,
  async work({ text, columns }, ask) {
    const wanted = columns ? ` Its columns are ${JSON.stringify(columns)}.` : ' Choose its columns.'
    const table = await ask({
      instruction: `Make a table of what the text lists.${wanted} Each row has a cell for each column, as it stands in the text, or an empty one.`,
      text,
      form: z.strictObject({
        columns: z.array(z.string()).min(1).max(30),
        rows: z.array(z.array(z.string())).max(1_000),
      }),
      mostTokens: 8_000,
    })
    if (columns && JSON.stringify(columns) !== JSON.stringify(table.columns))
      throw new NoAnswer('the model chose other columns')
    const uneven = table.rows.find((row) => row.length !== table.columns.length)
    if (uneven) throw new NoAnswer(`a row has ${uneven.length} cells for ${table.columns.length} columns`)
    return succeeded(JSON.stringify(table), `Made a table of ${table.rows.length} rows`)
  },
})
