/** Tells the columns of a table. */
import type { JsonObject } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { recordEffect } from '../records/effects.ts'
import { tellingOf } from '../records/kept-label.ts'
import { lines } from '../records/record-lines.ts'
import { failed, succeeded } from '../result.ts'
import { readFacts, tableResource, tableText } from './facts.ts'
import { findTable, noTable, rowsOf } from './table.ts'

export const describeCustomTable = defineTool({
  ...readFacts,
  name: 'describe_custom_table',
  description: 'Tell the columns of a custom table and how many records it has.',
  input: z.strictObject({ table: tableText }),
  tags: [
    'table',
    'database',
    'schema',
    'columns',
    'which columns',
    'fields',
    'structure',
    'what info',
    'keep in',
  ],
  runs: 'gateway',
  describe: ({ table }) => `Describe the table ${table}`,
  preview: ({ table }) => ({ kind: 'text', title: 'Describe table', text: table }),
  async effects({ table }, context) {
    const found = await findTable(context.records, table)
    if (!found) return { kind: 'invalid', reason: noTable(table) }
    return {
      kind: 'found',
      resources: [tableResource(found)],
      effects: [recordEffect('read', `the table ${table}`)],
    }
  },
  async run({ table }, context) {
    const found = await findTable(context.records, table)
    if (!found) return failed(noTable(table))
    const count = (await context.records.count(rowsOf(table))).get(rowsOf(table)) ?? 0
    const about = found.description === undefined ? '' : ` ${found.description}`
    const columns = lines(found.columns.map((column) => ({ ...column })) as JsonObject[])
    return tellingOf(
      [found.record],
      succeeded(`${table}: ${count} records.${about}\n${columns}`, `Described the table ${table}`),
    )
  },
})
