/** Owns what will run by itself soon, and what that may cost. Pure. */
import type { ScheduleView } from '@countersign/contract'

export interface ComingRun {
  readonly at: string
  readonly schedule: ScheduleView
  /** What it cost on average, or what it may cost at most where it never ran. */
  readonly usd: number
  readonly isCeiling: boolean
}

const hour = 3_600_000

/** The soonest first. The gateway tells of the next three times of each. */
export function comingRuns(schedules: readonly ScheduleView[], now: Date, hours = 24): readonly ComingRun[] {
  const until = now.getTime() + hours * hour
  return schedules
    .filter(({ status }) => status === 'active')
    .flatMap((schedule) =>
      schedule.next
        .filter((at) => Date.parse(at) > now.getTime() && Date.parse(at) <= until)
        .map((at) => ({
          at,
          schedule,
          usd: schedule.averageCostUsd ?? schedule.maxCostUsd,
          isCeiling: schedule.averageCostUsd === null,
        })),
    )
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

export function expectedUsd(runs: readonly ComingRun[]): number {
  return runs.reduce((sum, { usd }) => sum + usd, 0)
}
