/** Reads OpenDocument files: texts, sheets and slides, which are one format with three bodies. */
import type { Archive } from './archive.ts'
import type { CollectedText } from './collected-text.ts'
import { createLayout } from './layout.ts'
import type { OfficeNote } from './notes.ts'
import { addressText } from './relations.ts'
import { putRow, type SheetCell } from './rows.ts'
import { type Element, readXml } from './xml.ts'

export type OpenForm = 'document' | 'workbook' | 'presentation'

interface OpenParts {
  readonly archive: Archive
  readonly collected: CollectedText
  readonly notes: Set<OfficeNote>
}

export function isEncrypted(archive: Archive): boolean {
  let encrypted = false
  readXml(archive.part('META-INF/manifest.xml'), {
    open({ name }) {
      if (name === 'encryption-data') encrypted = true
      return undefined
    },
  })
  return encrypted
}

export function readOpenDocument(form: OpenForm, parts: OpenParts): number {
  const content = parts.archive.part('content.xml')
  if (form === 'workbook') return readSheets(content, parts)
  return readText(content, form, parts)
}

const notInTexts = new Set(['tracked-changes', 'automatic-styles', 'font-face-decls', 'forms'])
const notInSheets = new Set(['tracked-changes', 'automatic-styles', 'annotation', 'shapes'])

const mostSpaces = 100

/** Spaces, tabs and ends of lines are elements. */
function blank({ name, attribute }: Element): string | undefined {
  if (name === 's') return ' '.repeat(Math.min(Number(attribute('c') ?? 1) || 1, mostSpaces))
  if (name === 'tab') return '\t'
  return name === 'line-break' ? '\n' : undefined
}

function readText(content: Uint8Array | undefined, form: OpenForm, { collected, notes }: OpenParts): number {
  const layout = createLayout(collected.put)
  const addresses: (string | undefined)[] = []
  let parts = form === 'document' ? 1 : 0
  let wished = form === 'document' && collected.begin(1, '')
  let lists = 0
  let before = ''
  let depth = 0
  readXml(content, {
    open(element) {
      const { name, attribute } = element
      if (name === 'tracked-changes') notes.add('changes')
      if (notInTexts.has(name)) return 'pass-over'
      if (name === 'page' && form === 'presentation') {
        parts += 1
        wished = collected.begin(parts, attribute('draw:name') ?? '')
      }
      if (!wished) return undefined
      const space = blank(element)
      if (space !== undefined) layout.say(space)
      if (name === 'list') lists += 1
      if (name === 'notes') before = '[notes] '
      if (name === 'annotation') before = '[comment] '
      if (name === 'note-body') before = '[note] '
      if (name === 'a') addresses.push(attribute('xlink:href'))
      if (name === 'table-row') layout.openRow()
      if (name === 'table-cell') layout.openCell()
      if (name === 'h') {
        depth += 1
        layout.openParagraph(
          `${'#'.repeat(Math.min(Math.max(Number(attribute('outline-level')) || 1, 1), 6))} `,
        )
      }
      if (name === 'p') {
        depth += 1
        layout.openParagraph(before === '' && lists > 0 ? `${'  '.repeat(Math.min(lists - 1, 8))}- ` : before)
      }
      return undefined
    },
    text(text) {
      if (wished && depth > 0) layout.say(text.replaceAll(/\s+/g, ' '))
    },
    close(name) {
      if (!wished) return
      if (name === 'list') lists -= 1
      if (name === 'notes' || name === 'annotation' || name === 'note-body') before = ''
      if (name === 'a') layout.say(addressText(addresses.pop()))
      if (name === 'table-cell') layout.closeCell()
      if (name === 'table-row') layout.closeRow()
      if (name === 'table') layout.closeTable()
      if (name === 'h' || name === 'p') {
        depth -= 1
        layout.closeParagraph()
      }
    },
  })
  return parts
}

/** A row that is repeated is told as often as it is there; one without text only counts. */
function readSheets(content: Uint8Array | undefined, { collected, notes }: OpenParts): number {
  let sheets = 0
  let wished = false
  let row = 1
  let repeatRow = 1
  let column = 0
  let repeatCell = 1
  let cells: SheetCell[] = []
  let words: string[] = []
  let depth = 0
  readXml(content, {
    open(element) {
      const { name, attribute } = element
      if (name === 'tracked-changes') notes.add('changes')
      if (notInSheets.has(name)) return 'pass-over'
      if (name === 'table') {
        sheets += 1
        row = 1
        wished = collected.begin(sheets, attribute('table:name') ?? '')
      }
      if (!wished) return undefined
      if (name === 'table-row') {
        repeatRow = repeated(attribute('number-rows-repeated'))
        column = 0
        cells = []
      }
      if (name === 'table-cell' || name === 'covered-table-cell') {
        repeatCell = repeated(attribute('number-columns-repeated'))
        words = []
      }
      if (name === 'p') {
        depth += 1
        if (words.length > 0) words.push(' ')
      }
      const space = blank(element)
      if (space !== undefined) words.push(space)
      return undefined
    },
    text(text) {
      if (wished && depth > 0) words.push(text)
    },
    close(name) {
      if (!wished) return
      if (name === 'p') depth -= 1
      if (name === 'table-cell' || name === 'covered-table-cell') {
        const text = words.join('')
        if (text !== '')
          for (let each = 0; each < Math.min(repeatCell, mostRepeated); each += 1)
            cells.push({ column: column + each, text })
        column += repeatCell
      }
      if (name === 'table-row') {
        if (cells.length > 0)
          for (let each = 0; each < repeatRow; each += 1) putRow(row + each, cells, collected.put)
        row += repeatRow
      }
    },
  })
  return sheets
}

const mostRepeated = 1_024
const mostRows = 1_048_576

function repeated(attribute: string | undefined): number {
  return Math.min(Math.max(Math.trunc(Number(attribute ?? 1)) || 1, 1), mostRows)
}
