/** Owns what is read aloud of a reply: its words, without the marks that are there for the eye. */

/** Code is not read: nobody follows it by ear. */
export function spokenText(markdown: string): string {
  return markdown
    .replaceAll(/^ {0,3}(`{3,}|~{3,})[^\n]*\n[\s\S]*?(?:^ {0,3}\1[^\n]*$|$(?![\s\S]))/gm, '')
    .replaceAll(/!\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1')
    .replaceAll(/\[\^[^\]]+\]:?/g, '')
    .replaceAll(/<[^>\n]{1,200}>/g, '')
    .replaceAll(/^ *\|?(?: *:?-{2,}:? *\|)+ *:?-*:? *$/gm, '')
    .replaceAll(/^ *\|(.*)\| *$/gm, (_, row: string) => row.replaceAll('|', ', '))
    .replaceAll(/^ {0,3}(?:#{1,6} +|> ?|[-*+] +(?:\[[ xX]\] +)?)/gm, '')
    .replaceAll(/^ *(?:[-*_] *){3,}$/gm, '')
    .replaceAll(/(\*\*|__|~~|`)/g, '')
    .replaceAll(/(?<![\p{L}\p{N}])[*_](\S(?:[^*_\n]*\S)?)[*_](?![\p{L}\p{N}])/gu, '$1')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/ ?\n ?/g, '\n')
    .replaceAll(/\n{2,}/g, '\n')
    .trim()
}

/** Pieces of at most so many characters, which end with a line, else with a sentence, else with a word. */
export function spokenPieces(text: string, most: number): string[] {
  const pieces: string[] = []
  let left = text
  while (left.length > most) {
    const head = left.slice(0, most)
    const end =
      [head.lastIndexOf('\n'), head.lastIndexOf('. ') + 1, head.lastIndexOf(' ')].find(
        (at) => at > most / 4,
      ) ?? most
    pieces.push(left.slice(0, end).trim())
    left = left.slice(end).trim()
  }
  return [...pieces, left].filter((piece) => piece !== '')
}
