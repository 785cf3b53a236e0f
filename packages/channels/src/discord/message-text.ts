/** Owns how a message is written for Discord: with its marks for what is bold, and every other sign as itself. Pure. */
import { type Block, type Inline, readLinks, readMarkdown } from '../frame/markdown.ts'

export function messageText(text: string, format: 'markdown' | 'plain'): string {
  if (format === 'plain') return atLineStarts(inlinesText(readLinks(text)))
  return readMarkdown(text).map(blockText).join('\n')
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'gap':
      return ''
    case 'paragraph':
      return atLineStarts(inlinesText(block.inlines))
    case 'heading':
      return inlinesText(block.inlines.map((inline) => (inline.link ? inline : { ...inline, bold: true })))
    case 'quote':
      return inlinesText(block.inlines)
        .split('\n')
        .map((line) => `> ${atLineStarts(line)}`)
        .join('\n')
    case 'item': {
      const mark = block.number === null ? '-' : `${block.number}.`
      return `${'  '.repeat(block.depth)}${mark} ${atLineStarts(inlinesText(block.inlines))}`
    }
    case 'code': {
      const language = /^\w{1,20}$/.test(block.language) ? block.language : ''
      return `${fence}${language}\n${block.text.replaceAll(fence, '`\u200b`\u200b`')}\n${fence}`
    }
  }
}

const fence = '```'

function inlinesText(inlines: readonly Inline[]): string {
  let text = ''
  let isMarked = false
  for (const inline of inlines) {
    const mark = markOf(inline)
    // Two marks side by side would be read as one.
    text += `${isMarked && mark !== '' ? '\u200b' : ''}${inlineText(inline, mark)}`
    isMarked = mark !== ''
  }
  return text
}

function inlineText({ text, link, code }: Inline, mark: string): string {
  // Between these signs nothing is a mark, and no preview is made.
  if (link) return `<${text}>`
  if (code) return text.includes('`') ? `\`\` ${text.replaceAll('``', '`\u200b`')} \`\`` : `\`${text}\``
  if (mark === '') return escaped(text)
  const [, before = '', inner = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(text) ?? []
  if (inner === '') return text
  return `${before}${mark}${escaped(inner)}${mark.split('').toReversed().join('')}${after}`
}

function markOf({ bold, italic, strike, link, code }: Inline): string {
  if (link || code) return ''
  return `${bold ? '**' : ''}${italic ? '*' : ''}${strike ? '~~' : ''}`
}

/** What Discord would read as a mark, a mention or a link with another label. */
function escaped(text: string): string {
  return text.replaceAll(/[\\*_~`|<[]|@(?=everyone|here)/g, '\\$&')
}

/** What is a mark only at the beginning of a line: a title, a quote, a list. */
function atLineStarts(text: string): string {
  return text
    .replaceAll(/^([ \t]*)([#>+-])/gm, '$1\\$2')
    .replaceAll(/^([ \t]*\d{1,9})([.)])(?=\s|$)/gm, '$1\\$2')
}
