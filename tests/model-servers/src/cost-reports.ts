/** What providers tell of money when they are asked, made from the bill. */
import { type BilledCall, type BillPrices, costOf } from './bill.ts'
import { basePaths } from './places.ts'
import type { Protocol } from './script.ts'
import type { JsonObject } from './wire.ts'

const DAY_MS = 86_400_000
const DEFAULT_DAYS = 7

/** Undefined where the path is not one of theirs. */
export function costReportAt(
  url: URL,
  bill: readonly BilledCall[],
  prices: BillPrices,
  now: number,
): string | undefined {
  switch (url.pathname) {
    case '/v1/organization/costs':
      return JSON.stringify(openaiCosts(url.searchParams, bill, prices, now))
    case '/v1/organizations/cost_report':
      return JSON.stringify(anthropicReport(url.searchParams, bill, prices, now))
    case `${basePaths.openrouter}/credits`:
      return JSON.stringify({ data: { total_credits: 1000, total_usage: openrouterUsage(bill, prices) } })
    case `${basePaths.openrouter}/key`:
      return JSON.stringify({
        data: {
          label: 'scripted',
          usage: openrouterUsage(bill, prices),
          limit: null,
          limit_remaining: null,
          is_free_tier: false,
        },
      })
    default:
      return undefined
  }
}

function openaiCosts(
  asked: URLSearchParams,
  bill: readonly BilledCall[],
  prices: BillPrices,
  now: number,
): JsonObject {
  const from = Number(asked.get('start_time')) * 1000
  const to = asked.has('end_time') ? Number(asked.get('end_time')) * 1000 : now
  const days = daysBetween(from, to)
  const shown = pageOf(days, asked)
  const byLine =
    asked.getAll('group_by').includes('line_item') || asked.getAll('group_by[]').includes('line_item')
  return {
    object: 'page',
    data: shown.days.map((day) => ({
      object: 'bucket',
      start_time: Math.floor(day.from / 1000),
      end_time: Math.floor(day.to / 1000),
      results: perModel(['openai', 'responses'], day, bill, prices, byLine).map(([model, dollars]) => ({
        object: 'organization.costs.result',
        amount: { value: dollars, currency: 'usd' },
        line_item: model,
        project_id: null,
      })),
    })),
    has_more: shown.next !== null,
    next_page: shown.next,
  }
}

function anthropicReport(
  asked: URLSearchParams,
  bill: readonly BilledCall[],
  prices: BillPrices,
  now: number,
): JsonObject {
  const from = Date.parse(asked.get('starting_at') ?? '')
  const to = asked.has('ending_at') ? Date.parse(asked.get('ending_at') ?? '') : now
  const shown = pageOf(daysBetween(from, to), asked)
  const described = asked.getAll('group_by[]').includes('description')
  return {
    data: shown.days.map((day) => ({
      starting_at: new Date(day.from).toISOString(),
      ending_at: new Date(day.to).toISOString(),
      results: perModel(['anthropic'], day, bill, prices, described).map(([model, dollars]) => ({
        currency: 'USD',
        // Cents, as a decimal number in text.
        amount: (dollars * 100).toFixed(6),
        workspace_id: null,
        description: model === null ? null : `${model} Usage`,
        cost_type: model === null ? null : 'tokens',
        context_window: null,
        model,
        service_tier: null,
        token_type: null,
      })),
    })),
    has_more: shown.next !== null,
    next_page: shown.next,
  }
}

interface Day {
  readonly from: number
  readonly to: number
}

function daysBetween(from: number, to: number): readonly Day[] {
  const days: Day[] = []
  if (!Number.isFinite(from) || !Number.isFinite(to)) return days
  for (let start = Math.floor(from / DAY_MS) * DAY_MS; start < to; start += DAY_MS) {
    days.push({ from: start, to: start + DAY_MS })
  }
  return days
}

/** A page is named by the number of the day that it begins with. */
function pageOf(days: readonly Day[], asked: URLSearchParams) {
  const start = Number(asked.get('page')?.replace('page_', '') ?? 0)
  const end = start + Number(asked.get('limit') ?? DEFAULT_DAYS)
  return { days: days.slice(start, end), next: end < days.length ? `page_${end}` : null }
}

/** One sum for the day where models are not asked for. */
function perModel(
  protocols: readonly Protocol[],
  day: Day,
  bill: readonly BilledCall[],
  prices: BillPrices,
  apart: boolean,
): readonly (readonly [string | null, number])[] {
  const sums = new Map<string | null, number>()
  for (const call of bill) {
    if (!protocols.includes(call.protocol) || call.at < day.from || call.at >= day.to) continue
    const line = apart ? call.model : null
    sums.set(line, (sums.get(line) ?? 0) + costOf(call, prices))
  }
  return [...sums]
}

function openrouterUsage(bill: readonly BilledCall[], prices: BillPrices): number {
  return bill
    .filter((call) => call.protocol === 'openrouter')
    .reduce((sum, call) => sum + costOf(call, prices), 0)
}
