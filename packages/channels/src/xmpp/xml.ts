/** Owns elements of XML: composed so that no text becomes markup, and looked into. Pure. */

export interface XmlElement {
  /** Without its prefix. */
  readonly name: string
  readonly space: string
  readonly attrs: ReadonlyMap<string, string>
  readonly children: readonly (XmlElement | string)[]
}

/** Text that is markup already. Only `xml` makes it. */
export interface Markup {
  readonly markup: string
}

export type XmlAttributes = Readonly<Record<string, string | undefined>>

export function xml(
  name: string,
  attrs: XmlAttributes = {},
  ...children: readonly (Markup | string | undefined)[]
): Markup {
  const pairs = Object.entries(attrs).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escaped(value)}"`],
  )
  const inside = children.map((child) =>
    child === undefined ? '' : typeof child === 'string' ? escaped(child) : child.markup,
  )
  return { markup: `<${name}${pairs.join('')}>${inside.join('')}</${name}>` }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** What XML has no letter for is left out; the server would close the connection. */
function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/[^\t\n\u0020-\u007e\u00a0-\ufffd\u{10000}-\u{10ffff}]/gu, '')
    .replaceAll(/[&<>"']/g, (letter) => entities[letter] ?? letter)
}

export const elementsOf = ({ children }: XmlElement): XmlElement[] =>
  children.filter((child): child is XmlElement => typeof child !== 'string')

/** The first of this name, of this space where one is given. */
export function childOf(
  element: XmlElement | undefined,
  name: string,
  space?: string,
): XmlElement | undefined {
  if (!element) return undefined
  return elementsOf(element).find(
    (child) => child.name === name && (space === undefined || child.space === space),
  )
}

export const textOf = (element: XmlElement | undefined): string =>
  element?.children.filter((child) => typeof child === 'string').join('') ?? ''

export const attrOf = (element: XmlElement | undefined, name: string): string =>
  element?.attrs.get(name) ?? ''
