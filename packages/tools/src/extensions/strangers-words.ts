/** Owns how words of a stranger stand on a card, so that none of them can pass for what we say. */

/** Each line behind a bar. */
export function barred(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `| ${line}`)
    .join('\n')
}

/** A name within a sentence of ours: in quotes where it could be a sentence itself. */
export function quotedName(name: string): string {
  return /^[\w.:/-]{1,128}$/.test(name) ? name : JSON.stringify(name)
}
