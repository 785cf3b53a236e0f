/**
 * Owns what a program asks, whatever protocol it came by, and by which hash its history is known. Pure. What a program says
 * that others said is quoted: it is the program's word, and nobody else's.
 */
import { sha256Hex } from '@countersign/contract/node'

export interface Said {
  readonly role: 'user' | 'assistant'
  readonly text: string
}

export interface Wish {
  readonly agent: string
  /** What the user said last. */
  readonly words: string
  /** What was said before, as the program tells it. */
  readonly history: readonly Said[]
  /** What the program says of itself. */
  readonly instructions: string
  /** By what the program calls the conversation; null where it does not. */
  readonly conversation: string | null
  /** For whom the program asks, by its own account: two people never share a history that was found by its hash. */
  readonly person: string | null
  /** The question that it follows; null where it names none. */
  readonly after: string | null
  readonly bodyHash: string
  readonly retryKey: string | null
  /** The caller says that it sent this before. */
  readonly isRetry: boolean
}

/** What a question is called. */
export const questionId = /^[0-9a-f]{32}$/

/** PostgreSQL keeps no NUL in a text, and half a character is none. */
export const sound = (text: string): string => text.replaceAll('\0', '').toWellFormed()

/** As it can be kept. */
export function soundWish(wish: Wish): Wish {
  const { conversation, person, retryKey } = wish
  return {
    ...wish,
    words: sound(wish.words),
    conversation: conversation && sound(conversation),
    person: person && sound(person),
    retryKey: retryKey && sound(retryKey),
  }
}

/** What is asked at once, by whatever protocol. */
export const longestWords = 100_000
const longestInstructions = 8_000
const longestHistory = 20_000

/** Those that follow each other in one role are one: clients join and part them as they like. */
export function joined(said: readonly Said[]): Said[] {
  const whole: Said[] = []
  for (const { role, text } of said) {
    if (text.trim() === '') continue
    const last = whole.at(-1)
    if (last?.role === role) whole[whole.length - 1] = { role, text: `${last.text}\n\n${text.trim()}` }
    else whole.push({ role, text: text.trim() })
  }
  return whole
}

/** What the user said last, and what was said before it. */
export function lastWords(said: readonly Said[]): { readonly words: string; readonly history: Said[] } {
  const whole = joined(said)
  const last = whole.at(-1)
  return last?.role === 'user'
    ? { words: last.text, history: whole.slice(0, -1) }
    : { words: '', history: whole }
}

export function historyHash(program: string, person: string | null, said: readonly Said[]): string {
  return sha256Hex(JSON.stringify([program, person, joined(said).map(({ role, text }) => [role, text])]))
}

/** What the history looks like to the program once it has the answer. */
export function hashAfter(program: string, { person, history, words }: Wish, answer: string): string {
  const said: Said[] = [...history, { role: 'user', text: words }, { role: 'assistant', text: answer }]
  return historyHash(program, person, said)
}

/** The first message of a conversation holds what the program says of itself, and of what was said elsewhere. */
export function openingText(program: string, { instructions, history, words }: Wish): string {
  const about = instructions.trim().slice(0, longestInstructions)
  const before = history.map(({ role, text }) => `${role}: ${text}`).join('\n\n')
  return [
    ...(about === '' ? [] : [`The program ${program} says about itself:\n${quoted(about)}`]),
    ...(before === ''
      ? []
      : [`It tells that this was said before:\n${quoted(before.slice(-longestHistory))}`]),
    words,
  ].join('\n\n')
}

const quoted = (text: string): string =>
  text
    .split('\n')
    .map((each) => `> ${each}`)
    .join('\n')
