/** Owns what of a stranger's text people and models are shown: nothing that cannot be seen. */

/** Nobody sees control characters, changes of direction and marks without width; a reader must not be fooled by them. */
export function shown(text: string): string {
  return text.replaceAll(
    /[^\P{Cc}\n\t]|[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u{e0000}-\u{e007f}]/gu,
    '',
  )
}

/** One line, without what cannot be seen. */
export function lineOf(text: string | undefined, longest: number): string {
  return shown(text ?? '')
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, longest)
    .toWellFormed()
}
