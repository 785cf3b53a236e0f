/** Owns the text that is taken out of a document: the parts that were wished, from a place on, up to a number of characters. */
import { shown } from '../shown-text.ts'

export interface CollectedPart {
  readonly part: number
  readonly title: string
  text: string
}

/** Thrown where no more is wanted, so that the rest of a document is not read. */
export class Enough extends Error {}

export interface CollectedText {
  /** Whether the part is wished; what is put from then on belongs to it. */
  begin(part: number, title: string): boolean
  put(text: string): void
  readonly parts: readonly CollectedPart[]
}

export interface TextWish {
  readonly parts: string
  readonly offset: number
  readonly maxCharacters: number
}

const longestTitle = 200

export function collectText({ parts: wish, offset, maxCharacters }: TextWish): CollectedText {
  const parts: CollectedPart[] = []
  const end = offset + maxCharacters
  let seen = 0
  return {
    parts,
    begin(part, title) {
      if (!isWished(wish, part)) return false
      parts.push({ part, title: shown(title).replaceAll(/\s+/g, ' ').slice(0, longestTitle), text: '' })
      return true
    },
    put(text) {
      const clean = shown(text)
      const current = parts.at(-1)
      if (current) current.text += clean.slice(Math.max(0, offset - seen), Math.max(0, end - seen))
      seen += clean.length
      if (seen > end) throw new Enough()
    },
  }
}

function isWished(wish: string, part: number): boolean {
  if (wish === 'all') return true
  return wish.split(',').some((range) => {
    const [first = 0, last = first] = range.split('-').map(Number)
    return part >= first && part <= last
  })
}
