/** Reads the sheets of an Excel workbook, row by row: what cells show, not how they are reckoned. */
import type { Archive } from './archive.ts'
import type { CollectedText } from './collected-text.ts'
import { isOn, sightOf } from './looks.ts'
import { type OfficeNote, unseenMark } from './notes.ts'
import { relationsOf } from './relations.ts'
import { columnOf, putRow, type SheetCell } from './rows.ts'
import { type CellStyle, readCellStyles } from './sheet-looks.ts'
import { readShape, type SheetShape } from './sheet-shape.ts'
import { readXml } from './xml.ts'

interface WorkbookParts {
  readonly archive: Archive
  readonly collected: CollectedText
  readonly notes: Set<OfficeNote>
}

export function readWorkbook(main: string, { archive, collected, notes }: WorkbookParts): number {
  const book = workbookOf(archive, main)
  const relations = relationsOf(archive, main)
  const part = (kind: string) =>
    [...relations.values()].find((each) => each.kind === kind && !each.isOutside)?.target
  const strings = sharedStrings(archive.part(part('sharedStrings') ?? ''))
  const styleOf = readCellStyles(archive.part(part('styles') ?? ''))
  for (const [index, { name, relation, hidden }] of book.sheets.entries()) {
    if (!collected.begin(index + 1, hidden ? `${name} (hidden)` : name)) continue
    const sheet = relations.get(relation)
    if (!sheet || sheet.isOutside) continue
    const bytes = archive.part(sheet.target)
    const valueOf = cellValue({ strings, styleOf, from1904: book.from1904 })
    const shape = readShape(bytes)
    readXml(bytes, sheetReader({ valueOf, styleOf, shape, notes, put: collected.put }))
  }
  return book.sheets.length
}

function workbookOf(archive: Archive, main: string) {
  const sheets: { name: string; relation: string; hidden: boolean }[] = []
  let from1904 = false
  readXml(archive.part(main), {
    open({ name, attribute }) {
      if (name === 'workbookPr') from1904 = /^(?:1|true)$/.test(attribute('date1904') ?? '')
      if (name === 'sheet')
        sheets.push({
          name: attribute('name') ?? '',
          relation: attribute('r:id') ?? '',
          hidden: (attribute('state') ?? 'visible') !== 'visible',
        })
      return undefined
    },
  })
  return { sheets, from1904 }
}

function sharedStrings(bytes: Uint8Array | undefined): readonly string[] {
  const strings: string[] = []
  let words: string[] = []
  let inText = false
  readXml(bytes, {
    open({ name }) {
      // How it is pronounced stands beside it.
      if (name === 'rPh') return 'pass-over'
      if (name === 'si') words = []
      inText = name === 't'
      return undefined
    },
    text(text) {
      if (inText) words.push(text)
    },
    close(name) {
      inText = false
      if (name === 'si') strings.push(words.join(''))
    },
  })
  return strings
}

interface CellForms {
  readonly strings: readonly string[]
  readonly styleOf: (style: number) => CellStyle
  readonly from1904: boolean
}

interface OpenCell {
  readonly type: string
  readonly style: number
  readonly column: number
  readonly value: string[]
  readonly formula: string[]
}

function cellValue({ strings, styleOf, from1904 }: CellForms): (cell: OpenCell) => string {
  return ({ type, style, value, formula }) => {
    const text = value.join('')
    if (text === '' && formula.length > 0) return `=${formula.join('')}`
    if (type === 's') return strings[Number(text)] ?? ''
    if (type === 'b') return text === '1' ? 'TRUE' : 'FALSE'
    if ((type === 'n' || type === '') && text !== '' && styleOf(style).isDate) return dateText(text, from1904)
    return text
  }
}

const dayMs = 86_400_000

function dateText(text: string, from1904: boolean): string {
  const serial = Number(text)
  const first = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 30)
  if (!(serial >= 0 && serial < 2_958_466)) return text
  const iso = new Date(first + Math.round((serial * dayMs) / 1_000) * 1_000).toISOString()
  const [date = '', time = ''] = iso.slice(0, 19).split('T')
  if (serial < 1) return time
  return time === '00:00:00' ? date : `${date} ${time}`
}

interface SheetParts extends Pick<CellForms, 'styleOf'> {
  readonly valueOf: (cell: OpenCell) => string
  readonly shape: SheetShape
  readonly notes: Set<OfficeNote>
  readonly put: (text: string) => void
}

function sheetReader({ valueOf, styleOf, shape, notes, put }: SheetParts) {
  let row = 0
  let isHidden = false
  let cells: SheetCell[] = []
  let cell: OpenCell | undefined
  let into: string[] | undefined
  const isUnseen = (column: number) => shape.isHiddenColumn(column) || shape.isCovered(row, column)
  const seen = (told: string, { style, column }: OpenCell): string => {
    const sight = isUnseen(column) ? 'hidden' : sightOf([styleOf(style).look])
    if (sight === 'seen' || told === '') return told
    notes.add(sight)
    return `${unseenMark[sight]}${told}`
  }
  return {
    open({ name, attribute }: { name: string; attribute(name: string): string | undefined }) {
      if (name === 'row') {
        row = Number(attribute('r')) || row + 1
        isHidden = isOn(attribute('hidden')) || Number(attribute('ht') ?? 1) === 0
        cells = []
      } else if (name === 'c')
        cell = {
          type: attribute('t') ?? '',
          style: Number(attribute('s') ?? 0),
          column: columnOf(attribute('r')) ?? (cells.at(-1)?.column ?? -1) + 1,
          value: [],
          formula: [],
        }
      else if (name === 'v' || name === 't') into = cell?.value
      else if (name === 'f') into = cell?.formula
      else if (name === 'rPh') return 'pass-over' as const
      return undefined
    },
    text(text: string) {
      into?.push(text)
    },
    close(name: string) {
      into = undefined
      if (name === 'c' && cell) {
        cells.push({ column: cell.column, text: seen(valueOf(cell), cell) })
        cell = undefined
      } else if (name === 'row') {
        if (isHidden && cells.some(({ text }) => text !== '')) notes.add('hidden')
        putRow(row, cells, put, isHidden)
      }
    },
  }
}
