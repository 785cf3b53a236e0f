/** Owns the sentence below the word for a run that stands still: whom it waits for, and what waits behind that. */
import { type RunView, turnWords, waitingWords } from '@countersign/contract'

type Standing = Pick<RunView, 'state' | 'parkedOn' | 'retry' | 'callsWaiting'>

export function standingWords(run: Standing): string | null {
  const waits = waitingWords(run, (at) => new Date(at).toLocaleTimeString())
  if (waits === null) return null
  const behind = turnWords(run.callsWaiting)
  return `${behind === null ? waits : `${waits}, ${behind}`}.`
}
