/** Owns the word for where a run of a list stands. `Done` is only said where nothing that went wrong was left so. */
import type { ParkReason, RunView, RunWord } from '@countersign/contract'

const parkedWords: Readonly<Record<ParkReason, RunWord>> = {
  approval: 'waiting for you',
  question: 'waiting for you',
  inbox: 'waiting for you',
  paused: 'blocked',
  retry: 'waiting for the provider',
}

export function runWord(run: Pick<RunView, 'state' | 'parkedOn' | 'reason' | 'problems'>): RunWord {
  if (run.state === 'queued') return 'queued'
  if (run.state === 'running') return 'running'
  if (run.state === 'parked') return parkedWords[run.parkedOn ?? 'approval']
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
