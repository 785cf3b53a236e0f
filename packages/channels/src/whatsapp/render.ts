/**
 * Owns how a text reads in WhatsApp. It has marks and no way to escape them: a mark counts only where no letter stands
 * before it, so a joiner that nobody sees is put there. Pure.
 */

import { cleanText } from '../frame/clean-text.ts'
import { type Block, type Inline, readMarkdown } from '../frame/markdown.ts'

export function rendered(text: string, format: 'markdown' | 'plain'): string {
  const clean = cleanText(text)
  return format === 'plain' ? literal(clean) : readMarkdown(clean).map(blockText).join('\n')
}

const joiner = '\u2060'

function literal(text: string): string {
  return text.replaceAll(/`|(?<![\p{L}\p{N}])[*_~](?=\S)|^>(?= )/gmu, (mark) => joiner + mark)
}

function blockText(block: Block): string {
  switch (block.kind) {
    case 'gap':
      return ''
    case 'paragraph':
      return inlineText(block.inlines)
    case 'heading':
      return inlineText(block.inlines.map((part) => ({ ...part, bold: true })))
    case 'quote':
      return inlineText(block.inlines)
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n')
    case 'item':
      return `${'  '.repeat(block.depth)}${block.number === null ? '-' : `${block.number}.`} ${inlineText(block.inlines)}`
    case 'code':
      return block.text.includes('```') ? literal(block.text) : `\`\`\`\n${block.text}\n\`\`\``
  }
}

function inlineText(parts: readonly Inline[]): string {
  let text = ''
  for (const part of parts) text += inline(part, text)
  return text
}

function inline(part: Inline, before: string): string {
  if (part.link) return part.text
  const isOpen = !/[\p{L}\p{N}]$/u.test(before)
  // Around spaces and line ends the marks would be read as signs.
  if (!isOpen || part.text.includes('\n') || part.text !== part.text.trim()) return literal(part.text)
  if (part.code) return part.text.includes('`') ? literal(part.text) : `\`${part.text}\``
  const marks = [part.bold ? '*' : '', part.italic ? '_' : '', part.strike ? '~' : '']
  return `${marks.join('')}${literal(part.text)}${marks.toReversed().join('')}`
}
