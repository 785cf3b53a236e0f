/**
 * Owns how what a model writes is read: the few marks of Markdown that chats can show, and everything else as the text
 * that it is. A link shows where it leads. Pure, and linear in the length of the text.
 */

export interface Inline {
  readonly text: string
  readonly bold?: boolean
  readonly italic?: boolean
  readonly strike?: boolean
  readonly code?: boolean
  /** The text is this address. */
  readonly link?: boolean
}

export type Block =
  /** May hold line breaks. */
  | { readonly kind: 'paragraph' | 'heading' | 'quote'; readonly inlines: readonly Inline[] }
  | { readonly kind: 'code'; readonly language: string; readonly text: string }
  | {
      readonly kind: 'item'
      readonly depth: number
      /** Its number; null in a list without. */
      readonly number: number | null
      readonly inlines: readonly Inline[]
    }
  /** An empty line between two others. */
  | { readonly kind: 'gap' }

const fence = /^ {0,3}(`{3,}|~{3,})[ \t]*([\w+#.-]{0,30}(?!\S))?([^`]*)$/
const heading = /^ {0,3}#{1,6}\s+(.*?)(?:\s+#+)?\s*$/
const quote = /^ {0,3}> ?(.*)$/
const item = /^(\s{0,20})(?:[-*+]|(\d{1,9})[.)])\s+(.*)$/

export function readMarkdown(text: string): Block[] {
  const lines = text.replaceAll(/\r\n?/g, '\n').split('\n')
  const blocks: Block[] = []
  let paragraph: string[] = []
  let quoted: string[] = []

  function close(): void {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', inlines: readInlines(paragraph.join('\n')) })
    if (quoted.length > 0) blocks.push({ kind: 'quote', inlines: readInlines(quoted.join('\n')) })
    paragraph = []
    quoted = []
  }

  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const [, mark, language = '', more = ''] = fence.exec(line) ?? []
    if (mark !== undefined) {
      close()
      const from = at + 1
      at = from
      while (at < lines.length && !closes(lines[at] ?? '', mark)) at += 1
      const code = [more.trim(), ...lines.slice(from, at)].slice(more.trim() === '' ? 1 : 0)
      // Where nothing stands in it, its marks are all that there is to read.
      if (code.join('').trim() !== '') blocks.push({ kind: 'code', language, text: code.join('\n') })
      else blocks.push({ kind: 'paragraph', inlines: [{ text: lines.slice(from - 1, at + 1).join('\n') }] })
      continue
    }
    const quotedLine = quote.exec(line)?.[1]
    if (quotedLine !== undefined) {
      if (quoted.length === 0) close()
      quoted.push(quotedLine)
      continue
    }
    if (quoted.length > 0) close()
    const title = heading.exec(line)?.[1]
    const [, indent = '', number, words] = item.exec(line) ?? []
    if (line.trim() === '') {
      close()
      if (blocks.length > 0 && blocks.at(-1)?.kind !== 'gap') blocks.push({ kind: 'gap' })
    } else if (title !== undefined && title !== '') {
      close()
      blocks.push({ kind: 'heading', inlines: readInlines(title) })
    } else if (words !== undefined) {
      close()
      const depth = Math.min(Math.floor(indent.replaceAll('\t', '    ').length / 2), 5)
      blocks.push({
        kind: 'item',
        depth,
        number: number === undefined ? null : Number(number),
        inlines: readInlines(words),
      })
    } else paragraph.push(line)
  }
  close()
  if (blocks.at(-1)?.kind === 'gap') blocks.pop()
  return blocks
}

const closes = (line: string, mark: string): boolean => {
  const bare = line.trim()
  return bare.startsWith(mark) && bare.replaceAll(mark.charAt(0), '') === ''
}

