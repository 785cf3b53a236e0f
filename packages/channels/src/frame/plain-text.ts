/**
 * Owns how a message is read where there is no markup at all: letters, lines and tabs. Pure. What a model marked is told
 * by signs that people know from letters; a link shows where it leads.
 */
import { cleanText } from './clean-text.ts'
import { type Block, type Inline, readMarkdown } from './markdown.ts'
import type { OutboundMessage } from './protocol.ts'

export function plainTextOf({ text, format }: Pick<OutboundMessage, 'text' | 'format'>): string {
  const clean = cleanText(text)
  return format === 'plain' ? clean : readMarkdown(clean).map(linesOf).join('\n')
}

function linesOf(block: Block): string {
  switch (block.kind) {
    case 'gap':
      return ''
    case 'code':
      return block.text
    case 'quote':
      return `> ${wordsOf(block.inlines).replaceAll('\n', '\n> ')}`
    case 'item': {
      const sign = block.number === null ? '-' : `${block.number}.`
      return `${'  '.repeat(block.depth)}${sign} ${wordsOf(block.inlines)}`
    }
    case 'heading':
    case 'paragraph':
      return wordsOf(block.inlines)
  }
}

const wordsOf = (inlines: readonly Inline[]): string => inlines.map(({ text }) => text).join('')
