/** Draws spending by day, or as a running total, with the limit that applies and a forecast. */
import type { BudgetView, CostDays } from '@countersign/contract'
import { useState } from 'react'
import {
  largest,
  type Moment,
  restShade,
  runningTotal,
  type Series,
  StackedBars,
  shadeOf,
} from '../../charts/index.tsx'
import { Button } from '../../kit/index.ts'
import { dayWords } from '../../language/day.ts'
import { moneyWords } from '../../language/format.ts'
import { words } from '../../words/costs.tsx'
import { daysToCome, type Period, usualDay } from './period.ts'

const most = 5
const rest = '\u0000rest'
const forecast = '\u0000forecast'

export function SpendingChart({
  data,
  period,
  only,
  budgets,
}: {
  data: CostDays
  period: Period
  /** One of the group, where a row was chosen. */
  only: string | undefined
  budgets: readonly BudgetView[]
}) {
  const [total, setTotal] = useState(false)
  const { series, moments } = momentsOf(data, period, only)
  const limit = only === undefined ? limitOf(budgets, total ? period : 'today') : undefined
  return (
    <StackedBars
      title={only === undefined ? words.chart.title : words.chart.titleOf(only)}
      momentTitle={words.chart.day}
      series={series}
      moments={total ? runningTotal(moments) : moments}
      write={moneyWords}
      limit={limit}
      aside={
        <Button variant="quiet" size="small" aria-pressed={total} onClick={() => setTotal(!total)}>
          {total ? words.chart.eachDay : words.chart.runningTotal}
        </Button>
      }
    />
  )
}

/** The lowest limit on all work for the period that is drawn. */
function limitOf(budgets: readonly BudgetView[], period: Period) {
  const wanted = { today: 'day', week: 'week', month: 'month' }[period as string]
  const amounts = budgets
    .filter((each) => each.scope === 'global' && each.period === wanted)
    .map((each) => each.limitUsd + each.extraUsd)
  if (amounts.length === 0) return undefined
  const value = Math.min(...amounts)
  return { value, label: words.chart.limit(moneyWords(value)) }
}

export function momentsOf(
  { days }: CostDays,
  period: Period,
  only: string | undefined,
): { readonly series: readonly Series[]; readonly moments: readonly Moment[] } {
  const kept = days.map(({ day, parts }) => ({
    day,
    parts: only === undefined ? parts : parts.filter(({ key }) => key === only),
  }))
  const totals = new Map<string, number>()
  for (const { key, usd } of kept.flatMap(({ parts }) => parts)) totals.set(key, (totals.get(key) ?? 0) + usd)
  const { shown, rest: small } = largest(totals, most)
  const usual = usualDay(kept)
  const last = kept.at(-1)?.day
  const coming = usual === null || usual === 0 || last === undefined ? [] : daysToCome(period, last)
  const series: Series[] = shown.map((key, index) => ({ key, label: key, shade: shadeOf(index) }))
  if (small.length > 0) series.push({ key: rest, label: words.chart.others, shade: restShade })
  if (coming.length > 0) series.push({ key: forecast, label: words.chart.forecast, shade: shadeOf(4) })
  return {
    series,
    moments: [
      ...kept.map(({ day, parts }) => ({ key: day, label: dayWords(day), values: valuesOf(parts, shown) })),
      ...coming.map((day) => ({
        key: day,
        label: dayWords(day),
        values: { [forecast]: usual ?? 0 },
        expected: true,
      })),
    ],
  }
}

function valuesOf(
  parts: CostDays['days'][number]['parts'],
  shown: readonly string[],
): Record<string, number> {
  const values: Record<string, number> = {}
  for (const { key, usd } of parts) {
    const place = shown.includes(key) ? key : rest
    values[place] = (values[place] ?? 0) + usd
  }
  return values
}
