/** Owns when two texts say the same in the same words. Case, spacing and the marks around words do not count. */

/** Equal for two texts exactly when they have the same words in the same order. */
export function wordsKey(text: string): string {
  return wordsIn(text).join(' ')
}

/** True when the few words stand in the text one after the other, as whole words. */
export function holdsWords(text: string, words: string): boolean {
  const key = wordsKey(words)
  return key !== '' && ` ${wordsKey(text)} `.includes(` ${key} `)
}

/** Marks inside a word stay: 3.5 is not 35, and re-sign is not resign. */
export function wordsIn(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s+/u)
    .map((word) => word.replaceAll(/^[^\p{L}\p{N}+#€$£%]+|[^\p{L}\p{N}+#€$£%]+$/gu, ''))
    .filter((word) => word !== '')
}
