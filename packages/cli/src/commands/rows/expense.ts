/** The rows of `countersign expense`. */
import type { CommandRow, OptionRow } from '../../command-row.ts'

export const expenseSummary = 'what you spent'

const narrowed: readonly OptionRow[] = [
  { flags: '--from <date>', summary: 'first day, such as 2026-08-01' },
  { flags: '--to <date>', summary: 'last day, inclusive' },
  { flags: '--category <category>', summary: 'only this category, such as food' },
  { flags: '--currency <code>', summary: 'only this currency, such as EUR' },
  { flags: '--payee <name>', summary: 'only what was paid to this payee' },
]

export const expenseRows: readonly CommandRow[] = [
  {
    name: 'expense list',
    summary: 'list expenses, latest first',
    arguments: [],
    options: [
      ...narrowed,
      { flags: '--search <words>', summary: 'only those with these words' },
      { flags: '--limit <count>', summary: 'maximum number of rows (default: 50)' },
    ],
    examples: ['countersign expense list', 'countersign expense list --from 2026-08-01 --category food'],
    load: async () => (await import('../expense.ts')).list,
  },
  {
    name: 'expense summary',
    summary: 'add up expenses, with a bar for each line',
    arguments: [],
    options: [
      {
        flags: '--by <what>',
        summary: 'group by category, day, month, year, payee, paymentMethod or tag (default: category)',
      },
      ...narrowed,
    ],
    examples: [
      'countersign expense summary --from 2026-08-01',
      'countersign expense summary --by month --currency EUR',
    ],
    load: async () => (await import('../expense.ts')).summary,
  },
  {
    name: 'expense export',
    summary: 'write expenses to a CSV or JSON file in the workspace',
    arguments: [{ name: 'path', summary: 'path in the workspace (default: expenses.csv)', required: false }],
    options: [{ flags: '--format <format>', summary: 'csv or json (default: by the path)' }, ...narrowed],
    examples: ['countersign expense export taxes/2026.csv --from 2026-01-01 --to 2026-12-31'],
    load: async () => (await import('../expense.ts')).exported,
  },
]
