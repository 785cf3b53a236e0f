/**
 * Reads a literal out of the text of a program: arrays, objects, strings, numbers, truth values. Nothing is run, and
 * whatever is not plain data is refused.
 */

export type Literal =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly Literal[]
  | { readonly [name: string]: Literal }

export type LiteralResult =
  | { readonly kind: 'read'; readonly value: Literal; readonly end: number }
  | { readonly kind: 'refused'; readonly message: string }

const deepest = 40

/** The literal that begins at `start`, and where it ends. */
export function readLiteral(text: string, start: number): LiteralResult {
  const cursor: Cursor = { text, at: start, problem: undefined }
  const value = readValue(cursor, 0)
  return cursor.problem === undefined
    ? { kind: 'read', value, end: cursor.at }
    : { kind: 'refused', message: cursor.problem }
}

interface Cursor {
  readonly text: string
  at: number
  /** Once set, everything unwinds. */
  problem: string | undefined
}

function readValue(cursor: Cursor, depth: number): Literal {
  skipSpace(cursor)
  if (depth > deepest) return refuse(cursor, 'is nested too deep')
  const sign = cursor.text[cursor.at]
  if (sign === '[') return readArray(cursor, depth)
  if (sign === '{') return readObject(cursor, depth)
  if (sign === '"' || sign === "'" || sign === '`') return readString(cursor, sign)
  const word = match(cursor, words)
  if (word !== undefined) return meanings.get(word)
  const number = match(cursor, numbers)
  if (number !== undefined) return Number(number)
  return refuse(cursor, 'is not plain data')
}

function readArray(cursor: Cursor, depth: number): Literal {
  const values: Literal[] = []
  cursor.at += 1
  while (!closes(cursor, ']')) {
    values.push(readValue(cursor, depth + 1))
    if (!separated(cursor, ']')) return undefined
  }
  return values
}

function readObject(cursor: Cursor, depth: number): Literal {
  const entries = new Map<string, Literal>()
  cursor.at += 1
  while (!closes(cursor, '}')) {
    const name = readName(cursor)
    skipSpace(cursor)
    if (name === undefined || name === '__proto__' || cursor.text[cursor.at] !== ':') {
      return refuse(cursor, 'has a property that is not plain data')
    }
    cursor.at += 1
    entries.set(name, readValue(cursor, depth + 1))
    if (!separated(cursor, '}')) return undefined
  }
  return Object.fromEntries(entries)
}

function readName(cursor: Cursor): string | undefined {
  const sign = cursor.text[cursor.at]
  if (sign === '"' || sign === "'") {
    const name = readString(cursor, sign)
    return typeof name === 'string' ? name : undefined
  }
  return match(cursor, names) ?? match(cursor, numbers)
}

function readString(cursor: Cursor, quote: string): Literal {
  const { text } = cursor
  let value = ''
  let at = cursor.at + 1
  while (true) {
    const sign = text[at]
    if (sign === undefined || (sign === '\n' && quote !== '`'))
      return refuse(cursor, 'has a string without end')
    if (sign === quote) break
    if (sign === '$' && quote === '`' && text[at + 1] === '{')
      return refuse(cursor, 'has a string with code in it')
    if (sign !== '\\') {
      value += sign
      at += 1
      continue
    }
    const escaped = readEscape(text, at + 1)
    if (escaped === undefined) return refuse(cursor, 'has an escape that is not known')
    value += escaped.value
    at = escaped.end
  }
  cursor.at = at + 1
  return value
}

function readEscape(text: string, at: number): { value: string; end: number } | undefined {
  const code = /(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\})/y
  code.lastIndex = at
  const found = code.exec(text)
  if (found !== null) {
    const point = Number.parseInt(found[1] ?? found[2] ?? found[3] ?? '', 16)
    return point > 0x10ffff ? undefined : { value: String.fromCodePoint(point), end: code.lastIndex }
  }
  const value = escapes.get(text[at] ?? '')
  return value === undefined ? undefined : { value, end: at + 1 }
}

/** True at the closing sign, which is passed over; true as well once something is wrong. */
function closes(cursor: Cursor, sign: string): boolean {
  if (cursor.problem !== undefined) return true
  skipSpace(cursor)
  if (cursor.text[cursor.at] !== sign) return false
  cursor.at += 1
  return true
}

function separated(cursor: Cursor, closing: string): boolean {
  if (cursor.problem !== undefined) return false
  skipSpace(cursor)
  const sign = cursor.text[cursor.at]
  if (sign === ',') cursor.at += 1
  else if (sign !== closing) refuse(cursor, 'is not plain data')
  return cursor.problem === undefined
}

function refuse(cursor: Cursor, what: string): undefined {
  cursor.problem ??= `The data ${what}, at character ${cursor.at}.`
  return undefined
}

function skipSpace(cursor: Cursor): void {
  match(cursor, space)
}

function match(cursor: Cursor, pattern: string): string | undefined {
  const expression = new RegExp(pattern, 'y')
  expression.lastIndex = cursor.at
  const found = expression.exec(cursor.text)?.[0]
  if (found !== undefined) cursor.at += found.length
  return found
}

const space = String.raw`\s*`
const words = String.raw`(?:!0|!1|void 0|true|false|null|undefined)(?![\w$])`
const numbers = String.raw`-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w$])`
const names = String.raw`[A-Za-z_$][\w$]*`

const meanings: ReadonlyMap<string, Literal> = new Map<string, Literal>([
  ['!0', true],
  ['!1', false],
  ['true', true],
  ['false', false],
  ['null', null],
])

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['$', '$'],
  ['/', '/'],
  ['\n', ''],
])
