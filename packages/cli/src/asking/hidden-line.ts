/**
 * Reads a line that nobody may see. Our own rather than the library's: that one shows how much was typed, and keeps the
 * first line of a paste of several as if it were all of it.
 */
import { stripVTControlCharacters } from 'node:util'
import { CountersignError } from '@countersign/contract'
import type { InputStream, OutputStream } from '../host.ts'

/** Echoes nothing, not even how much was typed. */
export async function hiddenLine(
  input: InputStream,
  output: OutputStream,
  question: string,
): Promise<string | undefined> {
  // First, so that nothing typed early is echoed.
  input.setRawMode?.(true)
  output.write(question)
  const decoder = new TextDecoder()
  let text = ''
  try {
    const ended = Promise.withResolvers<string | undefined>()
    const take = (chunk: Buffer | string) => {
      const piece = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true })
      const step = edited(text, piece)
      text = step.text
      if (step.kind === 'refused')
        ended.reject(new CountersignError('usage', step.reason, { next: step.next }))
      if (step.kind === 'entered') ended.resolve(text)
      if (step.kind === 'cancelled') ended.resolve(undefined)
    }
    const end = () => ended.resolve(undefined)
    input.on('data', take)
    input.on('end', end)
    input.resume()
    try {
      return await ended.promise
    } finally {
      input.off('data', take)
      input.off('end', end)
      input.pause()
    }
  } finally {
    input.setRawMode?.(false)
    output.write('\n')
  }
}

type TypedLine =
  | { readonly kind: 'typing' | 'entered' | 'cancelled'; readonly text: string }
  | { readonly kind: 'refused'; readonly text: string; readonly reason: string; readonly next: string }

/** What the keys make of the text: a backspace, Ctrl-U, Ctrl-C and Ctrl-D do what they do elsewhere. */
function edited(before: string, piece: string): TypedLine {
  let text = before
  // Arrow keys and the marks around a paste are sequences that no value holds.
  const keys = Array.from(stripVTControlCharacters(piece))
  for (const [at, key] of keys.entries()) {
    switch (key) {
      case '\r':
      case '\n':
        if (keys.slice(at + 1).some((later) => later !== '\r' && later !== '\n')) {
          const reason = 'The value has more than one line; only one line can be typed.'
          return {
            kind: 'refused',
            text: '',
            reason,
            next: 'Pipe it in instead: `… < file`. Nothing was stored.',
          }
        }
        return { kind: 'entered', text }
      case '\u0003':
        return { kind: 'cancelled', text: '' }
      case '\u0004':
        return { kind: text === '' ? 'cancelled' : 'entered', text }
      case '\u0008':
      case '\u007f':
        text = Array.from(text).slice(0, -1).join('')
        break
      case '\u0015':
        text = ''
        break
      default:
        if (key >= ' ') text += key
    }
  }
  return { kind: 'typing', text }
}
