/** Reads the text of a Word document: body, notes, comments, headers and footers. What a reader would not see is left out. */
import type { Archive } from './archive.ts'
import type { CollectedText } from './collected-text.ts'
import { createLayout, type Layout } from './layout.ts'
import { isOff, isOn, type Look, sightOf } from './looks.ts'
import { type OfficeNote, unseenMark } from './notes.ts'
import { addressText, type Relation, relationsOf } from './relations.ts'
import { createFields, linkIn } from './word-fields.ts'
import { lookIn, readStyles, type WordStyles } from './word-styles.ts'
import { type Element, readXml } from './xml.ts'

interface WordParts {
  readonly archive: Archive
  readonly collected: CollectedText
  readonly notes: Set<OfficeNote>
}

export function readWord(main: string, { archive, collected, notes }: WordParts): number {
  if (!collected.begin(1, '')) return 1
  // By what the document refers to: parts that nothing refers to are shown to nobody.
  const related = [...relationsOf(archive, main).values()].filter(({ isOutside }) => !isOutside)
  const partsOf = (kind: string) =>
    new Set(related.filter((each) => each.kind === kind).map(({ target }) => target))
  const [styles] = partsOf('styles')
  const context = {
    collected,
    notes,
    styles: readStyles(archive.part(styles ?? '')),
    named: new Set<string>(),
  }
  const read = (part: string, lines: Lines = {}) =>
    readXml(archive.part(part), wordReader({ ...context, links: relationsOf(archive, part), lines }))
  if (partsOf('aFChunk').size > 0) notes.add('unread')
  read(main)
  for (const kind of ['footnote', 'endnote'])
    for (const part of partsOf(`${kind}s`)) read(part, { [kind]: (element) => numbered(kind, element) })
  for (const part of partsOf('comments'))
    read(part, { comment: (element) => `[comment of ${element.attribute('author') ?? ''}] ` })
  for (const part of partsOf('header')) read(part, { hdr: () => '[header] ' })
  for (const part of partsOf('footer')) read(part, { ftr: () => '[footer] ' })
  return 1
}

/** The lines between text and notes are notes, too. */
function numbered(word: string, { attribute }: Element): string {
  return /separator/i.test(attribute('type') ?? '') ? '' : `[${word} ${attribute('id') ?? ''}] `
}

type Lines = Readonly<Record<string, (element: Element) => string>>

interface ReaderParts extends Pick<WordParts, 'collected' | 'notes'> {
  readonly styles: WordStyles
  readonly links: ReadonlyMap<string, Relation>
  /** What stands before the first paragraph of an element. */
  readonly lines: Lines
  /** The notes and comments that the text has a sign for, which are those that are shown. */
  readonly named: Set<string>
}

/** Deleted text, how it looked before a change, and what stands in for those who cannot draw the other. */
const passedOver = /^(?:del|moveFrom|delText|delInstrText|Fallback|\w+PrChange)$/
const signs = /^(?:footnote|endnote|comment)Reference$/

interface Paragraph {
  look: Look
  style?: string
  isHeading: boolean
}

interface Run {
  look: Look
  style?: string
  readonly words: string[]
}

