/** Owns which names of computers people can tell apart: none that looks like another one, and no two that read alike. */
import { displayHost } from './host.ts'
import { forDisplay } from './sanitise.ts'

/** Nothing in it hides, turns round, or is drawn like a letter that it is not. */
export function isPlainName(name: string): boolean {
  if (name.normalize('NFC') !== name || forDisplay(name).flags.length > 0) return false
  return name.split(/[^\p{L}\p{M}\p{N}]+/u).every((word) => displayHost(word).flags.length === 0)
}

/** Whether they differ in no letter and no numeral, but in case, spaces and signs at most. */
export function readsAlike(one: string, other: string): boolean {
  return spoken(one) === spoken(other)
}

function spoken(name: string): string {
  const plain = name.normalize('NFKC').toLowerCase()
  return plain.replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '') || plain
}
