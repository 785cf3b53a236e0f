/** Takes what a reader wants out of a web page: its title, its text in Markdown and where it links to. Reaches nothing. */
import { bounded } from './bounded.ts'
import { markdownOf, type PageNode } from './markdown.ts'
import { oneLine, plainText } from './plain-text.ts'

export interface Page {
  readonly title: string
  readonly text: string
  readonly links: readonly { readonly text: string; readonly url: string }[]
  /** Only the beginning was read. */
  readonly cut: boolean
}

export interface PageLimits {
  readonly maxLength: number
  /** Beyond so many tags a page is read without its structure. */
  readonly maxTags: number
  readonly timeoutMs: number
}

export const pageLimits: PageLimits = { maxLength: 2_000_000, maxTags: 15_000, timeoutMs: 3_000 }

export async function readPage(html: string, url: string, limits: PageLimits = pageLimits): Promise<Page> {
  const source = html.slice(0, limits.maxLength)
  const cut = source.length < html.length
  const title = oneLine(/<title[^>]{0,200}>([^<]{0,500})/i.exec(source)?.[1] ?? '')
  const plain = (): Page => ({ title, text: plainText(source), links: [], cut })
  if (countTags(source, limits.maxTags) >= limits.maxTags) return plain()
  const reader = await loadReader()
  const read = bounded(() => reader(withBody(source), url), limits.timeoutMs)
  if (read.kind !== 'done') return plain()
  const text = read.value.text === '' ? plainText(source) : read.value.text
  return { title: read.value.title === '' ? title : read.value.title, text, links: read.value.links, cut }
}

type Reader = (html: string, url: string) => Omit<Page, 'cut'>

/** The parts of the two libraries that are used, which are loaded only when a page is read. */
interface Element {
  readonly textContent: string | null
  getAttribute(name: string): string | null
  remove(): void
}
interface PageDocument {
  readonly body: PageNode
  querySelectorAll(selector: string): Iterable<Element>
  styleSheets?: unknown
}
type Extractor = new (
  document: PageDocument,
  options: object,
) => { parse(): { readonly title: string; readonly content: string } }

async function loadReader(): Promise<Reader> {
  const [{ parseHTML }, loaded] = await Promise.all([import('linkedom'), import('defuddle')])
  // What the module is called depends on who bundles it.
  const module = loaded as unknown as { default: Extractor & { default?: Extractor } }
  const Defuddle: Extractor = module.default.default ?? module.default
  const parse = parseHTML as unknown as (html: string) => { document: PageDocument }
  return (html, url) => {
    const { document } = parse(html)
    document.styleSheets ??= []
    for (const element of document.querySelectorAll('script, template')) element.remove()
    const links = linksOf(document, url)
    const options = { url, removeImages: true, useAsync: false, fetch: refuseToFetch }
    const { title, content } = new Defuddle(document, options).parse()
    const main = parse(`<html><body>${content}</body></html>`).document.body
    return { title: oneLine(title), text: markdownOf(main), links }
  }
}

const mostLinks = 500

function linksOf(document: PageDocument, base: string): Page['links'] {
  const links = new Map<string, string>()
  for (const element of document.querySelectorAll('a[href]')) {
    const target = URL.parse(element.getAttribute('href') ?? '', base)
    if (target === null || !/^https?:$/.test(target.protocol)) continue
    target.hash = ''
    const text = oneLine(element.textContent ?? '').slice(0, 100)
    if (text !== '' && !links.has(target.href)) links.set(target.href, text)
    if (links.size === mostLinks) break
  }
  return [...links].map(([url, text]) => ({ url, text }))
}

/** Reading a page is not a reason to ask for another. */
function refuseToFetch(): Promise<never> {
  return Promise.reject(new Error('not from here'))
}

/** The parser makes no body where the page has none. */
function withBody(html: string): string {
  if (/<body[\s>]/i.test(html)) return html
  const match = /<\/head\s*>/i.exec(html) ?? /<html[^>]{0,1000}>/i.exec(html)
  if (match === null) return `<html><head></head><body>${html}</body></html>`
  const end = match.index + match[0].length
  return `${html.slice(0, end)}<body>${html.slice(end)}`
}

function countTags(html: string, most: number): number {
  let count = 0
  for (let at = html.indexOf('<'); at !== -1 && count < most; at = html.indexOf('<', at + 1)) count += 1
  return count
}
