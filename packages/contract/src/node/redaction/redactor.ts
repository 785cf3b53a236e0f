/** Owns redaction by exact value: a registered secret never reaches a sink, in any of its usual encodings. */
import { secretMark } from '../../secret.ts'
import { alphabet, type EncodingName, encodings, type Form } from './encodings.ts'
import { createFinder, type Finder, shortestNeedle } from './finder.ts'
import { type Wrapping, wrappings } from './wrappings.ts'

export interface Redactor {
  /**
   * From now on the value is replaced by the mark of its name, for as long as the process lives: a value that was
   * rotated or removed may still be valid elsewhere, and still stands in what was read before. Values shorter than
   * eight characters are refused.
   */
  register(name: string, value: string): void
  /** For a value that is of no use to anybody any more, as a token long after its end. */
  forget(value: string): void
  text(text: string): string
  /** Redacts every string inside a JSON value, keys included. */
  json<T>(value: T): T
  /** For text that comes in pieces: a value may be split between two. */
  open(): RedactedStream
}

export interface RedactedStream {
  /** What can be shown by now. Holds back an end that might be the beginning of a secret. */
  push(piece: string): string
  /** What was held back, when nothing follows. */
  end(): string
}

interface Needle extends Form {
  readonly name: string
}

interface Found {
  readonly start: number
  readonly end: number
  readonly name: string
}

/** As JSON in a JSON string in a log of JSON. */
const deepest = 3

const everyEncoding = Object.keys(encodings) as EncodingName[]

/** Fewer encodings are for tests that prove what each is for. */
export function createRedactor(known: readonly EncodingName[] = everyEncoding): Redactor {
  const undone = Object.entries<Wrapping>(wrappings).flatMap(([name, undo]) =>
    known.includes(name as EncodingName) ? [undo] : [],
  )
  const names = new Map<string, string>()
  let finder: Finder<Needle> | undefined

  function register(name: string, value: string): void {
    if (value.length < shortestNeedle)
      throw new RangeError(`The secret ${name} is too short to redact safely.`)
    const sound = value.toWellFormed()
    if (names.get(sound) === name) return
    names.set(sound, name)
    finder = undefined
  }

  function forget(value: string): void {
    if (names.delete(value.toWellFormed())) finder = undefined
  }

  function build(): Finder<Needle> {
    const needles = new Map<string, Needle>()
    for (const [value, name] of names) {
      for (const encoding of known) {
        for (const form of encodings[encoding](value))
          needles.set(`${form.before}\0${form.after}\0${form.text}`, { ...form, name })
      }
    }
    return createFinder([...needles.values()])
  }

  function occurrences(input: string, depth = 0): Found[] {
    finder ??= build()
    const found: Found[] = []
    finder.find(input, (needle, at) => {
      const occurrence = occurrenceOf(needle, input, at)
      if (occurrence) found.push(occurrence)
    })
    if (depth === deepest) return found
    for (const undo of undone) {
      const inner = undo(input)
      if (!inner) continue
      for (const { start, end, name } of occurrences(inner.text, depth + 1))
        found.push({ start: inner.placeOf(start), end: inner.placeOf(end), name })
    }
    return found
  }

  function text(input: string): string {
    if (names.size === 0 || input.length < shortestNeedle) return input
    const found = occurrences(input)
    return found.length === 0 ? input : masked(input, found)
  }

  function walk(value: unknown): unknown {
    if (typeof value === 'string') return text(value)
    if (Array.isArray(value)) return value.map(walk)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [text(key), walk(inner)]))
  }

  function open(): RedactedStream {
    let held = ''
    return {
      push(piece) {
        held += piece
        if (names.size === 0) return take(held.length)
        finder ??= build()
        const open = finder.unfinished(held, (needle) => needle.after === '' && !needle.padded)
        return take(cutBefore(open, occurrences(held)))
      },
      end: () => take(held.length),
    }

    function take(length: number): string {
      const shown = text(held.slice(0, length))
      held = held.slice(length)
      return shown
    }
  }

  return {
    register,
    forget,
    text,
    json: <T>(value: T) => (names.size > 0 ? (walk(value) as T) : value),
    open,
  }
}

/** Nothing, when a character at its edge shows that other bytes stand there. */
function occurrenceOf(needle: Needle, input: string, at: number): Found | undefined {
  const { name, before, after, padded } = needle
  let start = at
  let end = at + needle.text.length
  if (before !== '' && start > 0 && isEncoded(input, start - 1)) {
    if (!before.includes(input.charAt(start - 1))) return undefined
    start -= 1
  }
  if (after !== '' && end < input.length && isEncoded(input, end)) {
    if (!after.includes(input.charAt(end))) return undefined
    end += 1
  }
  return { start, end: padded ? afterPadding(input, end) : end, name }
}

/** Never within what was found; the character before an unfinished end may be the edge of what is coming. */
function cutBefore(open: number, found: readonly Found[]): number {
  let cut = Math.max(0, open - 1)
  for (const { start, end } of found.toReversed())
    if (start < cut && cut < end) cut = end <= open ? end : start
  return cut
}

function afterPadding(input: string, end: number): number {
  const [padding = ''] = /^(?:={1,2}|(?:%3D){1,2})/i.exec(input.slice(end, end + 6)) ?? []
  return end + padding.length
}

function isEncoded(input: string, at: number): boolean {
  const character = input.charAt(at)
  return character === '-' || character === '_' || alphabet.includes(character)
}

/** Of two secrets of which one holds the other, the longer one counts; of two that overlap, both are marked. */
function masked(input: string, found: Found[]): string {
  const ordered = found.toSorted((left, right) => left.start - right.start || right.end - left.end)
  let output = ''
  let done = 0
  let last = ''
  for (const { start, end, name } of ordered) {
    if (end <= done) continue
    if (start >= done) output += input.slice(done, start)
    if (start >= done || name !== last) output += secretMark(name)
    done = end
    last = name
  }
  return output + input.slice(done)
}
