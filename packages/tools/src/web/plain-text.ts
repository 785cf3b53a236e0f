/** Takes the text out of HTML in one pass over it, however it is nested. For pages that are too large for more. */

/** The blocks stand on lines of their own. Scripts, styles and comments are left out. */
export function plainText(html: string): string {
  const parts: string[] = []
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    const end = open === -1 ? html.length : open
    if (end > at) parts.push(html.slice(at, end))
    if (open === -1) break
    if (html.startsWith('<!--', open)) {
      at = after(html, '-->', open + 4)
      continue
    }
    const tag = tagAt(html, open)
    if (tag === null) {
      parts.push('<')
      at = open + 1
      continue
    }
    at = tag.end
    if (silent.has(tag.name) && html[open + 1] !== '/') at = afterClosing(html, tag.name, at)
    if (blocks.has(tag.name)) parts.push('\n')
  }
  return tidy(parts.join(''))
}

/** A short text that may hold tags and entities, on one line. */
export function oneLine(html: string): string {
  return decodeEntities(html.replaceAll(/<[^<>]{0,200}>/g, ''))
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const silent = new Set(['script', 'style', 'noscript', 'template', 'svg', 'iframe', 'head'])
const blocks = new Set(
  (
    'address article aside blockquote br dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main ' +
    'nav ol p pre section table tr ul'
  ).split(' '),
)

function tagAt(html: string, open: number): { readonly name: string; readonly end: number } | null {
  const at = html[open + 1] === '/' ? open + 2 : open + 1
  const first = html[at] ?? ''
  if (at === open + 1 && (first === '!' || first === '?')) return { name: '', end: after(html, '>', at) }
  if (!/[a-z]/i.test(first)) return null
  const name = /^[a-z0-9]+/i.exec(html.slice(at, at + 20))?.[0].toLowerCase() ?? ''
  return { name, end: after(html, '>', at) }
}

function after(html: string, mark: string, from: number): number {
  const found = html.indexOf(mark, from)
  return found === -1 ? html.length : found + mark.length
}

function afterClosing(html: string, name: string, from: number): number {
  const closing = new RegExp(`</${name}[\\s/>]`, 'gi')
  closing.lastIndex = from
  const found = closing.exec(html)
  if (found !== null) return after(html, '>', found.index)
  // The end of a head may be left out; what follows is the page.
  return name === 'head' ? from : html.length
}

function tidy(text: string): string {
  return decodeEntities(text)
    .split('\n')
    .map((line) => line.replaceAll(/\s+/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n')
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  copy: '©',
}

function decodeEntities(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return entities[name as string] ?? (whole as string)
    const code = Number.parseInt((decimal ?? hex) as string, decimal === undefined ? 16 : 10)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : (whole as string)
  })
}