/** The parts of a text that are addresses, and the rest, exactly as it stands. */
export function readLinks(text: string): Inline[] {
  const parts: Inline[] = []
  let at = 0
  for (const match of text.matchAll(/https?:\/\/[^\s<>"'`|\\^{}[\]]{1,2000}/g)) {
    // What ends a sentence is rarely the end of an address.
    const address = match[0].replace(/[.,;:!?)*_~]+$/, '')
    if (!URL.canParse(address)) continue
    if (match.index > at) parts.push({ text: text.slice(at, match.index) })
    parts.push({ text: address, link: true })
    at = match.index + address.length
  }
  if (at < text.length) parts.push({ text: text.slice(at) })
  return parts
}

type Style = Pick<Inline, 'bold' | 'italic' | 'strike'>

const marks: readonly { readonly mark: string; readonly style: Style }[] = [
  { mark: '***', style: { bold: true, italic: true } },
  { mark: '**', style: { bold: true } },
  { mark: '__', style: { bold: true } },
  { mark: '~~', style: { strike: true } },
  { mark: '*', style: { italic: true } },
  { mark: '_', style: { italic: true } },
]

const link = /!?\[([^[\]\n]{0,500})\]\(\s*<?([^\s()<>]{1,2000})>?(?:\s+"[^"\n]{0,200}")?\s*\)/y
const code = /(`{1,3})([^`\n]+)\1(?!`)/y
const escaped = /\\([!-/:-@[-`{-~])/y
const address = /https?:\/\/[^\s<>]+/y
const deepest = 4

export function readInlines(text: string, style: Style = {}, depth = 0): Inline[] {
  const parts: Inline[] = []
  let plain = ''

  function flush(): void {
    parts.push(...readLinks(plain).map((part) => ({ ...part, ...style })))
    plain = ''
  }
  for (let at = 0; at < text.length; ) {
    const token = tokenAt(text, at, style, depth)
    at += token.length
    if (typeof token.read === 'string') plain += token.read
    else {
      flush()
      parts.push(...token.read)
    }
  }
  flush()
  return parts
}

interface Token {
  /** How much of the text it takes. */
  readonly length: number
  readonly read: string | readonly Inline[]
}

function tokenAt(text: string, at: number, style: Style, depth: number): Token {
  const sign = text.charAt(at)
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  switch (sign) {
    case '\\':
      return tokenOf(match(escaped), ([, inner = '']) => inner) ?? { length: 1, read: sign }
    case '`': {
      const read = ([, , inner = '']: RegExpExecArray) => [{ text: inner.trim() || inner, code: true }]
      return tokenOf(match(code), read) ?? { length: 1, read: sign }
    }
    case 'h':
      // Its underscores are no marks.
      return tokenOf(match(address), ([whole]) => whole) ?? { length: 1, read: sign }
    case '[':
    case '!': {
      const read = ([, label = '', target = '']: RegExpExecArray) => readLink(label, target, style)
      return tokenOf(match(link), read) ?? { length: 1, read: sign }
    }
    case '*':
    case '_':
    case '~': {
      const span = depth < deepest ? spanAt(text, at) : undefined
      if (!span) return { length: 1, read: sign }
      return {
        length: span.end - at,
        read: readInlines(span.inner, { ...style, ...span.style }, depth + 1),
      }
    }
    default:
      return { length: 1, read: sign }
  }
}

function tokenOf(
  match: RegExpExecArray | null,
  read: (match: RegExpExecArray) => Token['read'],
): Token | undefined {
  return match ? { length: match[0].length, read: read(match) } : undefined
}

/** Nobody is led where they do not read that they are led. */
function readLink(label: string, address: string, style: Style): Inline[] {
  const isWeb = /^https?:\/\//i.test(address) && URL.canParse(address)
  const target: Inline = { text: address, ...(isWeb ? { link: true } : {}), ...style }
  const words = label.trim()
  if (words === '' || words === address) return [target]
  return [...readInlines(words, style, 1), { text: ' (', ...style }, target, { text: ')', ...style }]
}

/** What stands between two marks, where they embrace words and not spaces. */
function spanAt(
  text: string,
  at: number,
): { readonly inner: string; readonly end: number; readonly style: Style } | undefined {
  for (const { mark, style } of marks) {
    if (!text.startsWith(mark, at)) continue
    const from = at + mark.length
    if (/[\s]/.test(text.charAt(from) || ' ')) continue
    const isWordy = mark.startsWith('_')
    if (isWordy && /\w/.test(text.charAt(at - 1))) continue
    let to = text.indexOf(mark, from + 1)
    // A mark of one sign is not half of a mark of two.
    for (let looks = 0; to !== -1 && looks < 20; looks += 1) {
      const isHalf = mark.length === 1 && (text.charAt(to + 1) === mark || text.charAt(to - 1) === mark)
      const isInside = isWordy && /\w/.test(text.charAt(to + mark.length))
      if (!isHalf && !isInside && !/\s/.test(text.charAt(to - 1))) break
      to = text.indexOf(mark, to + (isHalf ? 2 : 1))
      if (looks === 19) to = -1
    }
    if (to === -1 || to - from > 4_000 || text.slice(from, to).includes('\n\n')) continue
    return { inner: text.slice(from, to), end: to + mark.length, style }
  }
  return undefined
}
