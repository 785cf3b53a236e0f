/** Reads the styles of an OpenDocument file: which of them hide what is written in them. */
import { isBacked, type Look } from './looks.ts'
import { type Element, readXml } from './xml.ts'

export interface OpenStyles {
  /** Of a style with those that it is made from, the nearest first. */
  looks(style: string | undefined): readonly Look[]
}

interface Style {
  look: Look
  readonly parent: string | undefined
}

const deepest = 20

/** Those of a later file go before those of an earlier one of the same name. */
export function readOpenStyles(files: readonly (Uint8Array | undefined)[]): OpenStyles {
  const styles = new Map<string, Style>()
  for (const bytes of files) {
    let current: Style | undefined
    readXml(bytes, {
      open(element) {
        const { name, attribute } = element
        if (name === 'body') return 'pass-over'
        if (name === 'style') {
          current = { look: {}, parent: attribute('parent-style-name') }
          styles.set(attribute('style:name') ?? '', current)
        }
        if (current && name.endsWith('-properties')) current.look = { ...current.look, ...lookIn(element) }
        return undefined
      },
      close(name) {
        if (name === 'style') current = undefined
      },
    })
  }
  const known = new Map<string, readonly Look[]>()
  return {
    looks(style = '') {
      const told = known.get(style)
      if (told) return told
      const found: Look[] = []
      let at = styles.get(style)
      for (let each = 0; at && each < deepest; each += 1) {
        found.push(at.look)
        at = styles.get(at.parent ?? '')
      }
      known.set(style, found)
      return found
    },
  }
}

function lookIn({ attribute }: Element): Look {
  const [color, size, fill] = [
    attribute('fo:color'),
    attribute('fo:font-size'),
    attribute('fo:background-color'),
  ]
  const points = /^([0-9.]+)pt$/.exec(size ?? '')?.[1]
  const isHidden =
    attribute('text:display') === 'none' ||
    attribute('table:display') === 'false' ||
    attribute('presentation:visibility') === 'hidden'
  return {
    ...(isHidden ? { hidden: true } : {}),
    ...(color === undefined ? {} : { color }),
    ...(points === undefined ? {} : { points: Number(points) }),
    ...(fill === undefined ? {} : { backed: isBacked(fill) }),
  }
}
