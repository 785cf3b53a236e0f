/**
 * Owns how what a model writes becomes a text with entities: what is read, and where each marked part of it stands. The
 * server is never asked to parse anything, so that no text can become markup.
 */
import { type Block, type Inline, readMarkdown } from '../frame/markdown.ts'

export interface Entity {
  readonly type: 'bold' | 'italic' | 'strikethrough' | 'code' | 'pre' | 'blockquote'
  /** Both in UTF-16 units. */
  readonly offset: number
  readonly length: number
  readonly language?: string
}

export interface EntityText {
  readonly text: string
  readonly entities: readonly Entity[]
}

/** The Bot API reads no more. */
const mostEntities = 100

interface Draft {
  text: string
  readonly entities: Entity[]
}

export function renderEntities(markdown: string): EntityText {
  const draft: Draft = { text: '', entities: [] }
  for (const [index, block] of readMarkdown(markdown).entries()) {
    if (index > 0) draft.text += '\n'
    writeBlock(draft, block)
  }
  // What embraces another comes before it.
  const sorted = draft.entities.toSorted(
    (one, other) => one.offset - other.offset || other.length - one.length,
  )
  return { text: draft.text, entities: sorted.slice(0, mostEntities) }
}

function writeBlock(draft: Draft, block: Block): void {
  switch (block.kind) {
    case 'gap':
      return
    case 'code':
      return marked(
        draft,
        block.language === '' ? { type: 'pre' } : { type: 'pre', language: block.language },
        () => {
          draft.text += block.text
        },
      )
    case 'quote':
      return marked(draft, { type: 'blockquote' }, () => writeInlines(draft, block.inlines))
    case 'heading':
      return marked(draft, { type: 'bold' }, () =>
        writeInlines(
          draft,
          block.inlines.map((inline) => ({ ...inline, bold: false })),
        ),
      )
    case 'item':
      draft.text += `${'  '.repeat(block.depth)}${block.number === null ? '•' : `${block.number}.`} `
      return writeInlines(draft, block.inlines)
    case 'paragraph':
      // In letters of one width its columns stay in line.
      return isTable(block.inlines)
        ? marked(draft, { type: 'pre' }, () => {
            draft.text += wordsOf(block.inlines)
          })
        : writeInlines(draft, block.inlines)
  }
}

const wordsOf = (inlines: readonly Inline[]): string => inlines.map(({ text }) => text).join('')

function isTable(inlines: readonly Inline[]): boolean {
  const lines = wordsOf(inlines).split('\n')
  return lines.length > 1 && lines.every((line) => /^\s*\|.*\|\s*$/.test(line))
}

function writeInlines(draft: Draft, inlines: readonly Inline[]): void {
  for (const { text, bold, italic, strike, code } of inlines) {
    const write = (): void => {
      draft.text += text
    }
    // Nothing else may stand within code.
    if (code) {
      marked(draft, { type: 'code' }, write)
      continue
    }
    const styles = [
      ...(bold ? [{ type: 'bold' } as const] : []),
      ...(italic ? [{ type: 'italic' } as const] : []),
      ...(strike ? [{ type: 'strikethrough' } as const] : []),
    ]
    styles.reduce<() => void>((inner, style) => () => marked(draft, style, inner), write)()
  }
}

/** A mark around a gap at an end would be moved by the server; it is set right here. */
function marked(draft: Draft, style: Pick<Entity, 'type' | 'language'>, write: () => void): void {
  const from = draft.text.length
  write()
  const inner = draft.text.slice(from)
  const offset = from + (inner.length - inner.trimStart().length)
  const length = inner.trim().length
  if (length > 0) draft.entities.push({ ...style, offset, length })
}
