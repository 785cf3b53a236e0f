/** Owns which part of a document stands behind a reference of another, and which address behind a link. */
import { posix } from 'node:path'
import type { Archive } from './archive.ts'
import { readXml } from './xml.ts'

export interface Relation {
  /** The last word of its kind, as `slide` or `hyperlink`. */
  readonly kind: string
  /** A part of the archive, or an address outside of it, which nobody goes to. */
  readonly target: string
  readonly isOutside: boolean
}

export function relationsOf(archive: Archive, part: string): ReadonlyMap<string, Relation> {
  const folder = posix.dirname(part)
  const found = new Map<string, Relation>()
  readXml(archive.part(posix.join(folder, '_rels', `${posix.basename(part)}.rels`)), {
    open({ name, attribute }) {
      const id = attribute('Id')
      const target = attribute('Target')
      if (name !== 'Relationship' || id === undefined || target === undefined) return undefined
      const isOutside = attribute('TargetMode') === 'External'
      found.set(id, {
        kind: attribute('Type')?.split('/').at(-1) ?? '',
        target: isOutside ? target : target.startsWith('/') ? target.slice(1) : posix.join(folder, target),
        isOutside,
      })
      return undefined
    },
  })
  return found
}

/** Where a link leads is told beside its words, since these can say anything. */
export function addressText(address: string | undefined): string {
  return address !== undefined && /^(?:https?|mailto|tel):/i.test(address)
    ? ` (${address.slice(0, 500)})`
    : ''
}
