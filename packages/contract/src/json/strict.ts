/**
 * Reads JSON text once, as I-JSON. Refuses whatever two readers could take differently: repeated keys, lone
 * surrogates, integers a double cannot hold exactly, and input too large or too deep to be shown whole.
 */

import type { JsonObject, JsonValue } from './value.ts'

export type StrictRefusal =
  | 'empty'
  | 'byte-order-mark'
  | 'too-large'
  | 'too-deep'
  | 'duplicate-key'
  | 'lone-surrogate'
  | 'non-finite-number'
  | 'unsafe-integer'
  | 'control-character'
  | 'trailing-data'
  | 'syntax'

export type StrictParse =
  | { kind: 'value'; value: JsonValue }
  | { kind: 'refused'; reason: StrictRefusal; position: number }

export interface StrictLimits {
  /** How many arrays and objects may be open at once. */
  depth?: number
  /** Size of the text in UTF-8 bytes. */
  bytes?: number
}

export const MAX_JSON_DEPTH = 32
export const MAX_JSON_BYTES = 1_048_576

/** Positions are offsets in UTF-16 code units. */
export function parseStrict(text: string, limits: StrictLimits = {}): StrictParse {
  const overrun = firstUnitBeyond(text, limits.bytes ?? MAX_JSON_BYTES)
  if (overrun >= 0) return { kind: 'refused', reason: 'too-large', position: overrun }
  if (!text.isWellFormed()) {
    return { kind: 'refused', reason: 'lone-surrogate', position: firstLoneSurrogate(text) }
  }
  if (text.charCodeAt(0) === 0xfeff) return { kind: 'refused', reason: 'byte-order-mark', position: 0 }

  const cursor: Cursor = {
    text,
    at: 0,
    depthLeft: limits.depth ?? MAX_JSON_DEPTH,
    reason: undefined,
    refusedAt: 0,
  }
  skipWhitespace(cursor)
  if (cursor.at === text.length) return { kind: 'refused', reason: 'empty', position: cursor.at }
  const value = readValue(cursor)
  if (value !== undefined) {
    skipWhitespace(cursor)
    if (cursor.at === text.length) return { kind: 'value', value }
    refuse(cursor, 'trailing-data', cursor.at)
  }
  return { kind: 'refused', reason: cursor.reason ?? 'syntax', position: cursor.refusedAt }
}

interface Cursor {
  readonly text: string
  at: number
  depthLeft: number
  reason: StrictRefusal | undefined
  refusedAt: number
}

/** `undefined` is no JSON value, so readers return it to say that the cursor holds a refusal. */
type Read<T> = T | undefined

function refuse(cursor: Cursor, reason: StrictRefusal, position: number): undefined {
  cursor.reason = reason
  cursor.refusedAt = position
  return undefined
}

function readValue(cursor: Cursor): Read<JsonValue> {
  switch (cursor.text.charCodeAt(cursor.at)) {
    case 0x22:
      return readString(cursor)
    case 0x7b:
      return readObject(cursor)
    case 0x5b:
      return readArray(cursor)
    case 0x74:
      return readWord(cursor, 'true', true)
    case 0x66:
      return readWord(cursor, 'false', false)
    case 0x6e:
      return readWord(cursor, 'null', null)
    default:
      return readNumber(cursor)
  }
}

function readWord<T extends boolean | null>(cursor: Cursor, word: string, value: T): Read<T> {
  if (!cursor.text.startsWith(word, cursor.at)) return refuse(cursor, 'syntax', cursor.at)
  cursor.at += word.length
  return value
}

function readArray(cursor: Cursor): Read<JsonValue[]> {
  const { text } = cursor
  if (cursor.depthLeft === 0) return refuse(cursor, 'too-deep', cursor.at)
  cursor.depthLeft -= 1
  cursor.at += 1
  const items: JsonValue[] = []
  skipWhitespace(cursor)
  if (text.charCodeAt(cursor.at) !== 0x5d) {
    for (;;) {
      const item = readValue(cursor)
      if (item === undefined) return undefined
      items.push(item)
      skipWhitespace(cursor)
      const next = text.charCodeAt(cursor.at)
      if (next === 0x5d) break
      if (next !== 0x2c) return refuse(cursor, 'syntax', cursor.at)
      cursor.at += 1
      skipWhitespace(cursor)
    }
  }
  cursor.at += 1
  cursor.depthLeft += 1
  return items
}

function readObject(cursor: Cursor): Read<JsonObject> {
  const { text } = cursor
  if (cursor.depthLeft === 0) return refuse(cursor, 'too-deep', cursor.at)
  cursor.depthLeft -= 1
  cursor.at += 1
  const members: JsonObject = {}
  skipWhitespace(cursor)
  if (text.charCodeAt(cursor.at) !== 0x7d) {
    for (;;) {
      const keyAt = cursor.at
      if (text.charCodeAt(keyAt) !== 0x22) return refuse(cursor, 'syntax', keyAt)
      const key = readString(cursor)
      if (key === undefined) return undefined
      if (Object.hasOwn(members, key)) return refuse(cursor, 'duplicate-key', keyAt)
      skipWhitespace(cursor)
      if (text.charCodeAt(cursor.at) !== 0x3a) return refuse(cursor, 'syntax', cursor.at)
      cursor.at += 1
      skipWhitespace(cursor)
      const value = readValue(cursor)
      if (value === undefined) return undefined
      setMember(members, key, value)
      skipWhitespace(cursor)
      const next = text.charCodeAt(cursor.at)
      if (next === 0x7d) break
      if (next !== 0x2c) return refuse(cursor, 'syntax', cursor.at)
      cursor.at += 1
      skipWhitespace(cursor)
    }
  }
  cursor.at += 1
  cursor.depthLeft += 1
  return members
}

