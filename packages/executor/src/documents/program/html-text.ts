/**
 * Takes out of HTML what a reader would see, in one pass. Where a link leads is told beside its words, since these can
 * say anything; what is hidden from readers is left out. Fetches and runs nothing.
 */

const silent = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'head',
  'title',
  'object',
  'math',
])
const blocks = new Set(
  (
    'address article aside blockquote br dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main ' +
    'nav ol p pre section table tr ul'
  ).split(' '),
)
const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))

export function htmlText(html: string): string {
  const parts: string[] = []
  /** The element that is hidden with all that is in it, and how often its name is open in it. */
  let hidden: { readonly name: string; depth: number } | undefined
  const links: string[] = []
  for (const token of tokens(html)) {
    if (token.kind === 'text') {
      if (!hidden) parts.push(token.text)
      continue
    }
    const { name, closes, attributes } = token
    if (hidden) {
      if (name === hidden.name && !empty.has(name)) hidden.depth += closes ? -1 : 1
      if (hidden.depth === 0) hidden = undefined
      continue
    }
    if (!closes && !empty.has(name) && (silent.has(name) || isHidden(attributes))) {
      hidden = { name, depth: 1 }
      continue
    }
    if (blocks.has(name)) parts.push('\n')
    if (name === 'td' || name === 'th') parts.push(' ')
    if (name === 'li' && !closes) parts.push('- ')
    if (name === 'img') parts.push(attribute(attributes, 'alt'))
    if (name === 'a' && !closes) links.push(attribute(attributes, 'href'))
    if (name === 'a' && closes) {
      const address = links.pop() ?? ''
      if (/^(?:https?|mailto|tel):/i.test(address)) parts.push(` (${address.slice(0, 500)})`)
    }
  }
  return entities(parts.join(''))
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

type Token =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tag'; readonly name: string; readonly closes: boolean; readonly attributes: string }

const longestTag = 20_000

function* tokens(html: string): Generator<Token> {
  let at = 0
  while (at < html.length) {
    const open = html.indexOf('<', at)
    const end = open === -1 ? html.length : open
    if (end > at) yield { kind: 'text', text: html.slice(at, end).replaceAll(/\s+/g, ' ') }
    if (open === -1) return
    if (html.startsWith('<!--', open)) {
      const close = html.indexOf('-->', open + 4)
      at = close === -1 ? html.length : close + 3
      continue
    }
    const close = tagEnd(html, open)
    const match = /^<(\/?)([a-zA-Z][a-zA-Z0-9:-]{0,40})/.exec(html.slice(open, open + 50))
    if (close === -1 || !match) {
      // A declaration, or a sign that stands for itself.
      if (/^<[!?]/.test(html.slice(open, open + 2))) at = close === -1 ? html.length : close + 1
      else {
        yield { kind: 'text', text: '<' }
        at = open + 1
      }
      continue
    }
    const [whole, slash = '', name = ''] = match
    yield {
      kind: 'tag',
      name: name.toLowerCase(),
      closes: slash !== '',
      attributes: html.slice(open + whole.length, close),
    }
    at = close + 1
  }
}

/** A sign in quotes does not end a tag. */
function tagEnd(html: string, open: number): number {
  let quote = ''
  const last = Math.min(html.length, open + longestTag)
  for (let at = open + 1; at < last; at += 1) {
    const sign = html[at] ?? ''
    if (quote !== '') quote = sign === quote ? '' : quote
    else if (sign === '"' || sign === "'") quote = sign
    else if (sign === '>') return at
  }
  return -1
}

function attribute(attributes: string, name: string): string {
  const match = new RegExp(`(?:^|[\\s"'/])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(
    attributes,
  )
  return entities(match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim()
}

function isHidden(attributes: string): boolean {
  if (/(?:^|\s)hidden(?:\s|=|$)/i.test(attributes.replaceAll(/"[^"]*"|'[^']*'/g, '""'))) return true
  const style = attribute(attributes, 'style').toLowerCase().replaceAll(/\s+/g, '')
  return (
    /(?:^|;)(?:display:none|visibility:hidden|opacity:0(?:\.0*)?(?:;|!|$)|mso-hide:all)/.test(style) ||
    /(?:^|;)(?:font-size|max-height|max-width|width|height):0(?:px|em|pt|%|rem)?(?:;|!|$)/.test(style)
  )
}

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  copy: '©',
  reg: '®',
  trade: '™',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  bull: '•',
  euro: '€',
  pound: '£',
  auml: 'ä',
  ouml: 'ö',
  uuml: 'ü',
  Auml: 'Ä',
  Ouml: 'Ö',
  Uuml: 'Ü',
  szlig: 'ß',
  eacute: 'é',
  egrave: 'è',
  zwnj: '',
  zwj: '',
  shy: '',
}

function entities(text: string): string {
  return text.replaceAll(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([a-zA-Z]{2,8}));/g,
    (whole, ten, sixteen, name) => {
      if (name !== undefined) return named[name as string] ?? whole
      const code = ten === undefined ? Number.parseInt(sixteen as string, 16) : Number(ten)
      return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code)
    },
  )
}
