/** The jobs of the proof, made by chance: times in zones whose clocks are changed, intervals, single times, all policies. */
import type { MissedPolicy, OverlapPolicy, Trigger } from '@countersign/contract'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'

/** What the oracle knows of a job; it never reads an expression. */
export type JobPlan =
  | {
      readonly kind: 'cron'
      readonly zone: string
      readonly minutes: readonly number[]
      readonly hours: readonly number[]
      /** Named, or every hour and every so many. */
      readonly isCivil: boolean
      readonly weekdays: readonly number[] | null
      readonly days: readonly number[] | null
    }
  | { readonly kind: 'every'; readonly from: number; readonly period: number }
  | { readonly kind: 'once'; readonly at: number }

export interface Job {
  readonly trigger: Trigger
  readonly plan: JobPlan
  readonly missed: MissedPolicy
  readonly most: number
  readonly overlap: OverlapPolicy
}

export const zones = [
  'Europe/Zagreb',
  'Europe/London',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Asia/Kolkata',
  'UTC',
]

const hour = 3_600_000
const day = 24 * hour

/** Some are always there: one that meets both changes of the clock, and one that meets the end of February. */
export function makeJobs(random: Random, start: number, count: number): Job[] {
  return Array.from({ length: count }, (_, place) =>
    makeJob(random, always[place] ?? makeTrigger(random, start)),
  )
}

type Timing = Pick<Job, 'trigger' | 'plan'>

const always: readonly Timing[] = [
  {
    trigger: { kind: 'cron', expression: '30 2,14 * * *', zone: 'Europe/Zagreb' },
    plan: {
      kind: 'cron',
      zone: 'Europe/Zagreb',
      minutes: [30],
      hours: [2, 14],
      isCivil: true,
      weekdays: null,
      days: null,
    },
  },
  {
    trigger: { kind: 'cron', expression: '0 3 1,31 * 2', zone: 'UTC' },
    plan: {
      kind: 'cron',
      zone: 'UTC',
      minutes: [0],
      hours: [3],
      isCivil: true,
      weekdays: [2],
      days: [1, 31],
    },
  },
]

function makeJob(random: Random, { trigger, plan }: Timing): Job {
  return {
    trigger,
    plan,
    missed: random.pick(['skip', 'once', 'all']),
    most: 1 + random.below(6),
    overlap: random.pick(['skip', 'queue', 'parallel']),
  }
}

function makeTrigger(random: Random, start: number): Timing {
  const kind = random.below(100)
  if (kind < 5) {
    const at = start + random.below(365 * day)
    return { trigger: { kind: 'once', at: new Date(at).toISOString() }, plan: { kind: 'once', at } }
  }
  if (kind < 20) {
    const period = random.pick([6, 12, 24, 25, 36, 24 * 7]) * hour + random.below(3_600) * 1_000
    const from = start - random.below(day)
    return {
      trigger: { kind: 'every', seconds: period / 1_000, from: new Date(from).toISOString() },
      plan: { kind: 'every', from, period },
    }
  }
  return makeCron(random, kind < 24 ? 'by the clock' : 'civil')
}

function makeCron(random: Random, way: 'civil' | 'by the clock'): Timing {
  const zone = random.pick(zones)
  const minute = random.pick([0, 15, 30, 45, random.below(60)])
  const weekdays = random.pick([null, null, [1, 2, 3, 4, 5], [0, 6], [random.below(7)]])
  const days =
    random.below(5) === 0 ? random.pick([[1 + random.below(31)], [1, 31], [2, 30], [1, 16, 29]]) : null
  const step = random.pick([6, 8, 12])
  // Where clocks are changed, they are changed at night.
  const early = random.pick([0, 1, 2, 3])
  const hours =
    way === 'by the clock'
      ? Array.from({ length: 24 / step }, (_, place) => place * step)
      : random.pick([[early], [early], [random.below(24)], [early, 4 + random.below(20)]])
  const text = [
    minute,
    way === 'by the clock' ? `*/${step}` : hours.join(),
    days?.join() ?? '*',
    '*',
    weekdays?.join() ?? '*',
  ].join(' ')
  const plan: JobPlan = {
    kind: 'cron',
    zone,
    minutes: [minute],
    hours,
    isCivil: way === 'civil',
    weekdays,
    days,
  }
  return { trigger: { kind: 'cron', expression: text, zone }, plan }
}
