/**
 * Makes texts that fit a regular expression, for the patterns that schemas have: literals, classes, groups, choices
 * and counts. Gives nothing for what it does not understand, and never a text that does not fit.
 */
import type { SeededRandom } from './seeded-random.ts'

export function textFor(pattern: string, random: SeededRandom, longest = 200): string | undefined {
  const fits = expressionOf(pattern)
  if (!fits) return undefined
  try {
    const make = parse(pattern)
    for (let attempt = 0; attempt < 8; attempt += 1) {
      const text = make(random)
      if (text.length <= longest && fits.test(text)) return text
    }
  } catch (error) {
    if (!(error instanceof NotUnderstood)) throw error
  }
  return undefined
}

export function expressionOf(pattern: string): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return new RegExp(pattern, flags)
    } catch {
      // Some patterns are only written for one of the two dialects.
    }
  }
  return undefined
}

type Make = (random: SeededRandom) => string

class NotUnderstood extends Error {}

interface Reader {
  readonly pattern: string
  at: number
}

function parse(pattern: string): Make {
  const reader: Reader = { pattern, at: 0 }
  const make = readChoice(reader)
  if (reader.at < pattern.length) throw new NotUnderstood()
  return make
}

function readChoice(reader: Reader): Make {
  const choices: [Make, ...Make[]] = [readSequence(reader)]
  while (peek(reader) === '|') {
    reader.at += 1
    choices.push(readSequence(reader))
  }
  return (random) => random.pick(choices)(random)
}

function readSequence(reader: Reader): Make {
  const parts: Make[] = []
  for (let next = peek(reader); next !== '' && next !== '|' && next !== ')'; next = peek(reader)) {
    parts.push(readCounted(reader))
  }
  return (random) => parts.map((make) => make(random)).join('')
}

/** A count without an end is kept short. */
const mostMore = 6

function readCounted(reader: Reader): Make {
  const make = readAtom(reader)
  const [written = '', least = '0', comma, most] =
    /^(?:[?*+]|\{(\d+)(?:(,)(\d*))?\})\??/.exec(reader.pattern.slice(reader.at)) ?? []
  if (written === '') return make
  reader.at += written.length
  const from = written.startsWith('+') ? 1 : Number(least)
  const to = upperOf(written, from, comma, most)
  return (random) => Array.from({ length: from + random.int(to - from) }, () => make(random)).join('')
}

function upperOf(written: string, from: number, comma: string | undefined, most: string | undefined): number {
  if (written.startsWith('?')) return 1
  if (!written.startsWith('{')) return from + mostMore
  if (comma === undefined) return from
  return most ? Math.min(Number(most), from + 4 * mostMore) : from + mostMore
}

function readAtom(reader: Reader): Make {
  const next = peek(reader)
  reader.at += next.length
  switch (next) {
    case '^':
    case '$':
      return () => ''
    case '.':
      return anyOf(printable)
    case '(':
      return readGroup(reader)
    case '[':
      return anyOf(readClass(reader))
    case '\\':
      return anyOf(readEscape(reader))
    default:
      return () => next
  }
}

function readGroup(reader: Reader): Make {
  const [opening = ''] = /^\?(?::|<[A-Za-z]\w*>)/.exec(reader.pattern.slice(reader.at)) ?? []
  if (opening === '' && peek(reader) === '?') throw new NotUnderstood()
  reader.at += opening.length
  const make = readChoice(reader)
  if (peek(reader) !== ')') throw new NotUnderstood()
  reader.at += 1
  return make
}

function readClass(reader: Reader): string {
  const isNegated = peek(reader) === '^'
  if (isNegated) reader.at += 1
  let members = ''
  for (let next = peek(reader); next !== ']'; next = peek(reader)) {
    if (next === '') throw new NotUnderstood()
    reader.at += next.length
    const first = next === '\\' ? readEscape(reader) : next
    const [, last] = /^-([^\]\\])/u.exec(reader.pattern.slice(reader.at)) ?? []
    if (last === undefined || Array.from(first).length !== 1) members += first
    else {
      reader.at += 1 + last.length
      members += between(first, last)
    }
  }
  reader.at += 1
  return isNegated
    ? Array.from(printable)
        .filter((character) => !members.includes(character))
        .join('')
    : members
}

const digits = '0123456789'
const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'
const printable = between(' ', '~')
const named: Readonly<Record<string, string>> = {
  d: digits,
  w: `${letters}${digits}_`,
  s: ' ',
  S: `${letters}${digits}`,
  D: letters,
  W: ' -.',
  n: '\n',
  t: '\t',
  r: '\r',
}
const properties: Readonly<Record<string, string>> = { L: `${letters}äßéçñжλ`, N: digits, M: '\u0301' }

/** The characters that an escape stands for. */
function readEscape(reader: Reader): string {
  const rest = reader.pattern.slice(reader.at)
  const [property = '', name = ''] = /^p\{([LMN])\w?\}/.exec(rest) ?? []
  if (property !== '') {
    reader.at += property.length
    return properties[name] ?? ''
  }
  const [point = '', ...hex] = /^u([0-9A-Fa-f]{4})|^u\{([0-9A-Fa-f]+)\}|^x([0-9A-Fa-f]{2})/.exec(rest) ?? []
  if (point !== '') {
    reader.at += point.length
    return String.fromCodePoint(Number.parseInt(hex.find((digit) => digit !== undefined) ?? '0', 16))
  }
  const next = peek(reader)
  reader.at += next.length
  if (next === 'b' || next === 'B') return ''
  if (next in named) return named[next] ?? ''
  if (/[A-Za-z0-9]/.test(next)) throw new NotUnderstood()
  return next
}

function anyOf(members: string): Make {
  const [first = '', ...others] = members
  return (random) => random.pick([first, ...others])
}

/** Not the whole of a wide range, only as many as are of use. */
function between(first: string, last: string): string {
  const from = first.codePointAt(0) ?? 0
  const to = Math.min(last.codePointAt(0) ?? 0, from + 127)
  let members = ''
  for (let point = from; point <= to; point += 1) members += String.fromCodePoint(point)
  return members
}

function peek({ pattern, at }: Reader): string {
  return String.fromCodePoint(...[pattern.codePointAt(at)].filter((point) => point !== undefined))
}
