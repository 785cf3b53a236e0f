/** Owns the words for why a run stands still, the same on every surface. */
import type { RunView } from './api.ts'

type Standing = Pick<RunView, 'state' | 'parkedOn' | 'retry' | 'callsWaiting'>

/** What a parked run waits for; null where it does not. The caller says how a time is written. */
export function waitingWords(run: Standing, timeWords: (at: string) => string): string | null {
  if (run.state !== 'parked') return null
  switch (run.parkedOn) {
    case 'retry':
      return run.retry
        ? `Waiting for ${run.retry.provider} until ${timeWords(run.retry.at)}`
        : 'Waiting for the model provider'
    case 'inbox':
      return 'Waiting until you have fewer decisions before you'
    case 'approval':
      return 'Waiting for your decision'
    case 'question':
      return 'Waiting for your answer'
    case 'paused':
      return 'Paused'
    case null:
      return 'Waiting'
  }
}

/** One row for all calls of a run that have no card yet; null where there are none. */
export function turnWords(callsWaiting: number): string | null {
  if (callsWaiting === 0) return null
  return callsWaiting === 1
    ? 'and 1 more call waits for its turn'
    : `and ${callsWaiting} more calls wait for their turn`
}
