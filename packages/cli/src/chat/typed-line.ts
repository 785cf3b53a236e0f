/** Reads a line that was typed into a conversation: what it is depends on what waits there. Pure. */
import { parseSlash, type SlashCommand } from '@countersign/contract'
import { cardLetters } from '../card.ts'
import type { PendingItem } from './state.ts'

export type TypedLine =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'slash'; readonly command: SlashCommand }
  /** A decision about the card; `rest` is what stood after the letter. */
  | { readonly kind: 'letter'; readonly letter: string; readonly rest: string }
  /** Too short for a message and no offered letter: nothing may come of it. */
  | { readonly kind: 'hint'; readonly text: string }
  /** A message while a card waits. It takes the place of a decision, so it is asked about first. */
  | { readonly kind: 'instead'; readonly text: string }
  /** What becomes of a question of a server; no message answers it. */
  | { readonly kind: 'reply'; readonly action: 'accept' | 'decline' | 'cancel' }
  | { readonly kind: 'answer' | 'message'; readonly text: string }

/** As long as a habit such as `y` or `ok`. */
const shortest = 2

export function readTypedLine(text: string, waits: PendingItem | undefined, letters: boolean): TypedLine {
  const typed = text.trim()
  if (typed === '') return { kind: 'nothing' }
  const command = parseSlash(text)
  if (command) return { kind: 'slash', command }
  if (waits?.kind === 'question' && waits.server) return serverLine(text)
  if (waits?.kind === 'question') return { kind: 'answer', text: typed }
  if (!letters) return { kind: 'message', text }
  if (waits === undefined)
    return typed.length === 1 && /[a-z]/i.test(typed)
      ? { kind: 'hint', text: 'No decision is pending here. A message has more than one letter.' }
      : { kind: 'message', text }
  const offered = cardLetters(waits.approval)
  const [first = '', ...more] = typed.split(/\s+/)
  const letter = first.toLowerCase()
  // Where only a passkey approves, `a` is answered with that.
  const known = letter === 'a' || offered.includes(letter)
  if (known && (more.length === 0 || letter === 'd' || letter === 'q'))
    return { kind: 'letter', letter, rest: more.join(' ') }
  if (typed.length <= shortest) return { kind: 'hint', text: `Type ${listed(offered)}.` }
  return { kind: 'instead', text }
}

function serverLine(text: string): TypedLine {
  const typed = text.trim()
  const action = ({ a: 'accept', d: 'decline', x: 'cancel' } as const)[typed.toLowerCase()]
  if (action) return { kind: 'reply', action }
  return typed.length <= shortest ? { kind: 'hint', text: 'Type a, d or x.' } : { kind: 'message', text }
}

/** `a, r or d`. */
function listed(letters: readonly string[]): string {
  return `${letters.slice(0, -1).join(', ')} or ${letters.at(-1) ?? ''}`
}
