/** Owns the sentence below the word for a run that stands still: whom it waits for, and what waits behind that. */
import type { RunView } from '@countersign/contract'
import { clockWords } from '../language/format.ts'
import { words } from '../words/chat.tsx'

type RunState = Pick<RunView, 'state' | 'parkedOn' | 'retry' | 'callsWaiting'>

/** Null where it does not wait. */
export function runStateWords(run: RunState): string | null {
  if (run.state !== 'parked') return null
  const { standing } = words
  const waits = waitingWords(run)
  return standing.sentence(run.callsWaiting === 0 ? waits : standing.behind(waits, run.callsWaiting))
}

function waitingWords({ parkedOn, retry }: RunState): string {
  const { standing } = words
  if (parkedOn === null) return standing.waiting
  if (parkedOn !== 'retry') return standing[parkedOn]
  const provider = retry?.provider ?? standing.provider
  return retry === null
    ? standing.retry(provider)
    : standing.retryUntil(provider, clockWords(new Date(retry.at)))
}
