/** Seeded JSON values, other spellings of the same value, and texts that a strict reader must refuse. */

import type { JsonObject, JsonValue } from '@countersign/contract'

/** Uniform 32-bit integers. */
export type Random = () => number

export interface Refusal {
  kind: string
  text: string
}

/** The xorshift generator of Marsaglia over four words, seeded by mixing one integer. */
export function randomFrom(seed: number): Random {
  let mix = seed >>> 0
  const word = () => {
    mix = (mix + 0x9e3779b9) >>> 0
    let hashed = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b)
    hashed = Math.imul(hashed ^ (hashed >>> 13), 0xc2b2ae35)
    return (hashed ^ (hashed >>> 16)) >>> 0
  }
  let [x, y, z, w] = [word(), word(), word(), word() | 1]
  return () => {
    const carry = x ^ (x << 11)
    x = y
    y = z
    z = w
    w = (w ^ (w >>> 19) ^ carry ^ (carry >>> 8)) >>> 0
    return w
  }
}

export function generateValue(random: Random): JsonValue {
  if (random() % 200 === 0) return chain(random, 28 + (random() % 5))
  return branch(random, 4)
}

/** Text in any legal spelling: whitespace, member order, escapes and number forms all vary. */
export function respell(random: Random, value: JsonValue): string {
  if (typeof value === 'string') return respellString(random, value)
  if (typeof value === 'number') return respellNumber(random, value)
  if (value === null || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => blank(random) + respell(random, item) + blank(random))
    return `[${items.join(',')}${items.length === 0 ? blank(random) : ''}]`
  }
  const members = shuffled(random, Object.entries(value)).map(
    ([key, member]) =>
      `${blank(random)}${respellString(random, key)}${blank(random)}:${blank(random)}${respell(random, member)}${blank(random)}`,
  )
  return `{${members.join(',')}}`
}

export function generateRefusal(random: Random): Refusal {
  const make = pick(random, REFUSALS)
  const { kind, text } = make(random)
  return { kind, text: random() % 2 === 0 ? text : `[0,{"k":${text}}]` }
}

/** Texts over the size limit cost a megabyte each, so they are drawn apart from the others. */
export function generateOversize(random: Random, bytes: number): Refusal {
  const filler = pick(random, ['a', 'é', '€', '\u{1f600}'])
  const count = Math.ceil((bytes - 1) / Buffer.byteLength(filler))
  return { kind: 'size', text: `"${filler.repeat(count)}"` }
}

/** The nearest texts that must still be read. */
export function boundaryTexts(depth: number, bytes: number): string[] {
  return [
    '['.repeat(depth) + ']'.repeat(depth),
    `${'{"a":'.repeat(depth)}null${'}'.repeat(depth)}`,
    `"${'a'.repeat(bytes - 2)}"`,
    '9007199254740991',
    '-9007199254740991',
    '9007199254740991.0',
    '90071992547409910e-1',
    '"\\ud800\\udc00"',
    '{"a":0,"A":0,"\\u0101":0}',
    '{"__proto__":0,"constructor":0,"toString":0}',
  ]
}

export function doubleFromBits(high: number, low: number): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setUint32(0, high)
  view.setUint32(4, low)
  return view.getFloat64(0)
}

const REFUSALS: readonly ((random: Random) => Refusal)[] = [
  duplicateKey,
  loneSurrogate,
  unsafeInteger,
  tooDeep,
  notFinite,
  rawControl,
]

function duplicateKey(random: Random): Refusal {
  const key = generateString(random)
  const members = [respellString(random, key), respellString(random, key)].map(
    (spelling) => `${spelling}:${respell(random, branch(random, 1))}`,
  )
  for (let extra = random() % 3; extra > 0; extra -= 1) {
    members.splice(1, 0, `${JSON.stringify(`${key}${extra}`)}:0`)
  }
  return { kind: 'duplicate-key', text: `{${members.join(',')}}` }
}

function loneSurrogate(random: Random): Refusal {
  const high = 0xd800 + (random() % 0x400)
  const low = 0xdc00 + (random() % 0x400)
  const raw = String.fromCharCode(random() % 2 === 0 ? high : low)
  const bare = pick(random, [
    raw,
    escapeUnit(random, high),
    escapeUnit(random, low),
    escapeUnit(random, low) + escapeUnit(random, high),
    escapeUnit(random, high) + String.fromCharCode(low),
    `${escapeUnit(random, high)}\u{1f600}`,
  ])
  const text = `"${pick(random, ['', 'x', '\\n', '€'])}${bare}${pick(random, ['', 'x', '\\n', '€'])}"`
  return { kind: 'lone-surrogate', text: random() % 2 === 0 ? text : `{${text}:0}` }
}

function unsafeInteger(random: Random): Refusal {
  const sign = random() % 2 === 0 ? '' : '-'
  const digits = String(9007199254740992n + BigInt(random()) * BigInt(random() % 1000))
  const text = pick(random, [
    digits,
    `${digits}.0`,
    `${digits}e0`,
    `${digits}0E-1`,
    `${digits.charAt(0)}.${digits.slice(1)}e+${digits.length - 1}`,
    `1e${16 + (random() % 290)}`,
  ])
  return { kind: 'unsafe-integer', text: sign + text }
}

function tooDeep(random: Random): Refusal {
  const levels = 33 + (random() % 40)
  let text = '0'
  for (let level = 0; level < levels; level += 1) text = random() % 2 === 0 ? `[${text}]` : `{"d":${text}}`
  return { kind: 'depth', text }
}

