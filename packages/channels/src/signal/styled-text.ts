/** Owns how Markdown looks on Signal: a text without marks, and which parts of it are bold, leaning, crossed out or code. Pure. */
import { cleanText } from '../frame/clean-text.ts'
import { type Block, type Inline, readMarkdown } from '../frame/markdown.ts'

export interface StyledText {
  readonly text: string
  /** `start:length:STYLE`, counted as JavaScript counts. */
  readonly styles: readonly string[]
}

export function styledText(markdown: string): StyledText {
  let text = ''
  const styles: string[] = []

  function style(from: number, name: string): void {
    if (text.length > from) styles.push(`${from}:${text.length - from}:${name}`)
  }

  function inlines(parts: readonly Inline[]): void {
    for (const part of parts) {
      const from = text.length
      text += part.text
      if (part.bold) style(from, 'BOLD')
      if (part.italic) style(from, 'ITALIC')
      if (part.strike) style(from, 'STRIKETHROUGH')
      if (part.code) style(from, 'MONOSPACE')
    }
  }

  function block(one: Block): void {
    const from = text.length
    switch (one.kind) {
      case 'paragraph':
        return inlines(one.inlines)
      case 'heading':
        inlines(one.inlines)
        return style(from, 'BOLD')
      case 'quote':
        return inlines(
          one.inlines
            .map((part) => ({ ...part, text: part.text.replaceAll('\n', '\n> ') }))
            .toSpliced(0, 0, { text: '> ' }),
        )
      case 'code':
        text += one.text
        return style(from, 'MONOSPACE')
      case 'item':
        text += `${'  '.repeat(one.depth)}${one.number === null ? '-' : `${one.number}.`} `
        return inlines(one.inlines)
      case 'gap':
    }
  }

  for (const [index, one] of readMarkdown(cleanText(markdown)).entries()) {
    if (index > 0) text += '\n'
    block(one)
  }
  return { text, styles }
}
