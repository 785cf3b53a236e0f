/** Writes a table in Markdown. */
import { z } from 'zod'
import { rowList } from './bounds.ts'
import { answer, computing, refuse } from './computing.ts'
import { tableOf } from './rows.ts'

export const createTable = computing({
  name: 'create_table',
  version: '1',
  description: 'Create a Markdown table from a list of rows, each an object or a list.',
  group: 'listOps',
  tags: ['markdown', 'columns', 'rows', 'grid', 'format', 'tabulate', 'as a table', 'side by side'],
  input: z.strictObject({
    rows: rowList,
    columns: z.array(z.string().max(200)).min(1).max(100).exactOptional(),
    align: z.enum(['left', 'right', 'center']).default('left'),
  }),
  describe: ({ rows }) => `Make a table of ${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`,
  compute({ rows, columns, align }) {
    const table = tableOf(rows, columns)
    if (table.kind === 'refused') return table
    // The first of the lists has the names, if nobody gave them.
    const [head = [], ...body] =
      table.value.columns.length > 0 ? [table.value.columns, ...table.value.cells] : table.value.cells
    if (head.length === 0) return refuse('The table has no columns. Give at least one row or the columns.')
    const rule = head.map(() => rules[align])
    const filled = body.map((cells) => head.map((_, index) => cells[index] ?? ''))
    return answer(
      [head.map(escaped), rule, ...filled.map((cells) => cells.map(escaped))].map(lineOf).join('\n'),
    )
  },
})

const rules = { left: '---', right: '---:', center: ':---:' }

function lineOf(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`
}

function escaped(cell: string): string {
  return cell.replace(/[\\|]/g, '\\$&').replace(/\r\n|\n|\r/g, '<br>')
}
