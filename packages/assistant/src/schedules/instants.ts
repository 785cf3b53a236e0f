/**
 * Owns the instants of a trigger. Pure: no clock.
 *
 * On days when the clock is changed: an expression that names its hours runs once for each time that it names on every
 * civil day. A time that the day does not have runs at the moment of the change; of a time that the day has twice only
 * the first counts. An expression whose hour is `*` or a step of it follows the hands of the clock: an hour that is
 * left out has no runs, and one that is repeated has them twice.
 */
import { type Cron as CronText, readCron, type TimeTrigger } from '@countersign/contract'
import { Cron } from 'croner'

export interface Instants {
  /** The first one after the moment, in milliseconds. */
  after(moment: number): number | null
  /** The last ones up to and including the moment, the latest first. */
  upTo(moment: number, count: number): readonly number[]
  /** Those after `from` and up to `to`, in order, `most` at most. */
  between(from: number, to: number, most: number): readonly number[]
}

/** A trigger that was made at this moment, for intervals that do not say where they begin. */
export function instantsOf(trigger: TimeTrigger, madeAt: number): Instants {
  switch (trigger.kind) {
    case 'once':
      return onceAt(Date.parse(trigger.at))
    case 'every':
      return intervals(
        trigger.seconds * 1_000,
        trigger.from === undefined ? madeAt : Date.parse(trigger.from),
      )
    case 'cron': {
      const read = readCron(trigger.expression)
      if (read.kind === 'problem') throw new Error(read.reason)
      return merged(expressionsOf(read.cron).map((text) => cronInstants(text, trigger.zone)))
    }
  }
}

export function upcoming(
  trigger: TimeTrigger,
  madeAt: number,
  now: number,
  count: number,
): readonly number[] {
  const instants = instantsOf(trigger, madeAt)
  const found: number[] = []
  for (let at = instants.after(now); at !== null && found.length < count; at = instants.after(at))
    found.push(at)
  return found
}

/**
 * As many simple expressions as say the same. One for each time of the day, because only a single time is kept to the
 * civil day. One for days and one for weekdays where both are named, and one for each day that February may not have:
 * searched for together, such a day hides the first days of March.
 */
function expressionsOf(cron: CronText): readonly string[] {
  const { text, namesHours, hours, minutes, everyDay, everyWeekday } = cron
  const [minute = '*', hour = '*', , month = '*', weekday = '*'] = text.split(' ')
  const byDay = everyDay ? [] : dayFields(cron).map((day) => `${day} ${month} *`)
  const byWeekday = everyWeekday ? [] : [`* ${month} ${weekday}`]
  const days = everyDay && everyWeekday ? [`* ${month} *`] : [...byDay, ...byWeekday]
  const times = namesHours ? hours.flatMap((h) => minutes.map((m) => `${m} ${h}`)) : [`${minute} ${hour}`]
  return times.flatMap((time) => days.map((each) => `${time} ${each}`))
}

const shortestMonth = 28

function dayFields({ days }: CronText): readonly string[] {
  const short = days.filter((day) => day <= shortestMonth)
  const long = days.filter((day) => day > shortestMonth).map(String)
  return short.length === 0 ? long : [short.join(), ...long]
}

function cronInstants(text: string, zone: string): Instants {
  const cron = new Cron(text, { timezone: zone, mode: '5-part', paused: true })
  const after = (moment: number) => cron.nextRun(new Date(moment))?.getTime() ?? null
  return {
    after,
    // It looks before the moment, which is itself one of them.
    upTo: (moment, count) =>
      cron
        .previousRuns(count, new Date(moment + 1_000))
        .map((at) => at.getTime())
        .filter((at) => at <= moment),
    between(from, to, most) {
      const found: number[] = []
      for (let at = after(from); at !== null && at <= to && found.length < most; at = after(at))
        found.push(at)
      return found
    },
  }
}

function merged(all: readonly Instants[]): Instants {
  const [only] = all
  if (only && all.length === 1) return only
  return {
    after: (moment) =>
      all.reduce<number | null>((first, each) => {
        const at = each.after(moment)
        return first === null || (at !== null && at < first) ? at : first
      }, null),
    upTo: (moment, count) =>
      sorted(all.flatMap((each) => each.upTo(moment, count)))
        .toReversed()
        .slice(0, count),
    // Each could be the one with the earliest, so each is asked for as many as are wanted in all.
    between: (from, to, most) => sorted(all.flatMap((each) => each.between(from, to, most))).slice(0, most),
  }
}

/** Two times of a day that the change of the clock brings together are one. */
function sorted(instants: readonly number[]): readonly number[] {
  return [...new Set(instants)].toSorted((a, b) => a - b)
}

function intervals(period: number, from: number): Instants {
  const indexAt = (moment: number) => Math.floor((moment - from) / period)
  const after = (moment: number) => from + Math.max(1, indexAt(moment) + 1) * period
  return {
    after,
    upTo: (moment, count) =>
      Array.from(
        { length: Math.max(0, Math.min(count, indexAt(moment))) },
        (_, back) => from + (indexAt(moment) - back) * period,
      ),
    between(from_, to, most) {
      const first = after(from_)
      const count = Math.max(0, Math.min(most, Math.floor((to - first) / period) + 1))
      return Array.from({ length: count }, (_, place) => first + place * period)
    },
  }
}

function onceAt(at: number): Instants {
  const within = (from: number, to: number) => (at > from && at <= to ? [at] : [])
  return {
    after: (moment) => (at > moment ? at : null),
    upTo: (moment, count) => (count > 0 ? within(Number.NEGATIVE_INFINITY, moment) : []),
    between: (from, to, most) => (most > 0 ? within(from, to) : []),
  }
}
