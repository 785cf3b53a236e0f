/** Owns the part of Markdown that a document is made of: headings, paragraphs, lists, quotes, code, rules and tables. */

export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph' | 'quote'; readonly text: string }
  | { readonly kind: 'item'; readonly depth: number; readonly marker: string; readonly text: string }
  | { readonly kind: 'code'; readonly lines: readonly string[] }
  | { readonly kind: 'rule' }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }

export interface Span {
  readonly text: string
  readonly bold: boolean
  readonly italic: boolean
  readonly code: boolean
}

const patterns = {
  fence: /^\s{0,3}(```|~~~)/,
  heading: /^\s{0,3}(#{1,6})\s+(.*?)\s*#*\s*$/,
  rule: /^\s{0,3}(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$/,
  item: /^(\s*)(?:([-*+])|(\d{1,9})[.)])\s+(.*)$/,
  quote: /^\s{0,3}>\s?(.*)$/,
  row: /^\s*\|(.*)\|\s*$/,
  line: /^[\s|:-]+$/,
}

export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split('\n')
  const blocks: Block[] = []
  let open: string[] = []
  const close = (): void => {
    if (open.length > 0) blocks.push({ kind: 'paragraph', text: open.join(' ') })
    open = []
  }
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? ''
    const fence = patterns.fence.exec(line)?.[1]
    if (fence !== undefined) {
      close()
      const end = lines.findIndex((each, index) => index > at && each.trim().startsWith(fence))
      const last = end === -1 ? lines.length : end
      blocks.push({ kind: 'code', lines: lines.slice(at + 1, last) })
      at = last
      continue
    }
    const block = blockOf(line)
    if (block === 'text') open.push(line.trim())
    else close()
    if (typeof block === 'object') add(blocks, block)
  }
  close()
  return blocks
}

/** Quotes and tables go on over lines. */
function add(blocks: Block[], block: Block): void {
  const before = blocks.at(-1)
  if (block.kind === 'quote' && before?.kind === 'quote')
    blocks.splice(-1, 1, { kind: 'quote', text: `${before.text} ${block.text}` })
  else if (block.kind === 'table' && before?.kind === 'table')
    blocks.splice(-1, 1, { kind: 'table', rows: [...before.rows, ...block.rows] })
  else blocks.push(block)
}

function blockOf(line: string): Block | 'text' | 'nothing' {
  if (line.trim() === '') return 'nothing'
  const heading = patterns.heading.exec(line)
  if (heading) return { kind: 'heading', level: heading[1]?.length ?? 1, text: heading[2] ?? '' }
  if (patterns.rule.test(line)) return { kind: 'rule' }
  const item = patterns.item.exec(line)
  if (item) {
    const [, indent = '', , number, text = ''] = item
    const depth = Math.min(Math.floor(indent.replaceAll('\t', '    ').length / 2), 5)
    return { kind: 'item', depth, marker: number === undefined ? '•' : `${number}.`, text }
  }
  const quote = patterns.quote.exec(line)
  if (quote) return { kind: 'quote', text: quote[1] ?? '' }
  const row = patterns.row.exec(line)?.[1]
  if (row === undefined) return 'text'
  if (patterns.line.test(row)) return { kind: 'table', rows: [] }
  return { kind: 'table', rows: [row.split('|').map((cell) => cell.trim())] }
}

const inline =
  /(`[^`]+`)|(\*\*\*|\*\*|\*|__|_)(?=\S)(.+?)(?<=\S)\2(?![\p{L}\p{N}])|\[([^\]]*)\]\(([^()\s]*)\)/gu

/** A link shows where it leads: paper cannot be clicked. */
export function spansOf(text: string, within = { bold: false, italic: false }): Span[] {
  const spans: Span[] = []
  const plain = (part: string): void => {
    if (part !== '') spans.push({ text: part, ...within, code: false })
  }
  let last = 0
  for (const match of text.matchAll(inline)) {
    const [whole, code, mark = '', inner = '', label, address = ''] = match
    plain(text.slice(last, match.index))
    last = match.index + whole.length
    if (code !== undefined) spans.push({ text: code.slice(1, -1), ...within, code: true })
    else if (label !== undefined) plain(label === address || label === '' ? address : `${label} (${address})`)
    else
      spans.push(
        ...spansOf(inner, {
          bold: within.bold || mark.length > 1,
          italic: within.italic || mark.length !== 2,
        }),
      )
  }
  plain(text.slice(last))
  return spans
}
