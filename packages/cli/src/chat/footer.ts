/**
 * Owns what stands below a conversation on a terminal: the live line and the prompt with what is being typed. Both go
 * away while something is written, and come back after it.
 */
import { type AsyncCompleter, createInterface, type Interface } from 'node:readline'
import { slashMatching } from '@countersign/contract'
import type { Context } from '../context.ts'
import { type ChatHistory, mostLines } from './history.ts'
import { createPastedTexts, type KeyInput, openKeyInput } from './paste.ts'

export interface Footer {
  /** Leaves the cursor at the margin of an empty line. */
  hide(): void
  draw(): void
  /** How many keys were pressed so far. What they wrote stands wherever the cursor was. */
  keys(): number
  /** A line as it was meant, with what was pasted into it. */
  whole(line: string): string
  /** Begins to read lines. Before that nothing is drawn, and nothing that was typed ahead gets lost. */
  open(content: FooterContent): Interface
  close(): void
}

export interface FooterContent {
  readonly label: () => string
  /** False while what is typed is brought back by no arrow. */
  readonly keeps?: () => boolean
  readonly live: () => string | null
  /** True while a streamed line is not whole, so that nothing may be drawn. */
  readonly busy: () => boolean
  /** What may follow `/model`. */
  readonly models: () => Promise<readonly string[]>
  /** What the arrow up brings; without it only what is typed here. */
  readonly history?: ChatHistory
}

/** Tab completes a command, and the model that `/model` names. */
export async function completions(
  typed: string,
  models: () => Promise<readonly string[]>,
): Promise<[string[], string]> {
  const begun = /^\/model\s+(\S*)$/i.exec(typed)?.[1]
  if (begun === undefined) return [slashMatching(typed, 'terminal').map(({ name }) => `/${name} `), typed]
  return [(await models()).filter((each) => each.startsWith(begun)), begun]
}

function completer(models: FooterContent['models']): AsyncCompleter {
  return (typed, answer) =>
    void completions(typed, models).then(
      (found) => answer(null, found),
      // What cannot be asked for cannot be completed; the line stays as it is.
      () => answer(null, [[], typed]),
    )
}

function openReader(
  { host, redraws }: FooterPlace,
  { history, models }: FooterContent,
  input: NodeJS.ReadableStream,
): Interface {
  return createInterface({
    input,
    output: host.output,
    terminal: redraws,
    completer: completer(models),
    historySize: mostLines,
    removeHistoryDuplicates: true,
    ...(history === undefined ? {} : { history: [...history.lines] }),
  })
}

type FooterPlace = Pick<Context, 'host' | 'redraws'>

export function createFooter(context: FooterPlace): Footer {
  const { input, output } = context.host
  let drawn: { readonly reader: Interface; readonly content: FooterContent } | null = null
  let tall = false
  let keys = 0
  const pasted = createPastedTexts()
  let terminal: KeyInput | null = null
  const count = () => {
    keys += 1
  }

  function hide(): void {
    if (!context.redraws) return
    if (tall && drawn !== null) {
      // The reader knows how many rows it has drawn, and takes them off.
      drawn.reader.setPrompt('')
      drawn.reader.prompt(true)
      tall = false
    }
    output.write('\r\u001b[K')
  }

  return {
    hide,
    keys: () => keys,
    whole: pasted.whole,
    draw() {
      if (!context.redraws || drawn === null || drawn.content.busy()) return
      const { reader, content } = drawn
      const live = content.live()
      reader.setPrompt(live === null ? content.label() : `${live}\n${content.label()}`)
      reader.prompt(true)
      tall = live !== null
    },
    open(content) {
      if (context.redraws)
        terminal = openKeyInput(context.host, (text) => drawn?.reader.write(pasted.shown(text)))
      const reader = openReader(context, content, terminal?.keys ?? input)
      const { history, keeps = () => true } = content
      reader.on('history', (lines) => {
        if (keeps()) history?.keep(lines.filter(pasted.stands))
        // The reader holds the line that was typed just now in front of the others.
        else lines.shift()
      })
      drawn = { reader, content }
      input.on('keypress', count)
      return reader
    },
    close() {
      if (tall) hide()
      const reader = drawn?.reader
      drawn = null
      input.off('keypress', count)
      reader?.close()
      terminal?.close()
    },
  }
}