/** Plain assignment to `__proto__` would change the prototype instead of adding a member. */
function setMember(members: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__') {
    Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true })
  } else {
    members[key] = value
  }
}

function readString(cursor: Cursor): Read<string> {
  const { text } = cursor
  const start = cursor.at + 1
  for (let at = start; ; at += 1) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) {
      cursor.at = at + 1
      return text.slice(start, at)
    }
    if (unit === 0x5c) return readEscapedString(cursor, start, at)
    if (unit < 0x20) return refuse(cursor, 'control-character', at)
    if (at >= text.length) return refuse(cursor, 'syntax', at)
  }
}

function readEscapedString(cursor: Cursor, start: number, firstEscape: number): Read<string> {
  const { text } = cursor
  let decoded = ''
  let plainFrom = start
  let firstSurrogateEscape = -1
  let at = firstEscape
  for (;;) {
    const unit = text.charCodeAt(at)
    if (unit === 0x22) break
    if (unit < 0x20) return refuse(cursor, 'control-character', at)
    if (at >= text.length) return refuse(cursor, 'syntax', at)
    if (unit !== 0x5c) {
      at += 1
      continue
    }
    decoded += text.slice(plainFrom, at)
    if (text.charCodeAt(at + 1) === 0x75) {
      const escaped = hexUnit(text, at + 2)
      if (escaped < 0) return refuse(cursor, 'syntax', at)
      if (firstSurrogateEscape < 0 && (escaped & 0xf800) === 0xd800) firstSurrogateEscape = at
      decoded += String.fromCharCode(escaped)
      at += 6
    } else {
      const character = shortEscape(text.charCodeAt(at + 1))
      if (character === undefined) return refuse(cursor, 'syntax', at)
      decoded += character
      at += 2
    }
    plainFrom = at
  }
  decoded += text.slice(plainFrom, at)
  if (firstSurrogateEscape >= 0 && !decoded.isWellFormed()) {
    return refuse(cursor, 'lone-surrogate', firstSurrogateEscape)
  }
  cursor.at = at + 1
  return decoded
}

function shortEscape(unit: number): string | undefined {
  switch (unit) {
    case 0x22:
      return '"'
    case 0x5c:
      return '\\'
    case 0x2f:
      return '/'
    case 0x62:
      return '\b'
    case 0x66:
      return '\f'
    case 0x6e:
      return '\n'
    case 0x72:
      return '\r'
    case 0x74:
      return '\t'
    default:
      return undefined
  }
}

function hexUnit(text: string, from: number): number {
  let unit = 0
  for (let at = from; at < from + 4; at += 1) {
    const digit = text.charCodeAt(at)
    if (digit >= 0x30 && digit <= 0x39) unit = unit * 16 + digit - 0x30
    else if (digit >= 0x61 && digit <= 0x66) unit = unit * 16 + digit - 0x57
    else if (digit >= 0x41 && digit <= 0x46) unit = unit * 16 + digit - 0x37
    else return -1
  }
  return unit
}

function readNumber(cursor: Cursor): Read<number> {
  const { text } = cursor
  const start = cursor.at
  let at = start
  if (text.charCodeAt(at) === 0x2d) at += 1
  const integerFrom = at
  at = skipDigits(text, at)
  if (at === integerFrom) return refuse(cursor, 'syntax', start)
  if (at > integerFrom + 1 && text.charCodeAt(integerFrom) === 0x30)
    return refuse(cursor, 'syntax', integerFrom)
  if (text.charCodeAt(at) === 0x2e) {
    const end = skipDigits(text, at + 1)
    if (end === at + 1) return refuse(cursor, 'syntax', at)
    at = end
  }
  if ((text.charCodeAt(at) | 0x20) === 0x65) {
    const sign = text.charCodeAt(at + 1)
    const exponentFrom = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1
    const end = skipDigits(text, exponentFrom)
    if (end === exponentFrom) return refuse(cursor, 'syntax', at)
    at = end
  }
  const value = Number(text.slice(start, at))
  if (!Number.isFinite(value)) return refuse(cursor, 'non-finite-number', start)
  // Every double beyond this bound is an integer that stands for several written ones.
  if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) {
    return refuse(cursor, 'unsafe-integer', start)
  }
  cursor.at = at
  return value
}

function skipDigits(text: string, from: number): number {
  let at = from
  for (;;) {
    const unit = text.charCodeAt(at)
    if (!(unit >= 0x30 && unit <= 0x39)) return at
    at += 1
  }
}

function skipWhitespace(cursor: Cursor): void {
  const { text } = cursor
  for (;;) {
    const unit = text.charCodeAt(cursor.at)
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return
    cursor.at += 1
  }
}

/** Index of the code unit that takes the text over `bytes` in UTF-8, or -1 when it fits. */
function firstUnitBeyond(text: string, bytes: number): number {
  if (text.length * 3 <= bytes) return -1
  let size = 0
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at)
    // Each half of a surrogate pair stands for two of the four bytes.
    size += unit < 0x80 ? 1 : unit < 0x800 || (unit & 0xf800) === 0xd800 ? 2 : 3
    if (size > bytes) return at
  }
  return -1
}

function firstLoneSurrogate(text: string): number {
  let at = 0
  while (at < text.length) {
    const point = text.codePointAt(at) ?? 0
    if (point >= 0xd800 && point <= 0xdfff) return at
    at += point > 0xffff ? 2 : 1
  }
  return at
}
