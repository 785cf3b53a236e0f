/** Owns whether something stands whole in a text, and not as a part of something longer. Pure. */

/** What, right before or right after it, makes it a part. */
export interface Bounds {
  readonly before: RegExp
  readonly after: RegExp
}

export function standsWhole(text: string, part: string, { before, after }: Bounds): boolean {
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + 1)) {
    const [head, tail] = [text.slice(Math.max(0, at - 2), at), text.slice(at + part.length)]
    if (!before.test(head) && !after.test(tail.slice(0, 3))) return true
  }
  return false
}

/** `notes/a.md` is neither named by `notes/a.md.bak` nor by `old/notes/a.md`. */
export const ofPath: Bounds = {
  before: /[\p{L}\p{M}\p{N}_./\\~=#&?@%-]$/u,
  after: /^(?:[\p{L}\p{M}\p{N}_/\\-]|\.[\p{L}\p{N}_])/u,
}
