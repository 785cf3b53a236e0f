/** Owns how Markdown becomes the HTML that Matrix shows: a few elements, and everything else as words. Pure. */

import { cleanText } from '../frame/clean-text.ts'
import { type Block, type Inline, readMarkdown } from '../frame/markdown.ts'

export function htmlOf(markdown: string): string {
  return readMarkdown(cleanText(markdown)).map(blockOf).join('')
}

function blockOf(block: Block): string {
  switch (block.kind) {
    case 'gap':
      return ''
    case 'paragraph':
      return `<p>${inlinesOf(block.inlines)}</p>`
    case 'heading':
      return `<h4>${inlinesOf(block.inlines)}</h4>`
    case 'quote':
      return `<blockquote>${inlinesOf(block.inlines)}</blockquote>`
    case 'code':
      return `<pre><code>${escaped(block.text)}\n</code></pre>`
    case 'item': {
      // Each by itself, deeper by nesting: what is between two items needs no memory.
      const list = block.number === null ? 'ul' : 'ol'
      const start = block.number === null ? '' : ` start="${block.number}"`
      const item = `<${list}${start}><li>${inlinesOf(block.inlines)}</li></${list}>`
      return `${'<ul><li>'.repeat(block.depth)}${item}${'</li></ul>'.repeat(block.depth)}`
    }
  }
}

const inlinesOf = (inlines: readonly Inline[]): string => inlines.map(inlineOf).join('')

function inlineOf({ text, bold, italic, strike, code, link }: Inline): string {
  let html = escaped(text)
  if (!code) html = html.replaceAll('\n', '<br>')
  if (code) html = `<code>${html}</code>`
  if (link) html = `<a href="${html}">${html}</a>`
  if (strike) html = `<del>${html}</del>`
  if (italic) html = `<em>${html}</em>`
  if (bold) html = `<strong>${html}</strong>`
  return html
}

const signs: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (sign) => signs[sign] ?? '')
