/** `countersign cost`: what was spent, on what, what may be spent, and whether the bill agrees. */
import { CostGroup, type CostLine, type CostReport } from '@countersign/contract'
import type { Client } from '@countersign/contract/client'
import type { Context, Handler, OptionValues } from '../context.ts'
import { done } from '../output/answer.ts'
import { bar } from '../output/bar.ts'
import { columns, widthOf } from '../output/columns.ts'
import { usage } from '../output/failure.ts'
import { comparison, grouped, money, tokens } from '../output/money.ts'
import { beginningOf, type Period, readMoment } from '../output/period.ts'
import { ledgerMark } from '../output/receipt.ts'
import { line } from '../output/safe-text.ts'
import { table } from '../output/table.ts'
import { clockTime } from '../output/time.ts'
import { shortId } from '../short-id.ts'
import { readKey } from './provider-key.ts'

export { budget } from './cost-budget.ts'

const mostBars = 12
const widestBar = 30
const shortestBar = 4
/** The cells between the columns of the chart. */
const gaps = 4

interface Span {
  readonly from: string
  readonly to: string
  readonly words: string
}

export const show: Handler = async (context, _args, options) => {
  const by = CostGroup.safeParse(options['by'] ?? 'model')
  if (!by.success) return usage(`--by is one of ${CostGroup.options.join(', ')}.`, 'cost show')
  const span = spanOf(context, options)
  if (typeof span === 'string') return usage(span, 'cost show')
  const { client } = await context.gateway()
  const { now } = context.moment()
  const to = now.toISOString()
  const since = (period: Period) => ({ from: beginningOf(period, context.moment()).toISOString(), to })
  const [today, month, report] = await Promise.all([
    client.costs(since('day')),
    client.costs(since('month')),
    client.costs({ from: span.from, to: span.to, by: by.data }),
  ])
  const nothing = report.total.calls === 0 && month.total.calls === 0
  const allowed = nothing ? await unattendedLimit(client) : 0
  return done({ today: sumOf(today), month: sumOf(month), report }, () =>
    nothing ? emptyText(allowed, report, context) : reportText({ today, month, report, span }, context),
  )
}

export const top: Handler = async (context, _args, options) => {
  const span = spanOf(context, options)
  if (typeof span === 'string') return usage(span, 'cost top')
  const limit = options['limit'] === undefined ? 10 : Number(options['limit'])
  if (!(Number.isInteger(limit) && limit >= 1 && limit <= 100))
    return usage('--limit is a number from 1 to 100.', 'cost top')
  const { client } = await context.gateway()
  const runs = await client.costlyRuns({ from: span.from, to: span.to, limit: String(limit) })
  return done({ runs, from: span.from, to: span.to }, () => {
    if (runs.length === 0)
      return `No run spent anything ${span.words}. Choose another period with --from 2026-01-01.`
    const rows = runs.map((run) => [
      shortId(run.run),
      money(run.usd),
      clockTime(run.startedAt, context.moment()),
      `${count(run.turns, 'turn')}, ${count(run.calls, 'call')}`,
      run.unattended ? 'unattended' : '',
      line(run.title),
      run.hint === null ? '' : line(run.hint),
    ])
    return [
      table(['Run', '$', 'Started', 'Work', 'Who', 'What', 'Why so much'], rows, context.host.output.columns),
      '',
      'See what one did with `countersign run show <run>`.',
    ].join('\n')
  })
}

export const idle: Handler = async (context, _args, options) => {
  const span = spanOf(context, options)
  if (typeof span === 'string') return usage(span, 'cost idle')
  const spent = await (await context.gateway()).client.idleSpend({ from: span.from, to: span.to })
  return done({ ...spent, from: span.from, to: span.to }, () => {
    if (spent.calls === 0)
      return `$0.00: nothing was spent ${span.words} more than a day after your last message.`
    return [
      `${money(spent.usd)} ${span.words} in ${count(spent.calls, 'call')}, more than a day after your last message.`,
      '',
      linesTable(spent.lines, 'What', context),
      '',
      'Limit it with `countersign cost budget set unattended 1 --per month`.',
    ].join('\n')
  })
}

