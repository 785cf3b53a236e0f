/** Owns what counts as an address or a host in words: of the operator, of a page, and of a call's own arguments. Pure. */
import type { JsonValue } from '@countersign/contract'
import { type Bounds, standsWhole } from './whole-in.ts'

/** Whole, so that no part of a longer address is taken for it. */
export function standsIn(text: string, address: string): boolean {
  return standsWhole(text, address, ofAddress)
}

const ofAddress: Bounds = {
  before: /[\p{L}\p{M}\p{N}_%.:/@=?&#~+-]$/u,
  after: /^(?:[\p{L}\p{M}\p{N}_/%~?#&=+@:$*…-]|\.\.|[.,;!][\p{L}\p{M}\p{N}_])/u,
}

/** As above, in what came back: right before the note that something was cut, nobody can say that an address is whole. */
export function standsWithin(text: string, address: string): boolean {
  const parts = text.split(cutNote)
  return parts.some((part, index) => {
    const isCut = index < parts.length - 1 && part.endsWith(address)
    return standsIn(isCut ? part.slice(0, -1) : part, address)
  })
}

/** As the tools that look at the web write it. */
const cutNote = /\s*\[(?=\d+ characters more|The page goes on|cut\])/

/** That a person wrote: those of whole addresses, and names that cannot be taken for a file. In lower case. */
export function typedHosts(words: string): ReadonlySet<string> {
  const hosts = new Set<string>()
  for (const token of words.split(/[\s"'`()<>[\]{}«»„“”‘’,;|]+/u)) {
    const word = token.replace(/[.:!?]+$/, '')
    const host = /^https?:\/\//i.test(word) ? URL.parse(word)?.hostname : namedHost(word)
    if (host !== undefined && host !== '') hosts.add(host)
  }
  return hosts
}

/** `shop.example` or `shop.example/price`, but neither `notes.md` nor `8.4.3.1`. */
function namedHost(word: string): string | undefined {
  const name = word.split('/', 1)[0] ?? ''
  if (!/^[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z]{2,}$/i.test(name)) return undefined
  const host = name.toLowerCase()
  return fileEndings.has(host.slice(host.lastIndexOf('.') + 1)) ? undefined : host
}

/** Ends of names of files that are ends of names of hosts as well. */
const fileEndings: ReadonlySet<string> = new Set(
  `ai am app as bz cab cat cc cf cl cs csv doc dev do gz id in ini io js json la lua md mk ml mm mo mobi mov ms name nr
  pdf ph pl pm pro ps pub py rb rs sc sh so sql srl st sv tf ts txt vi ws xml xyz yaml yml zip`.split(/\s+/),
)

/**
 * Whether the host of an address stands in what web calls of the task were called with, other than as the host that was
 * asked. Whoever was asked may repeat it, in whatever spelling, and then it was written by the model and not found.
 */
export function isOfArguments({ hostname }: URL, calls: readonly string[]): boolean {
  const values = calls.flatMap((args) => textsIn(parsed(args)))
  return values.some((value) => spellings(value).includes(hostname))
}

function parsed(args: string): JsonValue {
  try {
    return JSON.parse(args) as JsonValue
  } catch {
    return args
  }
}

/** All words of the arguments; of the address that was asked, without its host. */
function textsIn(value: JsonValue, name = ''): string[] {
  if (typeof value === 'string') return [name === 'url' ? withoutHost(value) : value]
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([each, inner]) => [each, ...textsIn(inner as JsonValue, each)])
}

function withoutHost(value: string): string {
  const url = URL.parse(value)
  if (url === null || !/^https?:$/.test(url.protocol)) return value
  return `${url.pathname}${url.search}${url.hash} ${value.slice(value.indexOf(':') + 3).replace(/^[^/?#]*/, '')}`
}

/** As it is, and with what is written in percents read, twice over. */
function spellings(text: string): string {
  const once = decoded(text)
  return [text, once, decoded(once)].join(' ').normalize('NFKC').toLowerCase()
}

function decoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (bytes) => {
    try {
      return decodeURIComponent(bytes)
    } catch {
      return bytes
    }
  })
}
