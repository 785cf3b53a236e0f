/**
 * Makes a file of expenses. It reads them and touches no file itself: the text is written by a call of write_file, which
 * goes through the door with all that the expenses were made from, and carries the undo.
 */
import { canonicalText, type JsonObject } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { queryOf, textIn } from '../records/collection.ts'
import { listing } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { counted } from '../records/record-lines.ts'
import { failed, succeeded } from '../result.ts'
import { pathText } from '../text.ts'
import { expenses } from './expenses.ts'
import { exportText } from './export-text.ts'
import { everyExpense } from './summary.ts'

export const exportExpenses = defineTool<JsonObject>({
  name: 'export_expenses',
  version: '1',
  description:
    'Export expenses to a CSV or JSON file in the workspace, expenses.csv or expenses.json unless a path is given.',
  input: expenses.narrowed.extend({
    format: z.enum(['csv', 'json']),
    path: pathText.exactOptional(),
  }) as unknown as z.ZodType<JsonObject>,
  category: 'finance',
  group: 'finance',
  tags: ['spreadsheet', 'excel', 'download', 'tax', 'accountant', 'save', 'file', 'spending', 'table'],
  effect: 'pure',
  floor: 0,
  output: recordLabel,
  runs: 'gateway',
  describe: (args) => `Export expenses to ${pathOf(args)}`,
  preview: (args) => fieldsCard('Export expenses', { ...args, path: pathOf(args) }),
  effects: async () => listing(expenses.name, expenses.name),
  async run({ format, path, ...given }, context) {
    const found = await everyExpense(context.records, queryOf(expenses, given, { limit: 1 }))
    if (found.length === 0) return failed('No expenses found, so there is nothing to export.')
    if (found.length > most)
      return failed(
        `There are ${found.length} expenses, and ${most} fit in a file. Export a year at a time: from and to.`,
      )
    const told = counted(found.length, 'expense', 'expenses')
    const content = exportText(found, format === 'json' ? 'json' : 'csv')
    const written = pathOf({ format: format ?? 'csv', ...(path === undefined ? {} : { path }) })
    const next = { tool: 'write_file', args: canonicalText({ path: written, content }) }
    return tellingOf(found, {
      ...succeeded(`${told} for ${written}.`, `Exported ${told} to ${written}`),
      next,
    })
  },
})

/** More would not fit in what an undo keeps of a file. */
const most = 2_000

function pathOf(args: JsonObject): string {
  return textIn(args, 'path') || `expenses.${textIn(args, 'format')}`
}
