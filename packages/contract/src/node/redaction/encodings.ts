/** Owns the forms in which a value turns up in other people's text. Pure. */

/** A text to look for, and what must not speak against it on either side. */
export interface Form {
  readonly text: string
  /** The characters that may stand right before it, if one of its alphabet does; empty when any may. */
  readonly before: string
  readonly after: string
  /** Whether padding that follows belongs to it. */
  readonly padded: boolean
}

export type Encoding = (value: string) => readonly Form[]

export const encodings = {
  plain: (value) => forms([value]),
  base64,
  hex(value) {
    const hex = Buffer.from(value).toString('hex')
    return forms([hex, hex.toUpperCase()])
  },
  percent,
  json,
  html(value) {
    const named = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
    const quoted = named.replaceAll('"', '&quot;')
    return withinJson([
      named,
      quoted,
      quoted.replaceAll("'", '&#39;'),
      quoted.replaceAll("'", '&#x27;'),
      named.replaceAll('"', '&#34;').replaceAll("'", '&#39;'),
    ])
  },
} satisfies Record<string, Encoding>

export type EncodingName = keyof typeof encodings

export const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

function forms(texts: readonly string[]): Form[] {
  return [...new Set(texts)].map((text) => ({ text, before: '', after: '', padded: false }))
}

/**
 * A value inside longer encoded text, as a password behind its user name, begins at one of three places within a group
 * of three bytes. The characters that the value alone decides are looked for; of the two at its edges, which it shares
 * with a neighbour, only the bits that are its own are compared.
 */
function base64(value: string): Form[] {
  const bytes = Buffer.from(value)
  const found: Form[] = []
  for (const offset of [0, 1, 2]) {
    const first = offset * 8
    const end = first + bytes.length * 8
    const text = Buffer.concat([Buffer.alloc(offset), bytes, Buffer.alloc(2)]).toString('base64')
    const from = Math.ceil(first / 6)
    const to = Math.floor(end / 6)
    const core = text.slice(from, to)
    const edges = {
      before: sharing(text[from - 1], 6 * from - first, 'low'),
      after: sharing(text[to], end - 6 * to, 'high'),
      padded: true,
    }
    for (const spelled of new Set([core, urlSafe(core)])) found.push({ text: spelled, ...edges })
  }
  const whole = bytes.toString('base64')
  const respelled = [encodeURIComponent(whole), whole.replaceAll('/', '\\/')]
  return [
    ...found,
    ...forms(respelled.filter((text) => text.replace(/(%3D|=)+$/, '') !== whole.replace(/=+$/, ''))),
  ]
}

/** The characters that agree with this one in its low or its high bits, in both alphabets. */
function sharing(character: string | undefined, bits: number, side: 'low' | 'high'): string {
  if (bits === 0 || character === undefined) return ''
  const own = (at: number) => (side === 'low' ? at & ((1 << bits) - 1) : at >> (6 - bits))
  const wanted = own(alphabet.indexOf(character))
  const agreeing = Array.from(alphabet)
    .filter((_, at) => own(at) === wanted)
    .join('')
  return agreeing === urlSafe(agreeing) ? agreeing : agreeing + urlSafe(agreeing)
}

function urlSafe(text: string): string {
  return text.replaceAll('+', '-').replaceAll('/', '_')
}

function percent(value: string): Form[] {
  const component = encodeURIComponent(value)
  const strict = component.replaceAll(/[!'()*]/g, (character) => escaped(character.charCodeAt(0)))
  const form = new URLSearchParams([['', value]]).toString().slice(1)
  const everyByte = [...Buffer.from(value)].map(escaped).join('')
  const upper = [component, strict, form, encodeURI(value), everyByte]
  return forms([...upper, ...upper.map(withLowerEscapes)])
}

function escaped(byte: number): string {
  return `%${byte.toString(16).padStart(2, '0').toUpperCase()}`
}

function withLowerEscapes(text: string): string {
  return text.replaceAll(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())
}

/** As it stands in a JSON string, by writers that escape slashes, everything beyond ASCII, or what HTML would read. */
function json(value: string): Form[] {
  const usual = inString(value)
  const unicode = (text: string, pattern: RegExp, spell: (digits: string) => string) =>
    text.replaceAll(pattern, (unit) => `\\u${spell(unit.charCodeAt(0).toString(16).padStart(4, '0'))}`)
  const lower = (digits: string) => digits
  const upper = (digits: string) => digits.toUpperCase()
  const beyondAscii = /[^\0-\x7f]/g
  const readByHtml = /[<>&'\u2028\u2029]/g
  const escaped = [lower, upper].flatMap((spell) => [
    unicode(usual, beyondAscii, spell),
    unicode(usual, readByHtml, spell),
    unicode(unicode(usual, beyondAscii, spell), readByHtml, spell),
  ])
  const all = [usual, ...escaped]
  const slashed = all.map((text) => text.replaceAll('/', '\\/'))
  return withinJson([...all, ...slashed])
}

/** As they are, and as they stand in a JSON document that holds them. */
function withinJson(texts: readonly string[]): Form[] {
  return forms([...texts, ...texts.map(inString)])
}

function inString(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
