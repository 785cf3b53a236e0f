/** Reads the text of a Word document: body, notes, comments, headers and footers. What a reader would not see is left out. */
import type { Archive } from './archive.ts'
import type { CollectedText } from './collected-text.ts'
import { closeBlock, createLayout, openTablePart } from './layout.ts'
import type { OfficeNote } from './notes.ts'
import { addressText, type Relation, relationsOf } from './relations.ts'
import { type Element, readXml } from './xml.ts'

interface WordParts {
  readonly archive: Archive
  readonly collected: CollectedText
  readonly notes: Set<OfficeNote>
}

export function readWord(main: string, { archive, collected, notes }: WordParts): number {
  if (!collected.begin(1, '')) return 1
  const headings = headingStyles(archive)
  const at = (name: string) => main.replace(/[^/]*$/, name)
  const read = (part: string, lines: Partial<Record<string, (element: Element) => string>> = {}) => {
    const links = relationsOf(archive, part)
    readXml(archive.part(part), wordReader({ collected, notes, headings, links, lines }))
  }
  read(main)
  const numbered = (word: string) => (element: Element) =>
    isWritten(element) ? `[${word} ${element.attribute('id') ?? ''}] ` : ''
  read(at('footnotes.xml'), { footnote: numbered('footnote') })
  read(at('endnotes.xml'), { endnote: numbered('endnote') })
  read(at('comments.xml'), { comment: (element) => `[comment of ${element.attribute('author') ?? ''}] ` })
  for (const name of archive.names) {
    const kind = /^word\/(header|footer)\d*\.xml$/.exec(name)?.[1]
    if (kind !== undefined) read(name, { hdr: () => '[header] ', ftr: () => '[footer] ' })
  }
  return 1
}

/** The lines between text and notes are notes, too. */
const isWritten = (element: Element) => !/separator/i.test(element.attribute('type') ?? '')

interface ReaderParts extends Pick<WordParts, 'collected' | 'notes'> {
  readonly headings: ReadonlyMap<string, number>
  readonly links: ReadonlyMap<string, Relation>
  /** What stands before the first paragraph of an element. */
  readonly lines: Partial<Record<string, (element: Element) => string>>
}

/** Deleted text, codes of fields, and what stands in for those who cannot draw the other. */
const passedOver = new Set(['del', 'moveFrom', 'delText', 'instrText', 'delInstrText', 'Fallback'])

function wordReader({ collected, notes, headings, links, lines }: ReaderParts) {
  const layout = createLayout(collected.put)
  const runs: { hidden: boolean; readonly words: string[] }[] = []
  const addresses: (string | undefined)[] = []
  let before = ''
  let isHeading = false
  let inText = false
  const word = (text: string) => runs.at(-1)?.words.push(text)
  return {
    open(element: Element) {
      const { name, attribute } = element
      if (passedOver.has(name)) {
        if (name === 'del' || name === 'moveFrom') notes.add('changes')
        return 'pass-over' as const
      }
      before = lines[name]?.(element) ?? before
      switch (name) {
        case 'p':
          layout.openParagraph(before)
          before = ''
          isHeading = false
          break
        case 'pStyle': {
          const level = headings.get(attribute('val') ?? '')
          isHeading = level !== undefined
          if (level !== undefined) layout.mark(`${'#'.repeat(level)} `)
          break
        }
        case 'numId':
          // Zero takes it out of a list; headings that are numbered stay headings.
          if (attribute('val') === '0' && !isHeading) layout.mark('')
          break
        case 'ilvl':
          if (!isHeading) layout.mark(`${'  '.repeat(Math.min(Number(attribute('val')) || 0, 8))}- `)
          break
        case 'r':
          runs.push({ hidden: false, words: [] })
          break
        case 'vanish': {
          const run = runs.at(-1)
          if (run && !/^(?:0|false|off)$/.test(attribute('val') ?? '')) run.hidden = true
          break
        }
        case 't':
          inText = true
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
        case 'footnoteReference':
        case 'endnoteReference':
          word(`[${name.replace('Reference', '')} ${attribute('id') ?? ''}]`)
          break
        case 'hyperlink':
          addresses.push(links.get(attribute('r:id') ?? '')?.target)
          break
        default:
          openTablePart(layout, name)
      }
      return undefined
    },
    text(text: string) {
      if (inText) word(text)
    },
    close(name: string) {
      switch (name) {
        case 't':
          inText = false
          break
        case 'r': {
          const run = runs.pop()
          if (run?.hidden && run.words.length > 0) notes.add('hidden')
          else if (run) layout.say(run.words.join(''))
          break
        }
        case 'hyperlink':
          layout.say(addressText(addresses.pop()))
          break
        default:
          closeBlock(layout, name)
      }
    },
  }
}

/** By the names of styles, which are English in every language; their ids are not. */
function headingStyles(archive: Archive): ReadonlyMap<string, number> {
  const levels = new Map<string, number>()
  let style = ''
  readXml(archive.part('word/styles.xml'), {
    open({ name, attribute }) {
      if (name === 'style') style = attribute('styleId') ?? ''
      if (name !== 'name') return undefined
      const told = attribute('val')?.toLowerCase() ?? ''
      const level = told === 'title' ? 1 : Number(/^heading ([1-9])$/.exec(told)?.[1] ?? 0)
      if (level > 0) levels.set(style, Math.min(level, 6))
      return undefined
    },
  })
  return levels
}