function notFinite(random: Random): Refusal {
  const text = pick(random, ['NaN', 'Infinity', '-Infinity', `1e${309 + (random() % 1000)}`, '-1E400'])
  return { kind: 'non-finite', text }
}

function rawControl(random: Random): Refusal {
  return { kind: 'control', text: `"a${String.fromCharCode(random() % 0x20)}b"` }
}

function branch(random: Random, depth: number): JsonValue {
  const kind = random() % (depth === 0 ? 6 : 10)
  if (kind < 2) return generateString(random)
  if (kind < 4) return generateNumber(random)
  if (kind === 4) return random() % 2 === 0
  if (kind === 5) return null
  const size = random() % 5
  if (kind === 6) return Array.from({ length: size }, () => branch(random, depth - 1))
  const members: JsonObject = {}
  for (let count = 0; count < size; count += 1)
    add(members, generateString(random), branch(random, depth - 1))
  return members
}

function chain(random: Random, levels: number): JsonValue {
  let value = branch(random, 0)
  for (let level = 0; level < levels; level += 1) {
    if (random() % 2 === 0) {
      value = [value]
    } else {
      const members: JsonObject = {}
      add(members, generateString(random), value)
      value = members
    }
  }
  return value
}

function add(members: JsonObject, key: string, value: JsonValue): void {
  Object.defineProperty(members, key, { value, writable: true, enumerable: true, configurable: true })
}

function generateString(random: Random): string {
  if (random() % 8 === 0) return pick(random, HOSTILE_STRINGS)
  let text = ''
  for (let count = random() % 6; count > 0; count -= 1) text += generateCharacter(random)
  return text
}

/** Half of the characters lie where UTF-16 order and code point order differ. */
function generateCharacter(random: Random): string {
  switch (random() % 8) {
    case 0:
      return String.fromCharCode(random() % 0x20)
    case 1:
      return String.fromCharCode(0x20 + (random() % 0x60))
    case 2:
      return pick(random, ['"', '\\', '/', '\u007f', '\u2028', '\u2029', '\u202e', '\u200b', '\u0301'])
    case 3:
      return String.fromCharCode(0x80 + (random() % 0xd780))
    case 4:
    case 5:
      return String.fromCharCode(0xe000 + (random() % 0x2000))
    default:
      return String.fromCodePoint(0x10000 + (random() % 0x100000))
  }
}

const HOSTILE_STRINGS = [
  '__proto__',
  'constructor',
  'toJSON',
  'hasOwnProperty',
  'length',
  '0',
  '10',
  '9',
  '-0',
  '4294967295',
  '\u0000',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{10000}',
  '\u{10ffff}',
  '\ufeff',
  'A\u030a',
  '\u00c5',
  '</script>',
  'a'.repeat(300),
]

function generateNumber(random: Random): number {
  switch (random() % 5) {
    case 0:
      return (random() % 2_000_001) - 1_000_000
    case 1:
      return ((random() % 2_000_001) - 1_000_000) / pick(random, [10, 100, 1000, 3, 7])
    case 2:
      return pick(random, EDGE_NUMBERS)
    case 3:
      // A power of two, or one unit beside it: where shortest digits are hardest.
      return finite(random, (random() % 2048) << 20, (random() % 3) - 1)
    default:
      return finite(random, random(), random())
  }
}

const EDGE_NUMBERS = [
  0,
  -0,
  1,
  -1,
  0.1,
  5e-324,
  2.2250738585072014e-308,
  1e-7,
  1e-6,
  999999999999999900000,
  1e21,
  1e23,
  Number.MAX_SAFE_INTEGER,
  Number.MIN_SAFE_INTEGER,
  2 ** 53,
  Number.MAX_VALUE,
  4.35,
  0.30000000000000004,
]

function finite(random: Random, high: number, low: number): number {
  const value = doubleFromBits(low < 0 ? high - 1 : high, low)
  return Number.isFinite(value) ? value : random() % 1000
}

function respellString(random: Random, value: string): string {
  let text = '"'
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at)
    const character = value.charAt(at)
    // One half of a pair escaped and the other raw would leave a lone surrogate in the text itself.
    const escapes =
      (unit & 0xf800) === 0xd800 ? (unit & 0x400) === 0 && random() % 4 === 0 : random() % 4 === 0
    if (escapes && (unit & 0xfc00) === 0xd800) {
      text += escapeUnit(random, unit) + escapeUnit(random, value.charCodeAt(at + 1))
      at += 1
    } else if (escapes || unit < 0x20 || character === '"' || character === '\\') {
      text += escapeUnit(random, unit)
    } else {
      text += character === '/' && random() % 2 === 0 ? '\\/' : character
    }
  }
  return `${text}"`
}

function escapeUnit(random: Random, unit: number): string {
  const digits = unit.toString(16).padStart(4, '0')
  return `\\u${random() % 2 === 0 ? digits : digits.toUpperCase()}`
}

function respellNumber(random: Random, value: number): string {
  const plain = Object.is(value, -0) ? '-0' : String(value)
  const text = pick(random, [plain, value.toExponential(), value.toExponential(20), plain.replace('e', 'E')])
  return Number(text) === value ? text : plain
}

function blank(random: Random): string {
  return pick(random, ['', '', '', ' ', '\n', '\t', '\r\n'])
}

function shuffled<T>(random: Random, items: T[]): T[] {
  for (let last = items.length - 1; last > 0; last -= 1) {
    const other = random() % (last + 1)
    const kept = items[last] as T
    items[last] = items[other] as T
    items[other] = kept
  }
  return items
}

function pick<T>(random: Random, items: readonly T[]): T {
  return items[random() % items.length] as T
}
