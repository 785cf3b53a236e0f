/** Owns what a conversation is called before anybody gives it a name. */

/** In characters. */
const longest = 80

/** The first line, cut between words where it is too long, and then it shows that it was cut. */
export function sessionTitle(words: string): string {
  const line = (words.split('\n', 1)[0] ?? '').trim()
  if (line.length <= longest) return line
  const cut = line.slice(0, longest - 1)
  const end = cut.lastIndexOf(' ')
  const kept = end > longest / 2 ? cut.slice(0, end) : cut
  // Half of a character that takes two places is none.
  return `${kept.replace(/[\uD800-\uDBFF]$/, '').trimEnd()}…`
}
