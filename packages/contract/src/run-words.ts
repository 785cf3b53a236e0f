/** Owns the words for why a run stands still, the same on every surface. */
import type { RunView } from './api.ts'
import type { ParkReason } from './events.ts'
import { endedWord, type RunWord } from './live/select.ts'

type RunWaiting = Pick<RunView, 'state' | 'parkedOn' | 'retry' | 'callsWaiting'>

/** What a parked run waits for; null where it does not. The caller says how a time is written. */
export function waitingWords(run: RunWaiting, timeWords: (at: string) => string): string | null {
  if (run.state !== 'parked') return null
  switch (run.parkedOn) {
    case 'retry':
      return run.retry ? `${providerWords(run.retry)} until ${timeWords(run.retry.at)}` : providerWords(null)
    case 'inbox':
      return 'Waiting until you have fewer pending decisions'
    case 'reader':
      return 'Waiting for its reader, which looks at the web'
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

/** Whom a run waits for that tries the model again; null where only that is known. */
export function providerWords(retry: Pick<NonNullable<RunView['retry']>, 'provider'> | null): string {
  return `Waiting for ${retry?.provider ?? 'the model provider'}`
}

/** What a parked run waits for, and what waits behind that; null where it does not wait. */
export function standingWords(run: RunWaiting, timeWords: (at: string) => string): string | null {
  const waits = waitingWords(run, timeWords)
  if (waits === null) return null
  const behind = turnWords(run.callsWaiting)
  return behind === null ? waits : `${waits}, ${behind}`
}

/** One row for all calls of a run that have no card yet; null where there are none. */
export function turnWords(callsWaiting: number): string | null {
  if (callsWaiting === 0) return null
  return callsWaiting === 1 ? 'and 1 more call is queued' : `and ${callsWaiting} more calls are queued`
}

const parkedWords: Readonly<Record<ParkReason, RunWord>> = {
  approval: 'waiting for you',
  question: 'waiting for you',
  inbox: 'waiting for you',
  reader: 'running',
  paused: 'blocked',
  retry: 'waiting for the provider',
}

/** The word for where a run of a list stands. `Done` is only said where nothing that went wrong was left so. */
export function runWord(run: Pick<RunView, 'state' | 'parkedOn' | 'reason' | 'problems'>): RunWord {
  if (run.state === 'queued') return 'queued'
  if (run.state === 'running') return 'running'
  if (run.state === 'parked') return parkedWords[run.parkedOn ?? 'approval']
  return endedWord(run.reason, run.problems > 0)
}
