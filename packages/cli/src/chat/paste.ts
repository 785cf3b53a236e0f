/**
 * Owns pasting. What a terminal marks as pasted goes into the line that is being typed, as one text and without being
 * sent, however many lines it has. The editor has one line, so that line ends are shown by a sign, and a long text by
 * what it is; both are what was pasted again when the line is taken.
 */
import { emitKeypressEvents, type Key } from 'node:readline'
import { PassThrough } from 'node:stream'
import type { Host } from '../host.ts'

export interface PastedTexts {
  /** How it stands in the editor. */
  shown(text: string): string
  /** The line with what was pasted in its place. */
  whole(line: string): string
  /** False where the line says nothing without what was pasted here. */
  stands(line: string): boolean
}

const lineEnd = '↵'
/** A longer text would push the conversation off a small screen, again with each time that it is drawn. */
const longest = 600

export function createPastedTexts(): PastedTexts {
  const long = new Map<string, string>()
  return {
    shown(text) {
      const clean = cleaned(text)
      if (clean.length <= longest) return clean.replaceAll('\n', lineEnd)
      const count = clean.split('\n').length
      const what = count === 1 ? `${clean.length} characters` : `${count} lines`
      const name = `[pasted ${long.size + 1}: ${what}]`
      long.set(name, clean)
      return name
    },
    whole: (line) =>
      [...long].reduce(
        (all, [name, text]) => all.replaceAll(name, () => text),
        line.replaceAll(lineEnd, '\n'),
      ),
    stands: (line) => [...long.keys()].every((name) => !line.includes(name)),
  }
}

/** Without what moves a cursor, and without the line end that a copied line brings along. */
function cleaned(text: string): string {
  return text
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', '  ')
    .replaceAll(/(?!\n)\p{Cc}/gu, '')
    .replace(/\n+$/, '')
}

export interface KeyInput {
  /** What a line editor reads instead of the terminal: the same keys, without those that were pasted. */
  readonly keys: NodeJS.ReadableStream
  close(): void
}

export function openKeyInput(
  { input, output }: Pick<Host, 'input' | 'output'>,
  onPaste: (text: string) => void,
): KeyInput {
  const keys = Object.assign(new PassThrough(), {
    setRawMode(raw: boolean) {
      input.setRawMode?.(raw)
      return keys
    },
  })
  let pasted: string | null = null
  const take = (text: string | undefined, key: Key) => {
    if (key.name === 'paste-start') pasted = ''
    else if (pasted === null) keys.emit('keypress', text, key)
    else if (key.name === 'paste-end') {
      onPaste(pasted)
      pasted = null
    } else pasted += key.sequence ?? ''
  }
  const end = () => keys.end()
  emitKeypressEvents(input)
  input.on('keypress', take)
  input.once('end', end)
  input.resume()
  output.write('\u001b[?2004h')
  return {
    keys,
    close() {
      output.write('\u001b[?2004l')
      input.off('keypress', take)
      input.off('end', end)
      input.pause()
    },
  }
}