export const reconcile: Handler = async (context, [provider], options) => {
  const span = spanOf(context, options, 'month')
  if (typeof span === 'string') return usage(span, 'cost reconcile')
  const { client } = await context.gateway()
  const read = await readKey(context, {
    question: 'Admin key that may see the bill (hidden, Enter for none): ',
    example: '… | countersign cost reconcile',
    optional: true,
  })
  if (read.kind === 'cancelled') return done({ reconciled: [] }, 'Nothing was compared.')
  const reconciled = await client.reconcile({
    from: span.from,
    to: span.to,
    ...(provider === undefined ? {} : { provider }),
    ...(read.key === '' ? {} : { adminKey: read.key }),
  })
  return done({ reconciled }, () => {
    if (reconciled.length === 0)
      return 'No provider with a billing API is set up. Add one with `countersign provider add`.'
    const rows = reconciled.map((each) => [
      line(each.provider),
      money(each.localUsd),
      each.billedUsd === null ? 'not told' : money(each.billedUsd),
      each.drift === null ? '' : driftWords(each.drift),
      each.problem === null
        ? each.adjusted
          ? 'the recorded costs were corrected'
          : 'nothing to correct'
        : line(each.problem),
    ])
    return table(['Provider', 'Books', 'Bill', 'Drift', 'Result'], rows, context.host.output.columns)
  })
}

export const resume: Handler = async (context) => {
  const { ledger } = await (await context.gateway()).client.liftGuard()
  return done(
    { ledger },
    `Unattended work was resumed.${ledgerMark(ledger)}\nSee its costs with \`countersign cost show --today\`.`,
  )
}

function reportText(
  parts: {
    readonly today: CostReport
    readonly month: CostReport
    readonly report: CostReport
    readonly span: Span
  },
  context: Context,
): string {
  const { today, month, report, span } = parts
  const { paint } = context
  const outcome = report.usdPerOutcome
  return [
    columns([
      ['Today', paint('strong', money(today.total.usd)), comparison(today.total.usd, today.beforeUsd)],
      ['This month', paint('strong', money(month.total.usd)), comparison(month.total.usd, month.beforeUsd)],
      ['Unattended', paint('strong', money(report.unattendedUsd)), span.words],
      [
        'Per outcome',
        paint('strong', outcome === null ? 'none yet' : money(outcome)),
        outcome === null ? '' : `per completed run, ${span.words}`,
      ],
    ]),
    ...remarks(report, context),
    '',
    `${capital(span.words)}: ${money(report.total.usd)} by ${report.group}`,
    chart(report, context),
    '',
    linesTable(report.lines, capital(report.group), context),
  ].join('\n')
}

function remarks(report: CostReport, context: Context): string[] {
  const { guard, reservedUsd, estimatedUsd, adjustedUsd, cacheHitRate, total } = report
  return [
    ...(guard === null
      ? []
      : [
          context.paint(
            'bad',
            `⚠ Unattended work is on hold since ${clockTime(guard.at, context.moment())}: ${ended(line(guard.reason))} Resume it with \`countersign cost resume\`.`,
          ),
        ]),
    ...(reservedUsd > 0 ? [`${money(reservedUsd)} is reserved for running calls.`] : []),
    ...(estimatedUsd > 0
      ? [`${money(estimatedUsd)} is estimated, because the provider reported no usage.`]
      : []),
    ...(adjustedUsd === 0 ? [] : [`${money(adjustedUsd)} was corrected from the bill.`]),
    ...(total.undelivered > 0 ? [`${count(total.undelivered, 'call')} got no reply; they still count.`] : []),
    ...(cacheHitRate === null
      ? []
      : [`${Math.round(cacheHitRate * 100)} % of the input came from the cache.`]),
  ]
}

