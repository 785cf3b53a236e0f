/** Owns every number by which work is found to be stuck, stale, due or old. */

const second = 1_000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

export interface Thresholds {
  readonly inspectEveryMs: number
  /** A run goes on and nothing new has come of it for so long. */
  readonly stuckRunMs: number
  /** Nothing was heard of a task for so long. */
  readonly staleTaskMs: number
  /** Nothing was done for an active goal for so long. */
  readonly staleGoalMs: number
  /** How often a task that failed is tried again by itself. */
  readonly taskRetries: number
  /** Before the first time; each further wait is twice as long. */
  readonly taskRetryMs: number
  /** A paused task that could not be tried again for so long has failed. */
  readonly pausedTaskMs: number
  /** Tasks that ended are kept so long. */
  readonly endedTaskMs: number
}

export const thresholds: Thresholds = {
  inspectEveryMs: 5 * minute,
  stuckRunMs: 30 * minute,
  staleTaskMs: 2 * hour,
  staleGoalMs: 6 * hour,
  taskRetries: 2,
  taskRetryMs: 10 * second,
  pausedTaskMs: day,
  endedTaskMs: 15 * day,
}

/** When a task is tried again that has failed so many times; null when it is not. */
export function retryAt(failures: number, now: Date, limits: Thresholds = thresholds): Date | null {
  if (failures > limits.taskRetries) return null
  return new Date(now.getTime() + limits.taskRetryMs * 2 ** (failures - 1))
}
