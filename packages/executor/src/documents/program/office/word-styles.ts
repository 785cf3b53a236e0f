/** Reads the styles of a Word document: which are headings, and which hide what is written in them. */
import { isBacked, isOff, type Look } from './looks.ts'
import { type Element, readXml } from './xml.ts'

export interface WordStyles {
  heading(style: string): number | undefined
  /** Of a style with those that it is based on, the nearest first. */
  looks(style: string | undefined): readonly Look[]
  /** Of all that names no style. */
  readonly ground: readonly Look[]
}

interface Style {
  look: Look
  base?: string
}

const deepest = 20

export function readStyles(bytes: Uint8Array | undefined): WordStyles {
  const levels = new Map<string, number>()
  const styles = new Map<string, Style>()
  let current: Style = { look: {} }
  const defaults = current
  let ground: string | undefined
  let id = ''
  readXml(bytes, {
    open(element) {
      const { name, attribute } = element
      if (name === 'style') {
        id = attribute('styleId') ?? ''
        current = { look: {} }
        styles.set(id, current)
        if (attribute('type') === 'paragraph' && !isOff(attribute('default') ?? '0')) ground = id
      }
      if (name === 'docDefaults') current = defaults
      if (name === 'basedOn') current.base = attribute('val') ?? ''
      if (name === 'name') {
        const level = levelOf(attribute('val') ?? '')
        if (level > 0) levels.set(id, level)
      }
      current.look = { ...current.look, ...lookIn(element) }
      return undefined
    },
  })
  const looks = (style: string | undefined): Look[] => {
    const found: Look[] = []
    let at = styles.get(style ?? '')
    for (let each = 0; at && each < deepest; each += 1) {
      found.push(at.look)
      at = styles.get(at.base ?? '')
    }
    return found
  }
  return { heading: (style) => levels.get(style), looks, ground: [...looks(ground), defaults.look] }
}

/** By the names of styles, which are English in every language; their ids are not. */
function levelOf(name: string): number {
  const told = name.toLowerCase()
  return Math.min(told === 'title' ? 1 : Number(/^heading ([1-9])$/.exec(told)?.[1] ?? 0), 6)
}

/** What one element says of how words look. */
export function lookIn({ name, attribute }: Element): Look {
  const value = attribute('val')
  switch (name) {
    case 'vanish':
    case 'specVanish':
      return { hidden: !isOff(value) }
    case 'color':
      return { color: attribute('themeColor') ?? value ?? '' }
    case 'sz':
      return { points: Number(value) / 2 }
    case 'highlight':
      return { backed: value !== 'none' && value !== 'white' }
    case 'shd':
      return { backed: isBacked(attribute('fill')) }
    default:
      return {}
  }
}
