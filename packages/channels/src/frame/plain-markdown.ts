/**
 * Owns how markdown is shown where there is only text: a link shows its words and where it leads, and marks are those
 * that people type themselves. Code stays as it is. Pure.
 */

/** Blocks of code, code in a line, links and pictures, bold, struck through: whichever comes first. */
const parts =
  /(```[\s\S]*?(?:```|$)|`[^`\n]+`)|!?\[([^[\]\n]*)\]\( ?<?([^\s()<>]*(?:\([^\s()]*\)[^\s()<>]*)*)>?(?: "[^"\n]*")? ?\)|\*\*([^*\n]+)\*\*|~~([^~\n]+)~~/g

export function plainMarkdown(markdown: string): string {
  return markdown.replaceAll(
    parts,
    (all: string, code?: string, words?: string, target?: string, bold?: string, gone?: string) => {
      if (code !== undefined) return code
      if (bold !== undefined) return `*${bold}*`
      if (gone !== undefined) return `~${gone}~`
      if (target === undefined || target === '') return words ?? all
      return words === undefined || words.trim() === '' || words === target ? target : `${words} (${target})`
    },
  )
}
