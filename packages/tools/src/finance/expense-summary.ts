/** Says what expenses come to, by category, time, payee or tag. */
import { ExpenseGroup, type JsonObject } from '@countersign/contract'
import { z } from 'zod'
import { defineTool } from '../definition.ts'
import { fieldsCard } from '../records/cards.ts'
import { queryOf, textIn } from '../records/collection.ts'
import { listing } from '../records/effects.ts'
import { recordLabel, tellingOf } from '../records/kept-label.ts'
import { counted, lines } from '../records/record-lines.ts'
import { succeeded } from '../result.ts'
import { expenses } from './expenses.ts'
import { everyExpense, summaryOf } from './summary.ts'

export const expenseSummary = defineTool<JsonObject>({
  name: 'expense_summary',
  version: '1',
  description:
    'Add up expenses by category, day, month, year, payee, payment method or tag. Sums are of one currency each.',
  input: expenses.narrowed.extend({
    by: ExpenseGroup.default('category'),
    search: z.string().max(500).exactOptional(),
  }) as unknown as z.ZodType<JsonObject>,
  category: 'finance',
  group: 'finance',
  tags: [
    'how much',
    'spent',
    'spending',
    'total',
    'sum',
    'report',
    'statistics',
    'budget',
    'per month',
    'money',
    'where does my money go',
    'analytics',
  ],
  effect: 'pure',
  floor: 0,
  output: recordLabel,
  runs: 'gateway',
  describe(args) {
    const { by: _, ...rest } = args
    const narrowed = Object.keys(rest).map((name) => `${name} ${textIn(args, name)}`)
    return [`Add up expenses by ${textIn(args, 'by')}`, ...narrowed].join(', ')
  },
  preview: (args) => fieldsCard('Add up expenses', args),
  effects: async () => listing(expenses.name, expenses.name),
  async run({ by, ...given }, context) {
    const found = await everyExpense(context.records, queryOf(expenses, given, { limit: 1 }))
    const group = ExpenseGroup.parse(by)
    const summary = summaryOf(found, group)
    if (found.length === 0) return succeeded('No expenses found.', 'Found no expenses')
    const totals = summary.totals.map(({ amount, currency }) => `${amount} ${currency}`)
    const told = counted(found.length, 'expense', 'expenses')
    const parts = [
      `${told}, ${totals.join(' and ')} in all. By ${group}:`,
      lines(
        summary.lines
          .slice(0, mostLines)
          .map(({ key, ...line }) => ({ [group]: key === '' ? null : key, ...line })),
      ),
      ...(summary.lines.length > mostLines
        ? [`${summary.lines.length - mostLines} more lines are left out; narrow the summary down.`]
        : []),
    ]
    return tellingOf(found, succeeded(parts.join('\n'), `${told}: ${totals.join(', ')}`))
  },
})

const mostLines = 200
