/** Adds a column to a table. Refuses one that the records that are there could not have. */
import { TableColumn } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import type { RecordToolContext } from '../record-tool-context.ts'
import { recordEffect } from '../records/effects.ts'
import { keptLabel, tellingOf } from '../records/kept-label.ts'
import { recordUndo } from '../records/undo.ts'
import { failed, succeeded } from '../result.ts'
import { changeFacts, tableResource, tableText } from './facts.ts'
import {
  columnsInWords,
  type DataTable,
  findTable,
  mostColumns,
  noTable,
  rowsOf,
  tableData,
  tableProblem,
  tablesCollection,
} from './table.ts'

export const addCustomColumn = defineTool({
  ...changeFacts,
  name: 'add_custom_column',
  description: 'Add a column to a custom table. Existing records have no value in it.',
  input: z.strictObject({ table: tableText, column: TableColumn }),
  tags: ['column', 'schema', 'extend', 'new column', 'additional field'],
  runs: 'gateway',
  describe: ({ table, column }) => `Add the column ${column.name} (${column.type}) to the table ${table}`,
  preview: ({ table, column }) => ({
    kind: 'text',
    title: `New column of ${table}`,
    text: columnsInWords([column]),
  }),
  async effects({ table, column }, context) {
    const widened = await widen(table, column, context)
    if (widened.kind === 'invalid') return widened
    return {
      kind: 'found',
      resources: [tableResource(widened.table, 'write')],
      effects: [recordEffect('write', `the columns of the table ${table}`)],
    }
  },
  async run({ table, column }, context) {
    const widened = await widen(table, column, context)
    if (widened.kind === 'invalid') return failed(widened.reason)
    const { record: before } = widened.table
    const data = tableData(tableWith(widened.table, column))
    const label = keptLabel(context, before.label)
    const after = await context.records.replace(tablesCollection, table, before.version, data, label)
    const summary = `Added the column ${column.name} to the table ${table}`
    const undo = recordUndo([{ collection: tablesCollection, id: table, before, after }])
    return tellingOf([after], succeeded(`${summary}.`, summary, undo))
  },
})

type WidenedTable =
  | { readonly kind: 'widened'; readonly table: DataTable }
  | { readonly kind: 'invalid'; readonly reason: string }

async function widen(name: string, column: TableColumn, context: RecordToolContext): Promise<WidenedTable> {
  const table = await findTable(context.records, name)
  if (!table) return { kind: 'invalid', reason: noTable(name) }
  if (table.columns.length >= mostColumns)
    return { kind: 'invalid', reason: `The table ${name} has ${mostColumns} columns, which is the most.` }
  const problem = tableProblem(tableWith(table, column))
  if (problem !== undefined) return { kind: 'invalid', reason: problem }
  const rows = (await context.records.count(rowsOf(name))).get(rowsOf(name)) ?? 0
  if (column.required && rows > 0) {
    const reason = `${column.name} cannot be required: ${rows} records of ${name} would have no value in it.`
    return { kind: 'invalid', reason }
  }
  return { kind: 'widened', table }
}

function tableWith({ name, description, columns }: DataTable, column: TableColumn) {
  return {
    table: name,
    ...(description === undefined ? {} : { description }),
    columns: [...columns, column],
  }
}
