/**
 * Owns what a reader sees of HTML, as text. Where a style could hide words, they are left out; where a style sheet
 * could, nothing is taken, since which words it meets cannot be told here. Linear in the length, and runs nothing.
 */

/** Said in the place of words that cannot be told from hidden ones. */
export const unreadable =
  '(This e-mail has its words only in HTML that can hide some of them, so none were read. Plain text can be read.)'

const longest = 1_000_000
const silent = new Set(
  'script style noscript template svg math iframe head title object select textarea audio video canvas'.split(
    ' ',
  ),
)
const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
const blocks = new Set(
  (
    'address article aside blockquote br dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 header hr li main ' +
    'nav ol p pre section table tr ul'
  ).split(' '),
)

/** Any of these can make words small, thin, unseen, or put them elsewhere. */
const hiding =
  /^(?:display|visibility|opacity|font-size|font|color|-webkit-text-fill-color|position|top|left|right|bottom|overflow(?:-[xy])?|clip|clip-path|mask.*|text-indent|transform|filter|(?:max-)?(?:height|width)|line-height|z-index|content|mso-hide|mso-element|float|letter-spacing|direction|unicode-bidi|background.*|zoom|scale|translate)$/
/** What everyday mail programs write of them, and what leaves the words to be seen. */
const harmless =
  /^(?:display:(?:block|inline|inline-block|table-cell)|visibility:visible|font-size:(?:(?:[89]|[1-4]\d)(?:\.\d+)?(?:px|pt)|small|medium|large|x-large|1\d\d%|1(?:\.\d+)?r?em)|(?:max-)?width:(?:100%|auto|[3-9]\d\d\d?px)|line-height:(?:normal|1\d\d%|1(?:\.\d+)?|2\dpx)|color:(?:black|windowtext|#000|#000000|#222|#222222|#333|#333333|rgb\(0,0,0\)|rgb\(34,34,34\)|#1f497d|#0563c1)|background(?:-color)?:(?:white|#fff|#ffffff)|direction:ltr)$/

export function htmlWords(html: string): string {
  const text = html.slice(0, longest)
  if (sheetsOf(text).some(isHidingSheet)) return unreadable
  return wordsOf(text) ?? unreadable
}

function sheetsOf(html: string): string[] {
  const small = html.toLowerCase()
  const sheets: string[] = []
  for (let at = small.indexOf('<style'); at !== -1; ) {
    const end = small.indexOf('</style', at)
    sheets.push(html.slice(at, end === -1 ? undefined : end))
    at = end === -1 ? -1 : small.indexOf('<style', end)
  }
  return sheets
}

function isHidingSheet(sheet: string): boolean {
  const bare = sheet.replaceAll(/<!--|-->/g, '')
  // A comment or an escape in it is there to be overlooked, as one that never ends.
  if (/\\|\/\*|\{[^}]*$|@import|@(?!media|font-face|page|list)/.test(bare)) return true
  return [...bare.matchAll(/\{([^{}]*)\}/g)].some(([, rules = '']) => hides(rules))
}

function hides(style: string): boolean {
  // A comment or an escape in it is there to be overlooked.
  if (/[\\]|\/\*/.test(style)) return true
  return style.split(';').some((rule) => {
    const bare = rule.toLowerCase().replaceAll(/\s+|!important/g, '')
    const [property = ''] = bare.split(':', 1)
    const isMoved = /^(?:margin|text-indent)/.test(property) && bare.includes('-', property.length)
    return isMoved || (hiding.test(property) && !harmless.test(bare))
  })
}

/** Undefined where a style sheet comes from elsewhere, or the tags are not to be told from words. */
function wordsOf(html: string): string | undefined {
  const parts: string[] = []
  let hidden: { readonly name: string; depth: number } | undefined
  let quoted = 0
  let broken = 0
  for (const token of tokens(html)) {
    if (token.kind === 'broken') {
      broken += 1
      if (broken > mostBroken) return undefined
      if (!hidden) parts.push('<')
      continue
    }
    if (token.kind === 'text') {
      if (!hidden) parts.push(token.text)
      continue
    }
    const { name, closes, attributes } = token
    if (name === 'link' && /stylesheet/i.test(attributes)) return undefined
    if (hidden) {
      if (name === hidden.name) hidden.depth += closes ? -1 : 1
      if (hidden.depth <= 0) hidden = undefined
      continue
    }
    if (!closes && !empty.has(name) && (silent.has(name) || isHidden(name, attributes))) {
      hidden = { name, depth: 1 }
      continue
    }
    // What they answer to; it is cut as such.
    if (name === 'blockquote') quoted = Math.max(quoted + (closes ? -1 : 1), 0)
    if (blocks.has(name)) parts.push(quoted > 0 ? '\n> ' : '\n')
    if (name === 'td' || name === 'th') parts.push(' ')
    if (name === 'li' && !closes) parts.push('- ')
  }
  return entities(parts.join(''))
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
}

/** Also what looks like a quote of another program, which marks it by a name. */
function isHidden(name: string, attributes: string): boolean {
  const bare = attributes.replaceAll(/"[^"]*"|'[^']*'/g, '""')
  if (/(?:^|\s)(?:hidden|popover|inert)(?:\s|=|\/|$)/i.test(bare)) return true
  if (/aria-hidden\s*=\s*["']?true/i.test(attributes)) return true
  if (name === 'font' && /(?:^|\s)(?:color|size)\s*=/i.test(bare)) return true
  if (/gmail_quote|moz-cite-prefix|divRplyFwdMsg|yahoo_quoted|protonmail_quote/i.test(attributes)) return true
  const style = /(?:^|[\s"'/])style\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(attributes)
  return style !== null && hides(entities(style[1] ?? style[2] ?? style[3] ?? ''))
}

type Token =
  /** The sign of a tag, and no tag. */
  | { readonly kind: 'broken' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tag'; readonly name: string; readonly closes: boolean; readonly attributes: string }

const longestTag = 20_000
const mostBroken = 100

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
      if (/^<[!?]/.test(html.slice(open, open + 2))) at = close === -1 ? html.length : close + 1
      else {
        yield { kind: 'broken' }
        at = open + 1
      }
      continue
    }
    const [whole, slash = '', name = ''] = match
    const attributes = html.slice(open + whole.length, close)
    yield { kind: 'tag', name: name.toLowerCase(), closes: slash !== '', attributes }
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

const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  hellip: '…',
  ndash: '–',
  mdash: '—',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  euro: '€',
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
    (whole: string, ten?: string, sixteen?: string, name?: string) => {
      if (name !== undefined) return named[name] ?? whole
      const code = ten === undefined ? Number.parseInt(sixteen ?? '', 16) : Number(ten)
      return code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? '\ufffd' : String.fromCodePoint(code)
    },
  )
}
