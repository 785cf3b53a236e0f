/**
 * Says in one line what a command is at, once that takes longer than a second: what, how far, for how long, and how to
 * stop it. On stderr and only on a terminal; it is taken away before anything else is written.
 */
import type { OutputStream } from '../host.ts'
import { oneRow } from './rows.ts'
import { line } from './safe-text.ts'
import { spinner } from './spinner.ts'

export interface Working {
  /** What is being done now; said again, it says how far it is. */
  at(words: string, stop?: string): void
  /** Makes room for a line; what goes on is shown again under it. */
  hide(): void
  end(): void
}

export interface WorkingOptions {
  readonly errors: Pick<OutputStream, 'write' | 'columns'>
  /** Otherwise nothing is ever shown. */
  readonly shows: boolean
  readonly clock: () => Date
}

const quietMs = 1_000
const turnMs = 120

export function createWorking({ errors, shows, clock }: WorkingOptions): Working {
  let words = ''
  let how = ''
  let began = 0
  let drawn = false
  let ticking: NodeJS.Timeout | undefined

  function draw(): void {
    const now = clock()
    const passed = now.getTime() - began
    if (passed < quietMs) return
    const text = `${spinner(now)} ${line(words)}  ${Math.floor(passed / 1_000)} s, ${how}`
    errors.write(`\r\u001b[K${oneRow(text, errors.columns || 80)}`)
    drawn = true
  }

  function hide(): void {
    if (drawn) errors.write('\r\u001b[K')
    drawn = false
  }

  return {
    at(now, stop = 'Ctrl+C stops it') {
      if (!shows) return
      words = now
      how = stop
      if (ticking !== undefined) return
      began = clock().getTime()
      ticking = setInterval(draw, turnMs)
      ticking.unref()
    },
    hide,
    end() {
      clearInterval(ticking)
      ticking = undefined
      hide()
    },
  }
}
