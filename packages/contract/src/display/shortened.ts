/** Owns how a text that is too long is cut: at its end, with a sign that it was. */

export function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest - 1).toWellFormed()}…` : text
}
