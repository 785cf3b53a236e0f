/** Adds one record to a table. */
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { addRows, rowsToAdd } from './add-rows.ts'
import { changeFacts, dataShape, tableText } from './facts.ts'

export const addCustomRecord = defineTool({
  ...changeFacts,
  name: 'add_custom_record',
  description: 'Add a record to a custom table, by column.',
  input: z.strictObject({ table: tableText, data: dataShape }),
  tags: [
    'table',
    'row',
    'entry',
    'insert',
    'save',
    'log',
    'log that',
    'track',
    'tracker',
    'database',
    'expense',
    'expenses',
    'spent',
    'workout',
    'record',
    'weight',
    'measurement',
  ],
  runs: 'gateway',
  describe: ({ table }) => `Add a record to the table ${table}`,
  preview: ({ table, data }) => fieldsCard(`New record of ${table}`, data),
  effects: ({ table, data }, context) => rowsToAdd(table, [data], context),
  run: ({ table, data }, context) => addRows(table, [data], context),
})
