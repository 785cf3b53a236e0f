/** Reads OpenDocument files: texts, sheets and slides, which are one format with three bodies. */
import type { Archive } from './archive.ts'
import type { CollectedText } from './collected-text.ts'
import { createLayout } from './layout.ts'
import { sightOf } from './looks.ts'
import { type OfficeNote, unseenMark } from './notes.ts'
import { type OpenStyles, readOpenStyles } from './open-styles.ts'
import { addressText } from './relations.ts'
import { putRow, type SheetCell } from './rows.ts'
import { type Element, readXml } from './xml.ts'

export type OpenForm = 'document' | 'workbook' | 'presentation'

interface OpenParts {
  readonly archive: Archive
  readonly collected: CollectedText
  readonly notes: Set<OfficeNote>
}

interface OpenContent extends OpenParts {
  readonly styles: OpenStyles
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
  const styles = readOpenStyles([parts.archive.part('styles.xml'), content])
  if (form === 'workbook') return readSheets(content, { ...parts, styles })
  return readText(content, form, { ...parts, styles })
}

const mostSpaces = 100

/** Spaces, tabs and ends of lines are elements. */
function blank({ name, attribute }: Element): string | undefined {
  if (name === 's') return ' '.repeat(Math.min(Number(attribute('c') ?? 1) || 1, mostSpaces))
  if (name === 'tab') return '\t'
  return name === 'line-break' ? '\n' : undefined
}

function readText(
  content: Uint8Array | undefined,
  form: OpenForm,
  { collected, notes, styles }: OpenContent,
): number {
  const layout = createLayout(collected.put)
  const addresses: (string | undefined)[] = []
  let parts = form === 'document' ? 1 : 0
  let wished = form === 'document' && collected.begin(1, '')
  let lists = 0
  let before = ''
  let depth = 0
  /** The styles of the elements that are open, the nearest last. */
  const open: (string | undefined)[] = []
  const say = (text: string) => {
    const sight = sightOf(open.toReversed().flatMap(styles.looks))
    if (sight === 'seen' || text.trim() === '') return layout.say(text)
    notes.add(sight)
    if (sight === 'faint') layout.say(`${unseenMark.faint}${text}`)
  }
  readXml(content, {
    open(element) {
      const { name, attribute } = element
      if (name === 'tracked-changes') {
        notes.add('changes')
        return 'pass-over'
      }
      if (name === 'automatic-styles' || name === 'font-face-decls' || name === 'forms') return 'pass-over'
      if (isUnshown(element)) {
        notes.add('hidden')
        return 'pass-over'
      }
      open.push(attribute('style-name'))
      if (name === 'page' && form === 'presentation') {
        parts += 1
        const title = attribute('draw:name') ?? ''
        const isHidden = sightOf(styles.looks(attribute('style-name'))) === 'hidden'
        // The words on it are not hidden by themselves.
        if (isHidden) open[open.length - 1] = undefined
        wished = collected.begin(parts, isHidden ? `${title} (hidden)` : title)
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
      if (wished && depth > 0) say(text.replaceAll(/\s+/g, ' '))
    },
    close(name) {
      open.pop()
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

/** What is not shown whatever its style says; behind a cell that covers it nothing is seen. */
function isUnshown({ name, attribute }: Element): boolean {
  if (name === 'covered-table-cell' || name === 'hidden-text' || name === 'hidden-paragraph') return true
  return attribute('text:display') === 'none' || isAway(attribute('visibility'))
}

/** Of a row, a column or a drawing. */
const isAway = (visibility: string | undefined) => /^(?:collapse|filter|hidden|none)$/.test(visibility ?? '')

/** A row that is repeated is told as often as it is there; one without text only counts. */
function readSheets(content: Uint8Array | undefined, { collected, notes, styles }: OpenContent): number {
  let sheets = 0
  let wished = false
  let row = 1
  let repeatRow = 1
  let column = 0
  let repeatCell = 1
  let cells: SheetCell[] = []
  let words: string[] = []
  let depth = 0
  let isHidden = false
  let style: string | undefined
  let columns: { readonly to: number; readonly isHidden: boolean }[] = []
  const mark = (text: string, isCovered: boolean): string => {
    const isInHidden = columns.find(({ to }) => column < to)?.isHidden === true
    const sight = isCovered || isInHidden ? 'hidden' : sightOf(styles.looks(style))
    if (sight === 'seen') return text
    notes.add(sight)
    return `${unseenMark[sight]}${text}`
  }
  readXml(content, {
    open(element) {
      const { name, attribute } = element
      if (name === 'tracked-changes') {
        notes.add('changes')
        return 'pass-over'
      }
      if (name === 'annotation') notes.add('unread')
      if (name === 'annotation' || name === 'automatic-styles' || name === 'shapes') return 'pass-over'
      if (name === 'table') {
        sheets += 1
        row = 1
        columns = []
        const title = attribute('table:name') ?? ''
        const isAwaySheet = sightOf(styles.looks(attribute('style-name'))) === 'hidden'
        wished = collected.begin(sheets, isAwaySheet ? `${title} (hidden)` : title)
      }
      if (!wished) return undefined
      if (name === 'table-column' && columns.length < mostColumns) {
        const to = (columns.at(-1)?.to ?? 0) + repeated(attribute('number-columns-repeated'))
        columns.push({ to, isHidden: isAway(attribute('visibility')) })
      }
      if (name === 'table-row') {
        isHidden = isAway(attribute('visibility'))
        repeatRow = repeated(attribute('number-rows-repeated'))
        column = 0
        cells = []
      }
      if (name === 'table-cell' || name === 'covered-table-cell') {
        repeatCell = repeated(attribute('number-columns-repeated'))
        style = attribute('style-name')
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
        const said = words.join('')
        const text = said === '' ? '' : mark(said, name === 'covered-table-cell')
        if (text !== '')
          for (let each = 0; each < Math.min(repeatCell, mostRepeated); each += 1)
            cells.push({ column: column + each, text })
        column += repeatCell
      }
      if (name === 'table-row') {
        if (isHidden && cells.length > 0) notes.add('hidden')
        if (cells.length > 0)
          for (let each = 0; each < repeatRow; each += 1) putRow(row + each, cells, collected.put, isHidden)
        row += repeatRow
      }
    },
  })
  return sheets
}

const mostRepeated = 1_024
const mostColumns = 16_384
const mostRows = 1_048_576

function repeated(attribute: string | undefined): number {
  return Math.min(Math.max(Math.trunc(Number(attribute ?? 1)) || 1, 1), mostRows)
}
