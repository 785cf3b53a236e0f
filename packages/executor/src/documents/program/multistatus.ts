/** Reads what a calendar server answers in XML. Knows no entities but those of XML itself, and is bounded in all it takes. */
import { DOMParser, type Element as XmlElement, type Node as XmlNode } from '@xmldom/xmldom'
import { Refusal } from './serve.ts'

export interface Response {
  href: string
  status: number | null
  etag: string | null
  name: string | null
  syncToken: string | null
  ctag: string | null
  /** Local names of the elements within, such as `calendar`. */
  types: string[]
  components: string[]
  principal: string | null
  calendarHome: string | null
  contactsHome: string | null
  data: string | null
}

const deepest = 32
const mostResponses = 5_200
const longestText = 300_000

const texts: Readonly<Record<string, keyof Response>> = {
  getetag: 'etag',
  displayname: 'name',
  'sync-token': 'syncToken',
  getctag: 'ctag',
  'calendar-data': 'data',
  'address-data': 'data',
}
const places: Readonly<Record<string, 'principal' | 'calendarHome' | 'contactsHome'>> = {
  'current-user-principal': 'principal',
  'calendar-home-set': 'calendarHome',
  'addressbook-home-set': 'contactsHome',
}

export interface Multistatus {
  readonly responses: readonly Response[]
  /** Of the whole answer. */
  readonly syncToken: string | null
}

export function readMultistatus(xml: string): Multistatus {
  const responses: Response[] = []
  const path: string[] = []
  let current: Response | undefined
  /** Properties that the server says it does not have come with another status, and count for nothing. */
  let found: Partial<Response> = {}
  let held: Partial<Response> = {}
  let status: number | null = null
  let syncToken: string | null = null
  let text = ''
  walk(rootOf(xml), {
    opened(name, element) {
      path.push(name)
      if (path.length > deepest) throw new Refusal('The answer of the server is nested too deeply.')
      text = ''
      if (name === 'response') {
        if (responses.length >= mostResponses) throw new Refusal('The server lists too much.')
        current = empty()
        found = {}
        status = null
      } else if (name === 'propstat') {
        held = {}
        status = null
      } else if (path.at(-2) === 'resourcetype') (held.types ??= []).push(name)
      else if (name === 'comp' && path.at(-2) === 'supported-calendar-component-set')
        (held.components ??= []).push((element.getAttribute('name') ?? '').toUpperCase().slice(0, 40))
    },
    said(part) {
      text += part
      if (text.length > longestText) text = text.slice(0, longestText + 1)
    },
    closed(name) {
      path.pop()
      const within = path.at(-1)
      const place = within === undefined ? undefined : places[within]
      if (name === 'href' && within === 'response' && current) current.href = text.trim().slice(0, 1_000)
      else if (name === 'href' && place) held[place] ??= text.trim().slice(0, 1_000)
      else if (name === 'status') status = Number(/\s(\d{3})(\s|$)/.exec(text)?.[1] ?? 0)
      else if (name === 'propstat') {
        if (status === null || (status >= 200 && status < 300)) Object.assign(found, held)
        status = null
      } else if (name === 'response' && current) {
        responses.push({ ...current, ...found, status })
        current = undefined
      } else if (name === 'sync-token' && within === 'multistatus') syncToken = text.trim().slice(0, 1_900)
      else if (within === 'prop' && Object.hasOwn(texts, name)) {
        const key = texts[name]
        if (key) Object.assign(held, { [key]: key === 'data' ? text : text.trim().slice(0, 1_900) })
      }
      text = ''
    },
  })
  return { responses, syncToken }
}

interface Walker {
  opened(name: string, element: XmlElement): void
  said(text: string): void
  closed(name: string): void
}

function rootOf(xml: string): XmlElement {
  if (/<!(DOCTYPE|ENTITY)/i.test(xml))
    throw new Refusal('The server declares a document type, which no calendar server needs.')
  const stop = (_level: string, message: string) => {
    throw new Refusal(`The server does not answer in XML: ${message.slice(0, 200)}`)
  }
  const root = new DOMParser({ onError: stop }).parseFromString(xml, 'text/xml').documentElement
  if (!root) throw new Refusal('The server answers nothing.')
  return root
}

const elementNode = 1
const textNodes = [3, 4]

/** Not by calling itself: how deep it goes is the server's choice. */
function walk(root: XmlElement, walker: Walker): void {
  const open: XmlElement[] = []
  let node: XmlNode | null = root
  while (node) {
    if (node.nodeType === elementNode) {
      const element = node as XmlElement
      walker.opened(nameOf(element), element)
      open.push(element)
      if (element.firstChild) {
        node = element.firstChild
        continue
      }
    } else if (textNodes.includes(node.nodeType)) walker.said(node.nodeValue ?? '')
    if (node.nodeType === elementNode) walker.closed(nameOf(open.pop() as XmlElement))
    while (node && !node.nextSibling && open.length > 0) {
      node = open.pop() as XmlElement
      walker.closed(nameOf(node as XmlElement))
    }
    node = node === root || open.length === 0 ? null : (node?.nextSibling ?? null)
  }
}

function nameOf({ localName, nodeName }: XmlElement): string {
  return (localName ?? nodeName).toLowerCase().slice(0, 100)
}

function empty(): Response {
  return {
    href: '',
    status: null,
    etag: null,
    name: null,
    syncToken: null,
    ctag: null,
    types: [],
    components: [],
    principal: null,
    calendarHome: null,
    contactsHome: null,
    data: null,
  }
}
