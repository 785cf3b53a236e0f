/** Owns what a text is made of: words, sentences, lines. */

export function wordsIn(text: string): string[] {
  return text.match(/[\p{L}\p{N}]+(?:['’_-][\p{L}\p{N}]+)*/gu) ?? []
}

export function countText(text: string) {
  const words = wordsIn(text).length
  const lines = text === '' ? [] : text.split(/\r\n|\n|\r/)
  return {
    words,
    characters: text.length,
    charactersWithoutSpaces: text.replace(/\s/g, '').length,
    sentences: sentencesIn(text),
    lines: lines.length,
    paragraphs: paragraphsIn(lines),
    readingMinutes: Math.ceil(words / 200),
  }
}

function sentencesIn(text: string): number {
  const pieces = text.split(/(?<![.!?…。！？])[.!?…。！？]+(?=["'”’)\]\s]|$)|[。！？]/u)
  return pieces.filter((piece) => /[\p{L}\p{N}]/u.test(piece)).length
}

function paragraphsIn(lines: readonly string[]): number {
  return lines.filter(
    (line, index) => line.trim() !== '' && (index === 0 || (lines[index - 1] ?? '').trim() === ''),
  ).length
}
