/** Owns what is left out of every text of a stranger because nobody would see it. */

/** Nobody sees control characters, changes of direction and marks without width; a reader must not be fooled by them. */
export function shown(text: string): string {
  return text.replaceAll(
    /[^\P{Cc}\n\t]|[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu,
    '',
  )
}
