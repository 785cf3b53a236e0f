/**
 * Owns finding many texts in one. Looks at a window as long as the shortest text may be and skips ahead by what the
 * end of the window rules out, so that the time hardly depends on how many texts there are.
 */

export interface Finder<Needle> {
  /** Calls back for every place where a text begins, from left to right. A text that overlaps itself is given once. */
  find(haystack: string, found: (needle: Needle, at: number) => void): void
  /** The first place from which the end of the haystack might be the beginning of a text; its length if none. */
  unfinished(haystack: string, isWhole: (needle: Needle) => boolean): number
}

/** The shortest text that can be looked for. */
export const shortestNeedle = 8

const block = 3
const slots = 0x10000

export function createFinder<Needle extends { readonly text: string }>(
  needles: readonly Needle[],
): Finder<Needle> {
  const skips = new Uint8Array(slots).fill(shortestNeedle - block + 1)
  const endings = new Map<number, Needle[]>()
  const beginnings = new Map<string, Needle[]>()
  let longest = 0
  for (const needle of needles) {
    const { text } = needle
    if (text.length < shortestNeedle) throw new RangeError('A text is too short to be looked for.')
    longest = Math.max(longest, text.length)
    for (let last = block - 1; last < shortestNeedle; last += 1) {
      const slot = slotAt(text, last)
      skips[slot] = Math.min(skips[slot] ?? 0, shortestNeedle - 1 - last)
    }
    push(endings, slotAt(text, shortestNeedle - 1), needle)
    for (let length = 1; length <= shortestNeedle; length += 1)
      push(beginnings, text.slice(0, length), needle)
  }

  return {
    find(haystack, found) {
      const { length } = haystack
      let covered: Map<Needle, number> | undefined
      for (let last = shortestNeedle - 1; last < length; ) {
        const slot = slotAt(haystack, last)
        const skip = skips[slot] ?? 1
        if (skip > 0) {
          last += skip
          continue
        }
        const at = last - shortestNeedle + 1
        const first = haystack.charCodeAt(at)
        for (const needle of endings.get(slot) ?? []) {
          const { text } = needle
          if (text.charCodeAt(0) !== first || !haystack.startsWith(text, at)) continue
          covered ??= new Map()
          if (at < (covered.get(needle) ?? 0)) continue
          covered.set(needle, at + text.length)
          found(needle, at)
        }
        last += 1
      }
    },
    unfinished(haystack, isWhole) {
      for (let at = Math.max(0, haystack.length - longest); at < haystack.length; at += 1) {
        const rest = haystack.slice(at)
        const might = beginnings
          .get(rest.slice(0, shortestNeedle))
          ?.some(
            (needle) =>
              needle.text.startsWith(rest) && !(needle.text.length === rest.length && isWhole(needle)),
          )
        if (might) return at
      }
      return haystack.length
    },
  }
}

function slotAt(text: string, last: number): number {
  return (
    (text.charCodeAt(last) ^ (text.charCodeAt(last - 1) << 5) ^ (text.charCodeAt(last - 2) << 10)) &
    (slots - 1)
  )
}

function push<Key, Value>(map: Map<Key, Value[]>, key: Key, value: Value): void {
  const values = map.get(key)
  if (values) values.push(value)
  else map.set(key, [value])
}
