/** Owns where the cursor is: streamed text grows on its line, everything else starts on a fresh one. */
import type { Paint } from '../output/colour.ts'
import { rowsOf } from '../output/rows.ts'
import { line, lines } from '../output/safe-text.ts'
import { activityLine } from './activity.ts'
import { retryWords } from './retry.ts'
import type { ChatOutput } from './state.ts'

export interface Screen {
  show(show: ChatOutput): void
  block(text: string): void
  /** True while a streamed line is not whole: nothing else may be written on it. */
  isMidLine(): boolean
  /** Makes room below a streamed line that is not whole; what comes of it later goes on underneath. */
  breakLine(): void
}

export interface ScreenOptions {
  readonly write: (text: string) => void
  /** Takes the prompt away before something is written, and puts it back when the line is whole again. */
  readonly beforeWrite: () => void
  readonly afterLine: () => void
  readonly paint: Paint
  readonly clock?: () => Date
  /** What a person can do while a run waits for its next try. */
  readonly retryHint?: string
  /** How many keys were pressed so far: what is typed into a stream stands in the middle of it. */
  readonly keys?: () => number
  /** Given where lines that were written may be written over. */
  readonly size?: () => { readonly columns: number; readonly rows: number }
}

export function createScreen(options: ScreenOptions): Screen {
  let midLine = false
  /** What was streamed since the last thing of another kind, from the margin on. */
  let stream = ''
  let keysBefore = 0

  function piece(text: string): void {
    if (text === '') return
    if (!midLine) options.beforeWrite()
    const shown = lines(text)
    if (stream === '') keysBefore = options.keys?.() ?? 0
    options.write(shown)
    stream += shown
    midLine = !text.endsWith('\n')
    if (!midLine) options.afterLine()
  }

  function block(text: string): void {
    if (midLine) options.write('\n')
    else options.beforeWrite()
    midLine = false
    stream = ''
    options.write(`${text}\n`)
    options.afterLine()
  }

  function breakLine(): void {
    if (!midLine) return
    midLine = false
    stream += '\n'
    options.write('\n')
    options.afterLine()
  }

  function endLine(): void {
    breakLine()
    stream = ''
  }

  /** Takes the stream off where all of it is still on the screen; elsewhere a line says that it no longer holds. */
  function withdraw(): void {
    const size = options.size?.()
    const rows = size === undefined ? 0 : rowsOf(stream, size.columns)
    const typed = (options.keys?.() ?? 0) !== keysBefore
    if (size === undefined || stream === '' || typed || rows > size.rows) {
      return block(options.paint('quiet', '(Ignore the text above; the reply starts again.)'))
    }
    if (!midLine) options.beforeWrite()
    options.write(`\r${rows > 1 ? `\u001b[${rows - 1}A` : ''}\u001b[J`)
    midLine = false
    stream = ''
    options.afterLine()
  }

  return {
    block,
    breakLine,
    isMidLine: () => midLine,
    show(show) {
      switch (show.kind) {
        case 'piece':
          return piece(show.text)
        case 'reply-ended':
          return endLine()
        case 'withdrawn':
          return withdraw()
        case 'retry': {
          // Where lines are written over, the live line counts down instead.
          if (options.size !== undefined) return endLine()
          const words = line(retryWords(show.retry, options.clock?.() ?? new Date()))
          return block(options.paint('quiet', `${words} ${options.retryHint ?? ''}`.trimEnd()))
        }
        case 'activity':
          return block(activityLine(show.activity, options.paint))
        case 'verdict':
        case 'notice':
          return block(options.paint('quiet', line(show.text)))
        case 'warning':
          return block(options.paint('bad', line(show.text)))
        case 'elsewhere':
          return block(`You, elsewhere: ${lines(show.text)}`)
      }
    },
  }
}
