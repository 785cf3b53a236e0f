/** `countersign cost budget`: the limits, and how far each is used up. */
import { BudgetPeriod, BudgetScope, type BudgetView } from '@countersign/contract'
import type { Context, Handler, OptionValues } from '../context.ts'
import { type CommandAnswer, done } from '../output/answer.ts'
import { usage } from '../output/failure.ts'
import { money } from '../output/money.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { clockTime } from '../output/time.ts'

export const budget: Handler = async (context, [action = 'list', name, dollars], options) => {
  if (action === 'set') return set(context, name, dollars, options)
  if (Object.values(options).some((value) => value !== undefined))
    return usage('--per, --for and --soft need `cost budget set`.', 'cost budget')
  if (dollars !== undefined || (action === 'list' && name !== undefined))
    return usage(
      `\`cost budget ${action}\` takes ${action === 'rm' ? 'one name' : 'nothing'} after it.`,
      'cost budget',
    )
  return action === 'rm' ? remove(context, name) : list(context)
}

async function list(context: Context): Promise<CommandAnswer> {
  const budgets = await (await context.gateway()).client.budgets()
  return done({ budgets }, () => {
    if (budgets.length === 0)
      return 'No budget yet. Set one with `countersign cost budget set global 20 --per month`.'
    const rows = budgets.map((each) => [
      line(each.name),
      limitWords(each),
      each.spentUsd === null ? 'each' : money(each.spentUsd),
      each.spentUsd === null ? '' : leftWords(each),
      each.hard ? 'stops' : 'tells you',
      each.startsAgainAt === null ? '' : clockTime(each.startsAgainAt, context.moment()),
      each.builtIn ? 'from the start' : '',
    ])
    return table(
      ['Budget', 'Limit', 'Spent', 'Left', 'At the limit', 'Starts again', 'Set'],
      rows,
      context.host.output.columns,
    )
  })
}

async function set(
  context: Context,
  scope: string | undefined,
  dollars: string | undefined,
  options: OptionValues,
): Promise<CommandAnswer> {
  const known = BudgetScope.safeParse(scope)
  if (!known.success) return usage(`Give the scope: ${BudgetScope.options.join(', ')}.`, 'cost budget')
  const limitUsd = amountIn(dollars)
  if (limitUsd === undefined)
    return usage(
      dollars === undefined
        ? 'Give the limit in dollars.'
        : `${line(dollars)} is not an amount such as 20 or 0.50.`,
      'cost budget',
    )
  const period = BudgetPeriod.safeParse(
    options['per'] ?? (known.data === 'run' || known.data === 'call' ? 'ever' : 'month'),
  )
  if (!period.success) return usage(`--per is one of ${BudgetPeriod.options.join(', ')}.`, 'cost budget')
  const subject = typeof options['for'] === 'string' ? options['for'] : null
  const set = await (await context.gateway()).client.setBudget({
    scope: known.data,
    subject,
    period: period.data,
    limitUsd,
    hard: options['soft'] !== true,
  })
  return done({ ...set }, () =>
    [
      `${line(set.budget.name)} is limited to ${limitWords(set.budget)}.${ledgerMark(set.ledger)}`,
      set.budget.hard
        ? 'A call that could exceed it needs your approval.'
        : 'You are notified at 50, 80 and 100 %; calls are not stopped.',
    ].join('\n'),
  )
}

async function remove(context: Context, name: string | undefined): Promise<CommandAnswer> {
  if (name === undefined)
    return usage('Give the name of the budget; `countersign cost budget` lists them.', 'cost budget')
  const { ledger } = await (await context.gateway()).client.removeBudget(name)
  return done({ name, ledger }, `Removed the budget ${line(name)}.${ledgerMark(ledger)}`)
}

function limitWords({ scope, period, limitUsd, extraUsd, subject }: BudgetView): string {
  const each =
    scope === 'call' || scope === 'run'
      ? ` for each ${scope}`
      : subject === null && isMany(scope)
        ? ` for each ${scope}`
        : ''
  const per = scope === 'call' || scope === 'run' ? '' : period === 'ever' ? ' in all' : ` a ${period}`
  return `${money(limitUsd)}${extraUsd > 0 ? ` + ${money(extraUsd)}` : ''}${subject === null ? each : ''}${per}`
}

const isMany = (scope: BudgetScope): boolean => scope !== 'global' && scope !== 'unattended'

function leftWords({ limitUsd, extraUsd, spentUsd, reservedUsd }: BudgetView): string {
  return money(Math.max(0, limitUsd + extraUsd - (spentUsd ?? 0) - (reservedUsd ?? 0)))
}

function amountIn(text: string | undefined): number | undefined {
  if (text === undefined || !/^\$?\d+(\.\d+)?$/.test(text)) return undefined
  const amount = Number(text.replace('$', ''))
  return amount <= 1_000_000 ? amount : undefined
}
