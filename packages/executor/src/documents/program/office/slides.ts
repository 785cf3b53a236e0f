/** Reads the slides of a PowerPoint presentation, in their order, with the notes of the speaker. */
import type { Archive } from './archive.ts'
import type { CollectedText } from './collected-text.ts'
import { closeBlock, createLayout, openTablePart } from './layout.ts'
import { addressText, type Relation, relationsOf } from './relations.ts'
import { type Element, readXml } from './xml.ts'

interface PresentationParts {
  readonly archive: Archive
  readonly collected: CollectedText
}

export function readPresentation(main: string, { archive, collected }: PresentationParts): number {
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
    const hidden = isHidden(bytes?.subarray(0, 4_096).toString('utf8') ?? '')
    if (!collected.begin(index + 1, hidden ? 'hidden' : '')) continue
    const links = relationsOf(archive, slide)
    readXml(bytes, slideReader(collected.put, links, ''))
    const spoken = [...links.values()].find(({ kind, isOutside }) => kind === 'notesSlide' && !isOutside)
    if (spoken) readXml(archive.part(spoken.target), slideReader(collected.put, new Map(), '[notes] '))
  }
  return slides.length
}

const isHidden = (head: string) => /<(?:\w+:)?sld\b[^>]*\sshow="(?:0|false)"/.test(head)

/** Numbers, dates and feet are the same on every slide; the picture of a slide in its notes has no words. */
const furniture = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg'])

function slideReader(put: (text: string) => void, links: ReadonlyMap<string, Relation>, before: string) {
  const layout = createLayout(put)
  let placeholder = ''
  let inText = false
  let address: string | undefined
  const isShown = () => !furniture.has(placeholder)
  return {
    open({ name, attribute }: Element) {
      switch (name) {
        case 'Fallback':
          return 'pass-over' as const
        case 'sp':
          placeholder = ''
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
        default:
          openTablePart(layout, name)
      }
      return undefined
    },
    text(text: string) {
      if (inText && isShown()) layout.say(text)
    },
    close(name: string) {
      switch (name) {
        case 't':
          inText = false
          break
        case 'r':
          layout.say(addressText(address))
          address = undefined
          break
        default:
          closeBlock(layout, name)
      }
    },
  }
}