function wordReader({ collected, notes, styles, links, lines, named }: ReaderParts) {
  const layout = createLayout(collected.put)
  const fields = createFields()
  const path: string[] = []
  const paragraphs: Paragraph[] = []
  const runs: Run[] = []
  const tables: { style?: string; look: Look }[] = []
  const addresses: (string | undefined)[] = []
  /** Nothing is shown until so few elements are open. */
  let hiddenUntil: number | undefined
  let before = ''
  const word = (text: string) => runs.at(-1)?.words.push(text)
  const properties = propertyReader({ styles, layout, path, paragraphs, runs, tables })
  const sight = () => {
    const [run, paragraph, table] = [runs.at(-1), paragraphs.at(-1), tables.at(-1)]
    if (hiddenUntil !== undefined) return 'hidden'
    return sightOf([
      run?.look,
      ...styles.looks(run?.style),
      paragraph?.look,
      ...styles.looks(paragraph?.style),
      table?.look,
      ...styles.looks(table?.style),
      ...styles.ground,
    ])
  }
  const say = (run: Run | undefined) => {
    const words = run?.words.join('') ?? ''
    runs.push(run ?? { look: {}, words: [] })
    const seen = sight()
    runs.pop()
    if (seen === 'seen' || words.trim() === '') return layout.say(words)
    notes.add(seen)
    if (seen === 'faint') layout.say(`${unseenMark.faint}${words}`)
  }
  const opened = (element: Element): 'pass-over' | undefined => {
    const { name, attribute } = element
    const note = lines[name] && /note|comment/.test(name) ? `${name} ${attribute('id') ?? ''}` : undefined
    if (passedOver.test(name) || (note !== undefined && !named.has(note))) {
      // The sign of a change stands in the properties of what was changed, and holds no words.
      if (name === 'del' || name === 'moveFrom') notes.add('changes')
      else if (note !== undefined && lines[name]?.(element) !== '') notes.add('hidden')
      return 'pass-over'
    }
    before = lines[name]?.(element) ?? before
    const up = hiddenUntil === undefined ? hiddenAbove(element, path.at(-1)) : undefined
    if (up !== undefined) hiddenUntil = Math.max(path.length - up, 0)
    switch (name) {
      case 'p':
        layout.openParagraph(before)
        paragraphs.push({ look: {}, isHeading: false })
        before = ''
        break
      case 'r':
        runs.push({ look: {}, words: [] })
        break
      case 'fldChar':
        word(addressText(fields.mark(attribute('fldCharType'))))
        break
      case 'fldSimple':
        addresses.push(linkIn(attribute('instr') ?? ''))
        break
      case 'tab':
        word('\t')
        break
      case 'br':
      case 'cr':
        word('\n')
        break
      case 'noBreakHyphen':
        word('-')
        break
      case 'altChunk':
        notes.add('unread')
        break
      case 'hyperlink':
        addresses.push(links.get(attribute('r:id') ?? '')?.target)
        break
      case 'tbl':
        tables.push({ look: {} })
        break
      case 'tr':
        layout.openRow()
        break
      case 'tc':
        layout.openCell()
        break
      default:
        properties(element)
    }
    if (signs.test(name)) {
      const kind = name.replace('Reference', '')
      named.add(`${kind} ${attribute('id') ?? ''}`)
      if (kind !== 'comment') word(`[${kind} ${attribute('id') ?? ''}]`)
    }
    return undefined
  }
  return {
    open(element: Element) {
      const passed = opened(element)
      if (passed === undefined) path.push(element.name)
      return passed
    },
    text(text: string) {
      if (path.at(-1) === 'instrText') fields.code(text)
      else if (path.at(-1) !== 't') return
      else if (fields.isCode()) notes.add('hidden')
      else word(text)
    },
    close(name: string) {
      path.pop()
      if (name === 'r') say(runs.pop())
      if (hiddenUntil !== undefined && path.length <= hiddenUntil) hiddenUntil = undefined
      switch (name) {
        case 'hyperlink':
        case 'fldSimple':
          layout.say(addressText(addresses.pop()))
          break
        case 'p':
          paragraphs.pop()
          layout.closeParagraph()
          break
        case 'tc':
          layout.closeCell()
          break
        case 'tr':
          layout.closeRow()
          break
        case 'tbl':
          tables.pop()
          layout.closeTable()
          break
      }
    },
  }
}

/** How many elements up from this one hides what is in it: of a drawing and a row it is said inside of them. */
function hiddenAbove({ name, attribute }: Element, parent: string | undefined): number | undefined {
  if (name === 'docPr' && isOn(attribute('hidden'))) return 1
  if (name === 'hidden' && parent === 'trPr' && !isOff(attribute('val'))) return 2
  const style = attribute('style') ?? ''
  return /(?:visibility\s*:\s*hidden|display\s*:\s*none)/i.test(style) ? 0 : undefined
}

interface PropertyParts {
  readonly styles: WordStyles
  readonly layout: Layout
  readonly path: readonly string[]
  readonly paragraphs: readonly Paragraph[]
  readonly runs: readonly Run[]
  readonly tables: { style?: string; look: Look }[]
}

/** Takes down what is said of how a run, a paragraph, or a cell looks. */
function propertyReader({ styles, layout, path, paragraphs, runs, tables }: PropertyParts) {
  return (element: Element) => {
    const { name, attribute } = element
    const place = path.at(-1)
    const [run, paragraph, table] = [runs.at(-1), paragraphs.at(-1), tables.at(-1)]
    const value = attribute('val') ?? ''
    // The mark at the end of a paragraph looks as it likes.
    if (place === 'rPr' && path.at(-2) === 'r' && run) {
      run.look = { ...run.look, ...lookIn(element) }
      if (name === 'rStyle') run.style = value
    }
    if (place === 'pPr' && paragraph) paragraph.look = { ...paragraph.look, ...lookIn(element) }
    if (place === 'tcPr' && table) table.look = { ...table.look, ...lookIn(element) }
    if (name === 'tblStyle' && table) table.style = value
    if (!paragraph) return
    if (name === 'pStyle') {
      const level = styles.heading(value)
      paragraph.style = value
      paragraph.isHeading = level !== undefined
      if (level !== undefined) layout.mark(`${'#'.repeat(level)} `)
    }
    if (paragraph.isHeading) return
    // Zero takes it out of a list; headings that are numbered stay headings.
    if (name === 'numId' && value === '0') layout.mark('')
    if (name === 'ilvl') layout.mark(`${'  '.repeat(Math.min(Number(value) || 0, 8))}- `)
  }
}
