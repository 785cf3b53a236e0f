/**
 * Owns which forms of an English word count as one: numbers of a noun, tenses of a verb, and the two spellings. A stem
 * is for comparing only and need not be a word.
 */

const plural = /(?:(?<=[a-z]{2})ies|(?<=s|x|z|ch|sh)es|(?<=[^suaio])s|(?<=[aio])s)$/
const vowel = /[aeiouy]/

export function stemOf(word: string): string {
  if (word.length < 4 || /\d/.test(word))
    return word.length === 3 && /[^su]s$/.test(word) ? word.slice(0, -1) : word
  const singular = word.replace(plural, (ending) => (ending === 'ies' ? 'y' : ''))
  const present = withoutTense(singular)
  return present
    .replace(/(?<=\w[^aeiou])(?:ation|ator|ate)$/, '')
    .replace(/(?<=\w{2}[st])ion$/, '')
    .replace(/(?<=\w{3})ly$/, '')
    .replace(/our(?=$|it)/, 'or')
    .replace(/is(?=e?$)/, 'iz')
    .replace(/(?<=\w[tb])re$/, 'er')
    .replace(/(?<=\w{2})e$/, '')
    .replace(/(?<=\w{2})y$/, 'i')
}

function withoutTense(word: string): string {
  const bare = /^(.{2,})(?:ing|ed)$/.exec(word)?.[1]
  if (bare === undefined || !vowel.test(bare)) return word
  if (/([bdfgmnprt])\1$/.test(bare)) return bare.slice(0, -1)
  return /[^aeiou]at$/.test(bare) ? `${bare}e` : bare
}
