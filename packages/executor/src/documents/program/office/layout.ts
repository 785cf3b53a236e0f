/** Owns how paragraphs, headings, lists and tables become plain lines of text. */

export interface Layout {
  /** `before` stands before its words, if it has any. */
  openParagraph(before?: string): void
  say(text: string): void
  closeParagraph(): void
  /** Changes what stands before the words of the paragraph that is open. */
  mark(before: string): void
  openRow(): void
  openCell(): void
  closeCell(): void
  closeRow(): void
  closeTable(): void
}

type Frame =
  | { readonly kind: 'paragraph'; before: string; readonly words: string[] }
  | { readonly kind: 'row'; readonly cells: string[] }
  | { readonly kind: 'cell'; readonly blocks: string[] }

export function createLayout(put: (text: string) => void): Layout {
  const frames: Frame[] = []
  const top = () => frames.at(-1)
  /** A table in a cell, and a box of text in a paragraph, are told where they stand. */
  const tell = (block: string, ending: string) => {
    const cell = frames.findLast((frame) => frame.kind === 'cell')
    if (cell) cell.blocks.push(block)
    else put(`${block}${ending}`)
  }
  const take = <Kind extends Frame['kind']>(kind: Kind): Extract<Frame, { kind: Kind }> | undefined => {
    const frame = top()
    if (frame?.kind !== kind) return undefined
    frames.pop()
    return frame as Extract<Frame, { kind: Kind }>
  }
  return {
    openParagraph: (before = '') => frames.push({ kind: 'paragraph', before, words: [] }),
    say(text) {
      const frame = top()
      if (frame?.kind === 'paragraph') frame.words.push(text)
    },
    mark(before) {
      const frame = top()
      if (frame?.kind === 'paragraph') frame.before = before
    },
    closeParagraph() {
      const frame = take('paragraph')
      const words = frame?.words.join('').trim() ?? ''
      if (!frame || words === '') return
      tell(`${frame.before}${words}`, frame.before.endsWith('- ') ? '\n' : '\n\n')
    },
    openRow: () => frames.push({ kind: 'row', cells: [] }),
    openCell: () => frames.push({ kind: 'cell', blocks: [] }),
    closeCell() {
      const cell = take('cell')
      const row = top()
      if (cell && row?.kind === 'row') row.cells.push(cell.blocks.join(' / ').replaceAll(/\s+/g, ' '))
    },
    closeRow() {
      const row = take('row')
      if (row?.cells.some((cell) => cell !== '')) tell(`| ${row.cells.join(' | ')} |`, '\n')
    },
    closeTable() {
      if (!frames.some(({ kind }) => kind === 'cell')) put('\n')
    },
  }
}
