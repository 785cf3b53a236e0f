/** Says in one line what goes on while nothing is shown. It is written over, so it stands only where that can be done. */

import type { Paint } from '../output/colour.ts'
import { grouped } from '../output/money.ts'
import { line } from '../output/safe-text.ts'
import { retryKeys, retryWords } from './retry.ts'
import { awaitedRetry, type ChatState } from './state.ts'

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
      return null
  }
}
