/**
 * Owns undoing what is done to a text for the sake of what holds it, whichever of its characters were escaped, and
 * remembers where each character stood. Pure.
 */

export interface UnwrappedText {
  readonly text: string
  /** Where the character at this place stood before. */
  placeOf(at: number): number
}

/** Nothing, when there is nothing to undo. */
export type Wrapping = (text: string) => UnwrappedText | undefined

export const wrappings = {
  percent: (text) => unwrapped(text, '%', percentEscape),
  json: (text) => unwrapped(text, '\\', jsonEscape),
  html: (text) => unwrapped(text, '&', htmlEntity),
} satisfies Record<string, Wrapping>

/** Reads what begins at a place: the character it stands for, and how long it is. Nothing, when it is only text. */
type Reader = (text: string, at: number) => readonly [point: number, length: number] | undefined

/** Character by character into fixed memory: a text may hold nothing but escapes. */
function unwrapped(text: string, sign: string, read: Reader): UnwrappedText | undefined {
  if (!holdsEscape(text, sign, read)) return undefined
  const units = new Uint16Array(text.length)
  const places = new Uint32Array(text.length)
  const trigger = sign.charCodeAt(0)
  let length = 0
  const put = (unit: number, place: number) => {
    units[length] = unit
    places[length] = place
    length += 1
  }
  for (let at = 0; at < text.length; ) {
    const unit = text.charCodeAt(at)
    const escape = unit === trigger ? read(text, at) : undefined
    if (escape === undefined) {
      put(unit, at)
      at += 1
      continue
    }
    const [point, taken] = escape
    if (point > 0xffff) {
      put(0xd800 + ((point - 0x10000) >> 10), at)
      put(0xdc00 + ((point - 0x10000) & 0x3ff), at)
    } else put(point, at)
    at += taken
  }
  return {
    text: Buffer.from(units.buffer, 0, length * 2).toString('utf16le'),
    placeOf: (at) => (at < length ? (places[at] ?? 0) : text.length),
  }
}

/** Looks from sign to sign, which is far quicker than character by character. */
function holdsEscape(text: string, sign: string, read: Reader): boolean {
  for (let at = text.indexOf(sign); at >= 0; at = text.indexOf(sign, at + 1))
    if (read(text, at) !== undefined) return true
  return false
}

const unreadable = 0xfffd

function percentEscape(text: string, at: number): readonly [number, number] | undefined {
  const first = byteAt(text, at)
  if (first < 0) return undefined
  if (first < 0xc0) return [first < 0x80 ? first : unreadable, 3]
  const more = first >= 0xf0 ? 3 : first >= 0xe0 ? 2 : 1
  let point = first & (0x3f >> more)
  for (let next = 1; next <= more; next += 1) {
    const byte = byteAt(text, at + 3 * next)
    if (byte < 0x80 || byte > 0xbf) return [unreadable, 3]
    point = (point << 6) | (byte & 0x3f)
  }
  return [Math.min(point, 0x10ffff), 3 * (more + 1)]
}

/** Less than nothing when no escape stands there. */
function byteAt(text: string, at: number): number {
  if (text.charCodeAt(at) !== 0x25) return -1
  const high = digit(text.charCodeAt(at + 1))
  const low = digit(text.charCodeAt(at + 2))
  return high < 0 || low < 0 ? -1 : high * 16 + low
}

function digit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30
  const lower = code | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}

const shortEscapes: Readonly<Record<string, number>> = {
  '"': 0x22,
  '\\': 0x5c,
  '/': 0x2f,
  b: 0x08,
  f: 0x0c,
  n: 0x0a,
  r: 0x0d,
  t: 0x09,
}

function jsonEscape(text: string, at: number): readonly [number, number] | undefined {
  const kind = text.charAt(at + 1)
  if (kind !== 'u') {
    const unit = shortEscapes[kind]
    return unit === undefined ? undefined : [unit, 2]
  }
  let unit = 0
  for (let next = at + 2; next < at + 6; next += 1) {
    const value = digit(text.charCodeAt(next))
    if (value < 0) return undefined
    unit = unit * 16 + value
  }
  return [unit, 6]
}

const namedEntities: Readonly<Record<string, number>> = {
  amp: 0x26,
  lt: 0x3c,
  gt: 0x3e,
  quot: 0x22,
  apos: 0x27,
}
const longestEntity = 10

function htmlEntity(text: string, at: number): readonly [number, number] | undefined {
  let end = at + 2
  while (end < at + longestEntity && text.charCodeAt(end) !== 0x3b) end += 1
  if (text.charCodeAt(end) !== 0x3b) return undefined
  const name = text.slice(at + 1, end).toLowerCase()
  const point = name.startsWith('#') ? numberedEntity(name) : namedEntities[name]
  return point === undefined ? undefined : [point, end + 1 - at]
}

function numberedEntity(name: string): number | undefined {
  const digits = name.startsWith('#x') ? `0${name.slice(1)}` : name.slice(1)
  const point = /^(?:0x[0-9a-f]+|\d+)$/.test(digits) ? Number(digits) : Number.NaN
  return point <= 0x10ffff ? point : undefined
}
