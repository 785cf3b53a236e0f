/** Renders Markdown for a terminal. What comes in is made safe first, so that only our own painting reaches the screen. */
import { isBeyondMarkup } from '@countersign/contract'
import { lexer, type Token, type Tokens } from 'marked'
import type { Paint } from './colour.ts'
import { columns, indent } from './columns.ts'
import { lines } from './safe-text.ts'
import { wrap } from './wrap.ts'

export interface MarkdownStyle {
  readonly paint: Paint
  readonly width: number | undefined
}

/** Blocks with an empty row between them. What nests or runs on without end is shown as it was written. */
export function markdown(source: string, style: MarkdownStyle): string {
  const safe = lines(source)
  return (
    blocksOf(safe)
      ?.map((token) => block(token, style))
      .filter((text) => text !== '')
      .join('\n\n') ?? wrap(safe.trimEnd(), style.width)
  )
}

function blocksOf(source: string): Token[] | undefined {
  return isBeyondMarkup(source) ? undefined : lexer(source)
}

/** The blocks that are whole, and the last one, to which more may still come. */
export function wholeBlocks(source: string): { readonly whole: string; readonly rest: string } {
  const blocks = blocksOf(source)
  if (blocks === undefined) return { whole: source, rest: '' }
  const last = blocks.findLast(({ type }) => type !== 'space')
  if (last === undefined) return { whole: '', rest: source }
  const at = source.lastIndexOf(last.raw.trimEnd())
  return at <= 0 ? { whole: '', rest: source } : { whole: source.slice(0, at), rest: source.slice(at) }
}

function block(token: Token, style: MarkdownStyle): string {
  const { paint, width } = style
  switch (token.type) {
    case 'space':
    case 'def':
      return ''
    case 'heading':
      return wrap(paint('strong', inline(token.tokens, style)), width)
    case 'code':
      return indent(paint('quiet', (token as Tokens.Code).text), '    ')
    case 'blockquote':
      return indent(inner(token.tokens, style, 2), '│ ')
    case 'list':
      return listText(token as Tokens.List, style)
    case 'table':
      return tableText(token as Tokens.Table, style)
    case 'hr':
      return '─'.repeat(Math.min(width ?? 40, 40))
    default:
      return wrap(
        inline(
          token.type === 'paragraph' || token.type === 'text' ? token.tokens : undefined,
          style,
          token.raw,
        ),
        width,
      )
  }
}

function inner(tokens: readonly Token[] | undefined, style: MarkdownStyle, by: number): string {
  const narrower = { ...style, width: style.width === undefined ? undefined : style.width - by }
  return (tokens ?? [])
    .map((token) => block(token, narrower))
    .filter((text) => text !== '')
    .join('\n')
}

function listText({ items, ordered, start }: Tokens.List, style: MarkdownStyle): string {
  return items
    .map((item, at) => {
      const box = item.task ? (item.checked === true ? '☑ ' : '☐ ') : ''
      const mark = box === '' ? (ordered ? `${Number(start || 1) + at}. ` : '• ') : box
      const [first = '', ...more] = inner(
        item.tokens.filter(({ type }) => type !== 'checkbox'),
        style,
        mark.length + 2,
      ).split('\n')
      return [`  ${mark}${first}`, ...more.map((row) => `${' '.repeat(mark.length + 2)}${row}`)].join('\n')
    })
    .join('\n')
}

function tableText({ header, rows }: Tokens.Table, style: MarkdownStyle): string {
  const { paint } = style
  const cells = (row: readonly Tokens.TableCell[]) => row.map(({ tokens }) => inline(tokens, style))
  return columns([cells(header).map((cell) => paint('strong', cell)), ...rows.map(cells)])
}

function inline(tokens: readonly Token[] | undefined, style: MarkdownStyle, raw = ''): string {
  if (tokens === undefined) return raw.trimEnd()
  return tokens.map((token) => span(token, style)).join('')
}

function span(token: Token, style: MarkdownStyle): string {
  const { paint } = style
  const text = () =>
    'tokens' in token && token.tokens
      ? inline(token.tokens, style)
      : 'text' in token
        ? String(token.text)
        : token.raw
  switch (token.type) {
    case 'strong':
      return paint('strong', text())
    case 'em':
    case 'del':
      return text()
    case 'codespan':
      return paint(1, text())
    case 'br':
      return '\n'
    case 'link': {
      const { href } = token as Tokens.Link
      const words = text()
      // Where it really leads is always shown.
      return words === href ? href : `${words} (${href})`
    }
    case 'image':
      return `[${text()}] (${(token as Tokens.Image).href})`
    case 'escape':
    case 'text':
      return text()
    default:
      return token.raw
  }
}
