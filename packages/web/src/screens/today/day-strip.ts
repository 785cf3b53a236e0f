/** Owns the day as runs: when each began and ended, and how much of it was a wait for a person. Pure. */
import type { RunLive } from '@countersign/contract'

export interface DayRun {
  readonly id: string
  readonly from: Date
  /** The wait is drawn at the end of the run. */
  readonly waitFrom: Date
  readonly to: Date
}

type Timed = Pick<RunLive, 'id' | 'startedAt' | 'endedAt' | 'parkedAt' | 'waitedMs'>

export function runsOfDay(runs: readonly Timed[], now: Date): readonly DayRun[] {
  const begin = startOfDay(now).getTime()
  return runs.flatMap(({ id, startedAt, endedAt, parkedAt, waitedMs }) => {
    const end = endedAt === null ? now.getTime() : Date.parse(endedAt)
    const start = Math.max(begin, Date.parse(startedAt))
    if (end <= begin || start > now.getTime()) return []
    const since = parkedAt === null || endedAt !== null ? 0 : now.getTime() - Date.parse(parkedAt)
    const waited = Math.min(end - start, waitedMs + since)
    return [{ id, from: new Date(start), waitFrom: new Date(end - waited), to: new Date(end) }]
  })
}

/** Those of the moments that are of this day. */
export function momentsOfDay(moments: readonly string[], now: Date): readonly Date[] {
  const begin = startOfDay(now)
  return moments.map((at) => new Date(at)).filter((at) => at >= begin && at <= now)
}

export function startOfDay(now: Date): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate())
}
