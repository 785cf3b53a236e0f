/**
 * Owns how the stream of a server becomes elements, as far as XMPP allows XML: no comments, no instructions, no types of
 * documents, no entities of one's own. Everything has a limit; what is beyond it ends the stream.
 */
import type { XmlElement } from './xml.ts'

export interface XmlListener {
  /** One whole child of the stream. */
  element(element: XmlElement): void
  /** The stream is closed by the other side. */
  end(): void
}

const mostDepth = 60
const longestElement = 4_000_000

interface OpenElement extends XmlElement {
  readonly children: (XmlElement | string)[]
  readonly tag: string
  readonly spaces: ReadonlyMap<string, string>
}

/** Throws what ends the stream. */
export function createXmlParser(listener: XmlListener): (text: string) => void {
  const open: OpenElement[] = []
  let rest = ''
  let size = 0

  function begin(tag: string, attributes: string, isWhole: boolean): void {
    const parent = open.at(-1)
    const element = newElement(tag, attributes, parent?.spaces)
    if (open.length > mostDepth) throw new Error('The server nests too deeply.')
    if (isWhole && parent) return place(parent, element)
    open.push(element)
  }

  function finish(tag: string): void {
    const element = open.pop()
    if (element?.tag !== tag) throw new Error('The server closes what is not open.')
    const parent = open.at(-1)
    if (parent) place(parent, element)
    else listener.end()
  }

  function place(parent: OpenElement, { name, space, attrs, children }: OpenElement): void {
    const element = { name, space, attrs, children }
    if (open.length > 1) return void parent.children.push(element)
    size = 0
    listener.element(element)
  }

  function text(between: string): void {
    const parent = open.at(-1)
    if (open.length > 1 && between !== '') parent?.children.push(between)
  }

  function markup(found: Piece): void {
    if ('text' in found) text(found.text)
    else if (found.isClosing) finish(found.tag)
    else begin(found.tag, found.attributes, found.isWhole)
  }

  return (chunk) => {
    size += chunk.length
    if (size > longestElement) throw new Error('The server sends too much at once.')
    rest += chunk
    if (open.length === 0) rest = rest.replace(/^\s*<\?xml\s[^>]*\?>/, '')
    for (;;) {
      const at = rest.indexOf('<')
      if (at === -1) return
      if (at > 0) text(unescaped(rest.slice(0, at)))
      rest = rest.slice(at)
      const found = pieceOf(rest)
      if (!found) return
      markup(found)
      rest = rest.slice(found.length)
    }
  }
}

type Piece =
  | { readonly length: number; readonly text: string }
  | {
      readonly length: number
      readonly tag: string
      readonly attributes: string
      readonly isClosing: boolean
      readonly isWhole: boolean
    }

const longestTag = 100_000

/** What stands at the beginning; undefined where more must come. */
function pieceOf(rest: string): Piece | undefined {
  if (rest.startsWith('<![CDATA[')) {
    const end = rest.indexOf(']]>')
    return end === -1 ? undefined : { length: end + 3, text: rest.slice(9, end) }
  }
  const [whole, closing, tag = '', attributes = '', isWhole] = tagPattern.exec(rest) ?? []
  if (whole !== undefined)
    return { length: whole.length, tag, attributes, isClosing: closing === '/', isWhole: isWhole === '/' }
  const isBegun = '<![CDATA['.startsWith(rest) || '<?xml'.startsWith(rest) || /^<\?xml\s[^>]*$/.test(rest)
  if (/^<[!?]/.test(rest) && !isBegun) throw new Error('The server sends XML that XMPP does not allow.')
  if (rest.length > longestTag || /^<[^"'>]*>/.test(rest)) throw new Error('The server sends a broken tag.')
  return undefined
}

const tagPattern = /^<(\/?)([^\s<>/="'!?]+)((?:\s+[^\s<>/="']+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>/
const attributePattern = /([^\s<>/="']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g

function newElement(
  tag: string,
  attributes: string,
  around: ReadonlyMap<string, string> = new Map(),
): OpenElement {
  const attrs = new Map<string, string>()
  const spaces = new Map(around)
  for (const [, key = '', one, other] of attributes.matchAll(attributePattern)) {
    const value = unescaped(one ?? other ?? '')
    if (key === 'xmlns') spaces.set('', value)
    else if (key.startsWith('xmlns:')) spaces.set(key.slice(6), value)
    else attrs.set(key, value)
  }
  const colon = tag.indexOf(':')
  const space = spaces.get(colon === -1 ? '' : tag.slice(0, colon)) ?? ''
  return { tag, name: tag.slice(colon + 1), space, attrs, spaces, children: [] }
}

const named: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function unescaped(text: string): string {
  return text.replaceAll(/&([^;&]{0,10});?/g, (_, entity: string) => {
    const letter = named[entity] ?? numbered(entity)
    if (letter === undefined) throw new Error('The server sends an entity that XMPP does not allow.')
    return letter
  })
}

function numbered(entity: string): string | undefined {
  const [, hex, decimal] = /^#(?:x([\da-fA-F]{1,6})|(\d{1,7}))$/.exec(entity) ?? []
  const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)
  const isLetter = code > 0 && code <= 0x10_ff_ff && (code < 0xd8_00 || code > 0xdf_ff)
  return isLetter ? String.fromCodePoint(code) : undefined
}
