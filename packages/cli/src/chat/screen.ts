/** Owns where the cursor is: streamed text grows on its line, everything else starts on a fresh one. */
import type { Paint } from '../output/colour.ts'
import { wholeBlocks } from '../output/markdown.ts'
import { rowsOf } from '../output/rows.ts'
import { line, lines } from '../output/safe-text.ts'
import { wrap } from '../output/wrap.ts'
import { activityLine } from './activity.ts'
import { retryWords } from './retry.ts'
import type { ChatOutput } from './state.ts'

export interface Screen {
  show(show: ChatOutput): void
  block(text: string): void
  /** True while a streamed line is not whole: nothing else may be written on it. */
  isMidLine(): boolean
  /** What has come of a reply and does not stand there yet. */
  heldText(): string
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
  /** Renders replies where they can be; without it they are written as they come. */
  readonly markdown?: (source: string) => string
  /** How many keys were pressed so far: what is typed into a stream stands in the middle of it. */
  readonly keys?: () => number
  /** Given where lines that were written may be written over. */
  readonly size?: () => { readonly columns: number; readonly rows: number }
}

const shortBlock = 2_000

export function createScreen(options: ScreenOptions): Screen {
  let midLine = false
  /** What was streamed since the last thing of another kind, from the margin on. */
  let stream = ''
  let keysBefore = 0
  /** Markdown whose last block may still grow. */
  let held = ''
  /** A long block is looked at again only when it has grown by a part of itself: not with every word of it. */
  let lookAt = 0

  /** Markdown stands there a block at a time; the one that still grows is held back. */
  function heldPiece(text: string, render: (source: string) => string): void {
    held += text
    if (held.length < lookAt) return
    const { whole, rest } = wholeBlocks(held)
    held = rest
    lookAt = rest.length < shortBlock ? 0 : rest.length * 1.25
    if (whole === '') return
    plainPiece(`${render(whole)}\n\n`)
  }

  function flush(): void {
    if (held === '' || options.markdown === undefined) return
    const text = options.markdown(held)
    held = ''
    lookAt = 0
    if (text !== '') plainPiece(`${text}\n`)
  }

  function piece(text: string): void {
    if (options.markdown === undefined) plainPiece(text === '' ? '' : lines(text))
    else heldPiece(text, options.markdown)
  }

  function plainPiece(shown: string): void {
    if (shown === '') return
    if (!midLine) options.beforeWrite()
    if (stream === '') keysBefore = options.keys?.() ?? 0
    options.write(shown)
    stream += shown
    midLine = !shown.endsWith('\n')
    if (!midLine) options.afterLine()
  }

  function block(text: string): void {
    flush()
    if (midLine) options.write('\n')
    else options.beforeWrite()
    midLine = false
    stream = ''
    options.write(`${wrap(text, options.size?.().columns)}\n`)
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
    flush()
    breakLine()
    stream = ''
  }

  /** Takes the stream off where all of it is still on the screen; elsewhere a line says that it no longer holds. */
  function withdraw(): void {
    const unseen = held !== '' && stream === ''
    held = ''
    lookAt = 0
    // Nothing of it was shown.
    if (unseen) return
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
    heldText: () => held,
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
