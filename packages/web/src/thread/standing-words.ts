/** Owns the sentence below the word for a run that stands still: whom it waits for, and what waits behind that. */
import { standingWords as contractWords, type RunView } from '@countersign/contract'

type Standing = Pick<RunView, 'state' | 'parkedOn' | 'retry' | 'callsWaiting'>

export function standingWords(run: Standing): string | null {
  const words = contractWords(run, (at) => new Date(at).toLocaleTimeString())
  return words === null ? null : `${words}.`
}