/** The longest bar is the largest sum; the others are measured by it. */
function chart(report: CostReport, context: Context): string {
  const shown = report.lines.slice(0, mostBars)
  const largest = Math.max(...shown.map((each) => each.usd), 0)
  if (largest === 0) return '  no costs'
  const names = shown.map((each) => `  ${line(each.key)}`)
  const sums = shown.map((each) => money(each.usd))
  const taken = Math.max(...names.map(widthOf)) + Math.max(...sums.map(widthOf)) + gaps
  const room = Math.max(shortestBar, Math.min(widestBar, (context.host.output.columns ?? 80) - taken))
  const plain = context.flags.plain || context.host.environment.dumbTerminal
  const rows = shown.map((each, at) => [
    names[at] ?? '',
    bar(each.usd / largest, room, plain),
    sums[at] ?? '',
  ])
  const more = report.lines.length - shown.length
  return `${columns(rows)}${more > 0 ? `\n  and ${more} more` : ''}`
}

function linesTable(found: readonly CostLine[], title: string, context: Context): string {
  const rows = found.map((each) => [
    line(each.key),
    grouped(String(each.calls)),
    each.undelivered === 0 ? '' : grouped(String(each.undelivered)),
    tokens(each.input),
    tokens(each.cached),
    tokens(each.output),
    money(each.usd),
  ])
  return table([title, 'Calls', 'No reply', 'In', 'Cached', 'Out', '$'], rows, context.host.output.columns)
}

/** What unattended work may spend: the smallest of the limits that hold for all of it. */
async function unattendedLimit(client: Client): Promise<number> {
  const limits = (await client.budgets())
    .filter((each) => each.scope === 'unattended' && each.subject === null && each.hard)
    .map((each) => each.limitUsd + each.extraUsd)
  return limits.length === 0 ? 0 : Math.min(...limits)
}

function emptyText(allowed: number, report: CostReport, context: Context): string {
  const first =
    allowed === 0
      ? '$0.00: nothing can spend while unattended.'
      : `$0.00: nothing was spent. Unattended work may spend up to ${money(allowed)}.`
  return [
    first,
    ...remarks(report, context),
    'Start with `countersign chat`; see the limits with `countersign cost budget`.',
  ].join('\n')
}

/** A sentence when the options name no time. */
function spanOf(context: Context, options: OptionValues, usual: Period = 'month'): Span | string {
  const moment = context.moment()
  const named = (['today', 'week', 'month'] as const).filter((name) => options[name] === true)
  const { from, to } = options
  if (named.length > 1 || (named.length === 1 && (from !== undefined || to !== undefined)))
    return 'Give one period: --today, --week, --month, or --from and --to.'
  const period = named[0] === 'today' ? 'day' : (named[0] ?? usual)
  if (from === undefined && to === undefined)
    return {
      from: beginningOf(period, moment).toISOString(),
      to: moment.now.toISOString(),
      words: spanWords[period],
    }
  const begins =
    typeof from === 'string' ? readMoment(from, 'from', moment.zone) : beginningOf('month', moment)
  const ends = typeof to === 'string' ? readMoment(to, 'to', moment.zone) : moment.now
  if (begins === undefined || ends === undefined) return '--from and --to are dates such as 2026-08-01.'
  if (begins >= ends) return '--from lies before --to.'
  const words = [
    ...(from === undefined ? ['from the beginning of the month'] : [`from ${String(from)}`]),
    ...(to === undefined ? [] : [`to ${String(to)}`]),
  ].join(' ')
  return { from: begins.toISOString(), to: ends.toISOString(), words }
}

const spanWords: Readonly<Record<Period, string>> = { day: 'today', week: 'this week', month: 'this month' }

function sumOf({ from, to, total, beforeUsd }: CostReport) {
  return { from, to, usd: total.usd, calls: total.calls, beforeUsd }
}

function driftWords(drift: number): string {
  const percent = Math.abs(drift * 100)
  return percent < 0.05 ? 'none' : `${drift > 0 ? '+' : '-'}${percent.toFixed(1)} %`
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
const count = (number: number, noun: string): string =>
  `${grouped(String(number))} ${noun}${number === 1 ? '' : 's'}`
const ended = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)
