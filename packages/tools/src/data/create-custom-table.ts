/** Makes a table with typed columns. Refuses one for what has tools of its own. */
import { CustomTable } from '@countersign/contract'
import { defineTool, type EffectsResult } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { recordEffect, recordResource } from '../records/effects.ts'
import { keptLabel } from '../records/kept-label.ts'
import { recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { changeFacts } from './facts.ts'
import { columnsInWords, mostTables, tableData, tableProblem, tablesCollection } from './table.ts'

export const createCustomTable = defineTool({
  ...changeFacts,
  name: 'create_custom_table',
  version: '2',
  description:
    'Create a table for data that has no tools of its own. Never for tasks, notes, bookmarks, events or contacts.',
  input: CustomTable,
  tags: [
    'table',
    'database',
    'schema',
    'new',
    'make',
    'tracker',
    'track',
    'keep track',
    'set up',
    'dataset',
    'collection',
    'expenses',
    'inventory',
    'database of',
    'catalogue',
  ],
  runs: 'gateway',
  describe: ({ table, columns }) => `Create the table ${table} with ${columns.length} columns`,
  preview: ({ table, description, columns }) => ({
    kind: 'table',
    title: [`New table ${table}`, description ?? ''].filter((part) => part !== '').join(': '),
    columns: ['Column', 'Type', 'Rules'],
    rows: columns.map((column) => [column.name, column.type, rulesOf(column)]),
  }),
  async effects(args, context): Promise<EffectsResult> {
    const reason = await problemWith(args, context)
    if (reason !== undefined) return { kind: 'invalid', reason }
    return {
      kind: 'found',
      resources: [recordResource(tablesCollection, args.table, 'write', null)],
      effects: [recordEffect('write', `a new table ${args.table}`)],
    }
  },
  async run(args, context) {
    const reason = await problemWith(args, context)
    if (reason !== undefined) return failed(reason)
    const { table } = args
    const after = await context.records.insert(tablesCollection, table, tableData(args), keptLabel(context))
    const summary = `Created the table ${table}`
    const undo = recordUndo([{ collection: tablesCollection, id: table, before: null, after }])
    return succeeded(`${summary} with the columns ${columnsInWords(args.columns)}.`, summary, undo)
  },
})

async function problemWith(args: CustomTable, context: RecordToolContext): Promise<string | undefined> {
  const problem = tableProblem(args)
  if (problem !== undefined) return problem
  if (await context.records.get(tablesCollection, args.table))
    return `There is a table ${args.table} already. See its columns with describe_custom_table.`
  const count = (await context.records.count(tablesCollection)).get(tablesCollection) ?? 0
  return count >= mostTables ? `There are ${count} tables, which is the most. Delete one first.` : undefined
}

function rulesOf({ required, unique, options, default: usual }: CustomTable['columns'][number]): string {
  return [
    required ? 'required' : '',
    unique ? 'unique' : '',
    options ? options.join(' | ') : '',
    usual === undefined ? '' : `default ${JSON.stringify(usual)}`,
  ]
    .filter((rule) => rule !== '')
    .join(', ')
}
