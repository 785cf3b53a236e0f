/** Shows how far a long piece of work is: one line that grows on a terminal, a line at each step through a pipe. */
import { gauge } from './bar.ts'
import { oneRow } from './rows.ts'
import { line } from './safe-text.ts'

export interface ProgressBar {
  update(fraction: number, words: string): void
  /** Takes the line away, where it can be. */
  end(): void
}

export interface ProgressOptions {
  readonly write: (text: string) => void
  readonly redraws: boolean
  readonly columns: () => number
}

const gaugeWidth = 24
const step = 0.25

export function createProgress({ write, redraws, columns }: ProgressOptions): ProgressBar {
  let shown = ''
  let reached = -1

  function live(fraction: number, words: string): void {
    const text = oneRow(
      `${gauge(fraction, gaugeWidth, false)} ${percent(fraction)}  ${line(words)}`,
      columns(),
    )
    if (text === shown) return
    shown = text
    write(`\r\u001b[K${text}`)
  }

  /** Another step of the work, or a quarter more of it. */
  function plain(fraction: number, words: string): void {
    const quarter = Math.floor(fraction / step)
    if (words === shown && quarter <= reached) return
    shown = words
    reached = quarter
    write(`${percent(fraction)}  ${line(words)}\n`)
  }

  return {
    update: redraws ? live : plain,
    end() {
      if (redraws && shown !== '') write('\r\u001b[K')
      shown = ''
    },
  }
}

function percent(fraction: number): string {
  return `${Math.round(Math.min(1, Math.max(0, fraction)) * 100)} %`.padStart(5)
}
