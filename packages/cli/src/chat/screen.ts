/** Owns where the cursor is: streamed text grows on its line, everything else starts on a fresh one. */
import type { Paint } from '../output/colour.ts'
import { line, lines } from '../output/safe.ts'
import { activityLine } from './activity.ts'
import type { Show } from './state.ts'

export interface Screen {
  show(show: Show): void
  block(text: string): void
  /** True while a streamed line is not whole: nothing else may be written on it. */
  isMidLine(): boolean
}

export interface ScreenOptions {
  readonly write: (text: string) => void
  /** Takes the prompt away before something is written, and puts it back when the line is whole again. */
  readonly beforeWrite: () => void
  readonly afterLine: () => void
  readonly paint: Paint
}

export function createScreen(options: ScreenOptions): Screen {
  let midLine = false

  function piece(text: string): void {
    if (text === '') return
    if (!midLine) options.beforeWrite()
    options.write(lines(text))
    midLine = !text.endsWith('\n')
    if (!midLine) options.afterLine()
  }

  function block(text: string): void {
    if (midLine) options.write('\n')
    else options.beforeWrite()
    midLine = false
    options.write(`${text}\n`)
    options.afterLine()
  }

  function endLine(): void {
    if (!midLine) return
    midLine = false
    options.write('\n')
    options.afterLine()
  }

  return {
    block,
    isMidLine: () => midLine,
    show(show) {
      switch (show.kind) {
        case 'piece':
          return piece(show.text)
        case 'reply-ended':
          return endLine()
        case 'activity':
          return block(activityLine(show.activity, options.paint))
        case 'verdict':
        case 'notice':
          return block(options.paint('quiet', line(show.text)))
        case 'elsewhere':
          return block(`You, elsewhere: ${lines(show.text)}`)
      }
    },
  }
}
