/** Owns the periods that one can choose, and what is expected of the days to come. Pure: the present is passed in. */
import type { CostDays } from '@countersign/contract'

export const periods = ['today', 'week', 'month', 'last-month', '30-days', '90-days'] as const
export type Period = (typeof periods)[number]

export const periodOf = (text: string | undefined): Period =>
  periods.find((period) => period === text) ?? 'month'

const dayMs = 24 * 60 * 60_000
const dateOf = (at: Date): string =>
  `${at.getFullYear()}-${String(at.getMonth() + 1).padStart(2, '0')}-${String(at.getDate()).padStart(2, '0')}`
const daysAgo = (now: Date, days: number) =>
  dateOf(new Date(now.getFullYear(), now.getMonth(), now.getDate() - days))

/** As dates, which the gateway reads where the operator lives. Without an end it is now. */
export function spanOf(period: Period, now: Date): { readonly from: string; readonly to?: string } {
  switch (period) {
    case 'today':
      return { from: dateOf(now) }
    case 'week':
      return { from: daysAgo(now, (now.getDay() + 6) % 7) }
    case 'month':
      return { from: `${dateOf(now).slice(0, 7)}-01` }
    case 'last-month':
      return {
        from: dateOf(new Date(now.getFullYear(), now.getMonth() - 1, 1)),
        to: dateOf(new Date(now.getFullYear(), now.getMonth(), 0)),
      }
    case '30-days':
      return { from: daysAgo(now, 29) }
    case '90-days':
      return { from: daysAgo(now, 89) }
  }
}

/** The days of the period that are still to come. */
export function daysToCome(period: Period, last: string): readonly string[] {
  const end = endOf(period, last)
  const days: string[] = []
  for (let at = Date.parse(last) + dayMs; at <= end; at += dayMs)
    days.push(new Date(at).toISOString().slice(0, 10))
  return days
}

function endOf(period: Period, last: string): number {
  const at = new Date(last)
  if (period === 'month') return Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1, 0)
  if (period === 'week') return at.getTime() + ((7 - at.getUTCDay()) % 7) * dayMs
  return at.getTime()
}

/** What a day to come will cost if it goes on as in the last seven whole days. Null before there is a whole day. */
export function usualDay(days: CostDays['days']): number | null {
  const whole = days.slice(0, -1).slice(-7)
  if (whole.length === 0) return null
  const spent = whole.reduce((sum, { parts }) => sum + parts.reduce((all, { usd }) => all + usd, 0), 0)
  return spent / whole.length
}
