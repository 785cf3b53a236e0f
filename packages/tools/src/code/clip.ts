/** Owns how much of what a program said a model is given. */

const longest = 200_000

/** The beginning of the text, and a word that more was said. */
export function clipped(text: string, alreadyCut: boolean): string {
  if (text.length <= longest) return alreadyCut ? `${text}\n[cut]` : text
  return `${text.slice(0, longest).toWellFormed()}\n[cut]`
}
