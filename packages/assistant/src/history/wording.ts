/** Owns what is done to words before they are searched, compared or put into a prompt. Pure. */

const longestWord = 60

/** Without case, marks and signs, so that two ways of writing one thing are equal. */
export function normalised(text: string): string {
  return normalisedWords(text).join(' ')
}

/** The words of a text, in order. What no person writes as a word, such as a key or a blob, is left out. */
export function normalisedWords(text: string): string[] {
  const found = text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}\p{M}]+/gu)
  return (found ?? []).filter((word) => word.length <= longestWord)
}

/** One line without tags: nothing in it can pass for a part of the prompt that it is put into. */
export function plainLine(text: string): string {
  return withoutTags(text)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** The same with its line breaks. */
export function withoutTags(text: string): string {
  return text
    .replaceAll(/<\/?[a-zA-Z][^<>]{0,200}>/g, ' ')
    .replaceAll('<', '‹')
    .replaceAll('>', '›')
}

/** Whole words where that is possible. */
export function beginning(text: string, longest: number): string {
  if (text.length <= longest) return text
  const cut = text.slice(0, longest - 1).toWellFormed()
  const space = cut.lastIndexOf(' ')
  return `${space > longest / 2 ? cut.slice(0, space) : cut}…`
}

/** A period after a short name is taken for an abbreviation, as in “Dr. Weber”, and so is one before a small letter. */
export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?…]["”']?)(?<!(?:^|\s)\p{Lu}\p{L}{0,3}\.)\s+(?=["“'(]?[\p{Lu}\p{N}\p{Lo}])|(?<=[。！？])/u)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '')
}
