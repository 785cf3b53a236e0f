/** Owns what the end of a run makes of the task that it was done for. Pure. */
import type { HeldTask, StopReason } from '@countersign/contract'
import { retryAt, type Thresholds, thresholds } from '../health/thresholds.ts'

export interface RunEnd {
  readonly reason: StopReason
  readonly message: string
  /** What the agent said last; empty if it said nothing. */
  readonly reply: string
}

export type TaskOutcome = Pick<
  HeldTask,
  'status' | 'result' | 'problem' | 'pausedAt' | 'nextRetryAt' | 'endedAt'
>

export function outcomeOf(
  task: Pick<HeldTask, 'attempts'>,
  { reason, message, reply }: RunEnd,
  now: Date,
  limits: Thresholds = thresholds,
): TaskOutcome {
  const result = reply.trim() === '' ? null : reply
  const ended = { result, problem: null, pausedAt: null, nextRetryAt: null, endedAt: now.toISOString() }
  switch (reason) {
    case 'completed':
      return { ...ended, status: 'completed' }
    case 'limit':
      // It worked as long as it may; what it has found by then is its result.
      return { ...ended, status: result === null ? 'failed' : 'completed', problem: message }
    case 'manual':
      return { ...ended, status: 'cancelled', problem: message }
    case 'budget':
    case 'denied':
      return { ...ended, status: 'failed', problem: message }
    case 'error': {
      const again = retryAt(task.attempts, now, limits)
      if (again === null) return { ...ended, status: 'failed', problem: message }
      return {
        ...ended,
        status: 'paused',
        problem: message,
        pausedAt: now.toISOString(),
        nextRetryAt: again.toISOString(),
        endedAt: null,
      }
    }
  }
}
