/**
 * Says which instants a job has, by arithmetic on the offsets of its zone. It shares nothing with the product: no
 * expression, no library, no calendar but the one of UTC.
 */
import type { JobPlan } from './jobs.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/** A stretch of time in which a zone has one distance from UTC. */
interface Season {
  readonly from: number
  readonly to: number
  readonly offset: number
}

export type Oracle = (plan: JobPlan, after: number, to: number) => number[]

export function createOracle(zones: readonly string[], from: number, to: number): Oracle {
  const seasons = new Map(zones.map((zone) => [zone, seasonsOf(zone, from - 3 * day, to + 3 * day)]))
  return (plan, after, until) => {
    const within = (at: number) => at > after && at <= until
    switch (plan.kind) {
      case 'once':
        return [plan.at].filter(within)
      case 'every':
        return intervals(plan.from, plan.period, until).filter(within)
      case 'cron':
        return [...new Set(times(plan, seasons.get(plan.zone) ?? [], after, until))]
          .filter(within)
          .toSorted((a, b) => a - b)
    }
  }
}

function intervals(from: number, period: number, until: number): number[] {
  const found: number[] = []
  for (let at = from + period; at <= until; at += period) found.push(at)
  return found
}

function times(
  plan: Extract<JobPlan, { kind: 'cron' }>,
  seasons: readonly Season[],
  after: number,
  until: number,
): number[] {
  const found: number[] = []
  for (let date = Math.floor(after / day) * day - 2 * day; date <= until + 2 * day; date += day) {
    if (!isDay(plan, new Date(date))) continue
    for (const h of plan.hours) {
      for (const m of plan.minutes) {
        const shown = date + h * hour + m * minute
        const shownAt = seasons.flatMap(({ from, to, offset }) => {
          const at = shown - offset
          return at >= from && at < to ? [at] : []
        })
        if (!plan.isCivil) found.push(...shownAt)
        else found.push(shownAt[0] ?? jumpOver(shown, seasons))
      }
    }
  }
  return found
}

/** The moment at which the clock on the wall passed over this time without showing it. */
function jumpOver(shown: number, seasons: readonly Season[]): number {
  const place = seasons.findIndex(({ from, offset }, index) => {
    const before = seasons[index - 1]
    return before !== undefined && from + before.offset <= shown && shown < from + offset
  })
  return seasons[place]?.from ?? Number.NaN
}

/** With days of the month and weekdays both named, one of them is enough. */
function isDay({ days, weekdays }: Extract<JobPlan, { kind: 'cron' }>, date: Date): boolean {
  const byDay = days?.includes(date.getUTCDate())
  const byWeekday = weekdays?.includes(date.getUTCDay())
  if (byDay === undefined) return byWeekday ?? true
  return byWeekday === undefined ? byDay : byDay || byWeekday
}

function seasonsOf(zone: string, from: number, to: number): Season[] {
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  const offsetAt = (at: number) => {
    const text = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
    const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d{2}):(\d{2})/.exec(text) ?? []
    return (sign === '-' ? -1 : 1) * (Number(hours) * hour + Number(minutes) * minute)
  }
  const found: Season[] = []
  let began = from
  let offset = offsetAt(from)
  for (let at = from; at < to; at += 6 * hour) {
    if (offsetAt(at) === offset) continue
    let low = at - 6 * hour
    let high = at
    while (high - low > minute) {
      const middle = Math.floor((low + high) / 2 / minute) * minute
      if (offsetAt(middle) === offset) low = middle
      else high = middle
    }
    found.push({ from: began, to: high, offset })
    began = high
    offset = offsetAt(high)
  }
  found.push({ from: began, to, offset })
  return found
}
