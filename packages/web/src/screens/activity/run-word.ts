/** Owns the word for where a run of a list stands. `Done` is only said where nothing that went wrong was left so. */
import type { RunView, RunWord } from '@countersign/contract'

export function runWord(run: Pick<RunView, 'state' | 'parkedOn' | 'reason' | 'problems'>): RunWord {
  if (run.state === 'queued') return 'queued'
  if (run.state === 'running') return 'running'
  if (run.state === 'parked')
    return run.parkedOn === 'approval' || run.parkedOn === 'question'
      ? 'waiting for you'
      : run.parkedOn === 'paused'
        ? 'blocked'
        : 'running'
  switch (run.reason) {
    case 'error':
      return 'failed'
    case 'manual':
    case 'denied':
      return 'stopped by you'
    case 'limit':
    case 'budget':
      return 'over budget'
    case 'completed':
    case null:
      return run.problems > 0 ? 'done with problems' : 'done'
  }
}
