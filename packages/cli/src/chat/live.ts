/** Says in one line what goes on while nothing is shown. It is written over, so it stands only where that can be done. */

import type { Paint } from '../output/colour.ts'
import { grouped } from '../output/money.ts'
import { line } from '../output/safe-text.ts'
import { retryKeys, retryWords } from './retry.ts'
import { activeRun, awaitedRetry, type ChatState, progress } from './state.ts'

/** A run is at work, and nothing of it is shown. */
function isWorking(state: ChatState): boolean {
  const run = activeRun(state)
  return run !== null && state.waiting.length === 0 && progress(state, run).kind === 'working'
}

/** Null when the conversation speaks for itself. */
export function liveLine(state: ChatState, now: Date, paint: Paint): string | null {
  const awaited = awaitedRetry(state)
  if (awaited !== undefined) return `${line(retryWords(awaited.retry, now))} ${retryKeys}`
  switch (state.doing?.kind) {
    case 'thinking':
      return paint('quiet', 'thinking…')
    case 'calling': {
      const { tool, characters } = state.doing
      return paint('quiet', `… writing ${line(tool)} (${grouped(String(characters))} characters)`)
    }
    default:
      return isWorking(state) ? paint('quiet', 'working…') : null
  }
}
