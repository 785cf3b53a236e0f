/** Reads the slides of a PowerPoint presentation, in their order, with the notes of the speaker. */
import type { Archive } from './archive.ts'
import type { CollectedText } from './collected-text.ts'
import { createLayout } from './layout.ts'
import { isOff, isOn } from './looks.ts'
import { type OfficeNote, unseenMark } from './notes.ts'
import { addressText, type Relation, relationsOf } from './relations.ts'
import { type Element, readXml, rootOf } from './xml.ts'

interface PresentationParts {
  readonly archive: Archive
  readonly collected: CollectedText
  readonly notes: Set<OfficeNote>
}

export function readPresentation(main: string, { archive, collected, notes }: PresentationParts): number {
  const relations = relationsOf(archive, main)
  const slides: string[] = []
  readXml(archive.part(main), {
    open({ name, attribute }) {
      const slide = name === 'sldId' ? relations.get(attribute('r:id') ?? '') : undefined
      if (slide && !slide.isOutside) slides.push(slide.target)
      return undefined
    },
  })
  for (const [index, slide] of slides.entries()) {
    const bytes = archive.part(slide)
    const hidden = isOff(rootOf(bytes)?.attribute('show') ?? '1')
    if (!collected.begin(index + 1, hidden ? 'hidden' : '')) continue
    const links = relationsOf(archive, slide)
    const { put } = collected
    readXml(bytes, slideReader({ put, links, notes, before: '' }))
    const spoken = [...links.values()].find(({ kind, isOutside }) => kind === 'notesSlide' && !isOutside)
    if (spoken)
      readXml(archive.part(spoken.target), slideReader({ put, links: new Map(), notes, before: '[notes] ' }))
  }
  return slides.length
}

/** Numbers, dates and feet are the same on every slide; the picture of a slide in its notes has no words. */
const furniture = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

const shapes = /^(?:sp|grpSp|graphicFrame|pic|cxnSp)$/
/** In hundredths of a point. */
const smallestWords = 400

interface SlideParts {
  readonly put: (text: string) => void
  readonly links: ReadonlyMap<string, Relation>
  readonly notes: Set<OfficeNote>
  readonly before: string
}

function slideReader({ put, links, notes, before }: SlideParts) {
  const layout = createLayout(put)
  let placeholder = ''
  let inText = false
  let isTiny = false
  /** Of each shape that is open, whether it is hidden. */
  const open: boolean[] = []
  let address: string | undefined
  const isShown = () => !furniture.has(placeholder)
  return {
    open({ name, attribute }: Element) {
      if (shapes.test(name)) open.push(false)
      switch (name) {
        case 'Fallback':
          return 'pass-over' as const
        case 'sp':
          placeholder = ''
          break
        case 'cNvPr':
          if (isOn(attribute('hidden'))) open[open.length - 1] = true
          break
        case 'r':
        case 'fld':
          isTiny = false
          break
        case 'rPr':
          isTiny = Number(attribute('sz') ?? smallestWords) < smallestWords
          break
        case 'ph':
          placeholder = attribute('type') ?? ''
          break
        case 'p':
          layout.openParagraph(/title$/i.test(placeholder) ? '# ' : before)
          break
        case 't':
          inText = true
          break
        case 'hlinkClick':
          address = links.get(attribute('r:id') ?? '')?.target
          break
        case 'br':
          layout.say('\n')
          break
        case 'tr':
          layout.openRow()
          break
        case 'tc':
          layout.openCell()
          break
      }
      return undefined
    },
    text(text: string) {
      if (!inText || !isShown() || text === '') return
      const isHidden = open.includes(true)
      if (isHidden || isTiny) notes.add(isHidden ? 'hidden' : 'faint')
      if (!isHidden) layout.say(isTiny && text.trim() !== '' ? `${unseenMark.faint}${text}` : text)
    },
    close(name: string) {
      if (shapes.test(name)) open.pop()
      switch (name) {
        case 't':
          inText = false
          break
        case 'r':
          layout.say(addressText(address))
          address = undefined
          break
        case 'p':
          layout.closeParagraph()
          break
        case 'tc':
          layout.closeCell()
          break
        case 'tr':
          layout.closeRow()
          break
        case 'tbl':
          layout.closeTable()
          break
      }
    },
  }
}
