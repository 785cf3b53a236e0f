/** `countersign expense`: what was spent, what it comes to, and a file of it. */
import {
  ExpenseGroup,
  type ExpenseLine,
  type ExpenseSummary,
  expenseCategories,
  isDay,
  minorDigits,
} from '@countersign/contract'
import type { Context, Handler, OptionValues } from '../context.ts'
import { done } from '../output/answer.ts'
import { bar } from '../output/bar.ts'
import { columns, widthOf } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { grouped } from '../output/money.ts'
import { line } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { settledDirectRun } from './direct-run.ts'

const mostBars = 20
const widestBar = 30
const shortestBar = 4
/** The cells between the columns of the chart. */
const gaps = 8

export const list: Handler = async (context, _args, options) => {
  const asked = askedOf(options)
  if (typeof asked === 'string') return usage(asked, 'expense list')
  const limit = options['limit'] === undefined ? 50 : Number(options['limit'])
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= 200))
    return usage('--limit is a number from 1 to 200.', 'expense list')
  const { search } = options
  const found = await (await context.gateway()).client.expenses({
    ...asked,
    limit,
    ...(typeof search === 'string' ? { search } : {}),
  })
  return done({ expenses: found.items, total: found.total }, () => {
    if (found.total === 0) return emptyText(asked)
    const rows = found.items.map(({ id, data, label }) => [
      line(data.date ?? ''),
      `${grouped(String(data.amount))} ${line(data.currency)}`,
      line(data.category),
      line(data.description),
      line(data.payee ?? ''),
      label?.integrity === 'untrusted' ? 'outside content' : '',
      id,
    ])
    const shown = table(
      ['Day', 'Amount', 'Category', 'What', 'Payee', 'From', 'Id'],
      rows,
      context.host.output.columns,
    )
    return found.items.length < found.total ? `${shown}\n${found.items.length} of ${found.total}` : shown
  })
}

export const summary: Handler = async (context, _args, options) => {
  const by = ExpenseGroup.safeParse(options['by'] ?? 'category')
  if (!by.success) return usage(`--by is one of ${ExpenseGroup.options.join(', ')}.`, 'expense summary')
  const asked = askedOf(options)
  if (typeof asked === 'string') return usage(asked, 'expense summary')
  const told = await (await context.gateway()).client.expenseSummary({ by: by.data, ...asked })
  return done({ ...told }, () => (told.count === 0 ? emptyText(asked) : summaryText(told, context)))
}

/** Through the door like every change, so it can be undone. */
export const exported: Handler = async (context, [path = 'expenses.csv'], options) => {
  const format = options['format'] ?? (path.endsWith('.json') ? 'json' : 'csv')
  if (format !== 'csv' && format !== 'json') return usage('--format is csv or json.', 'expense export')
  const asked = askedOf(options)
  if (typeof asked === 'string') return usage(asked, 'expense export')
  const { client } = await context.gateway()
  const called = await client.callTool('export_expenses', JSON.stringify({ format, path, ...asked }))
  return settledDirectRun(context, client, called)
}

/** A sentence when an option is none of its kind. */
function askedOf(options: OptionValues): Record<string, string> | string {
  const asked = Object.fromEntries(
    ['from', 'to', 'category', 'currency', 'payee'].flatMap((name): [string, string][] => {
      const value = options[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
  const { from, to, category, currency } = asked
  if ([from, to].some((day) => day !== undefined && !isDay(day)))
    return '--from and --to are dates such as 2026-08-01.'
  if (from !== undefined && to !== undefined && from > to) return '--from lies before --to.'
  if (category !== undefined && !expenseCategories.some((each) => each === category))
    return `--category is one of ${expenseCategories.join(', ')}.`
  if (currency !== undefined && minorDigits(currency) === undefined)
    return '--currency is an ISO code such as EUR.'
  return asked
}

function summaryText(told: ExpenseSummary, context: Context): string {
  return told.totals
    .map(({ currency, amount, count }) =>
      [
        `${context.paint('strong', `${grouped(amount)} ${line(currency)}`)} in ${count} ${count === 1 ? 'expense' : 'expenses'}, by ${told.by}`,
        chart(
          told.lines.filter((each) => each.currency === currency),
          context,
        ),
      ].join('\n'),
    )
    .join('\n\n')
}

/** The longest bar is the largest sum of the currency; the others are measured by it. */
function chart(found: readonly ExpenseLine[], context: Context): string {
  const shown = found.slice(0, mostBars)
  const largest = Math.max(...shown.map(({ amount }) => Number(amount)), 0)
  const names = shown.map(({ key }) => `  ${key === '' ? '(none)' : line(key)}`)
  const sums = shown.map(({ amount }) => grouped(amount))
  const taken = Math.max(...names.map(widthOf)) + Math.max(...sums.map(widthOf)) + gaps
  const room = Math.max(shortestBar, Math.min(widestBar, (context.host.output.columns ?? 80) - taken))
  const plain = context.flags.plain || context.host.environment.dumbTerminal
  const rows = shown.map(({ amount, percent }, at) => [
    names[at] ?? '',
    largest === 0 ? '' : bar(Number(amount) / largest, room, plain),
    sums[at] ?? '',
    `${percent} %`,
  ])
  const more = found.length - shown.length
  return `${columns(rows)}${more > 0 ? `\n  and ${more} more` : ''}`
}

function emptyText(asked: Record<string, string>): string {
  if (Object.keys(asked).length > 0) return 'No expense fits. See all with `countersign expense list`.'
  return 'No expense yet. Try `countersign ask "I paid 12.10 EUR for lunch"`.'
}
