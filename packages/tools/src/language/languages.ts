/** Owns the languages that can be named, by their code or by their name in English. */

/** Those of ISO 639-1 that are living languages of some size. */
const codes =
  `af am ar az be bg bn bs ca cs cy da de el en eo es et eu fa fi fr ga gl gu ha he hi hr hu hy id ig is it ja jv ka
  kk km kn ko ku ky la lb lo lt lv mg mi mk ml mn mr ms mt my nb ne nl nn pa pl ps pt ro ru rw sd si sk sl so sq sr st su sv sw ta
  te tg th tk tl tr tt ug uk ur uz vi xh yi yo zh zu`.split(/\s+/)

export interface SpokenLanguage {
  readonly code: string
  readonly name: string
}

const names = new Intl.DisplayNames('en', { type: 'language' })

export const languages: readonly SpokenLanguage[] = codes.map((code) => ({
  code,
  name: names.of(code) ?? code,
}))

/** By a code, also with a region as in `pt-BR`, or by a name. */
export function languageNamed(text: string): SpokenLanguage | undefined {
  const wanted = text.trim().toLowerCase()
  const found = languages.find(({ code, name }) => code === wanted || name.toLowerCase() === wanted)
  if (found) return found
  const [, base = '', region = ''] = /^([a-z]{2})[-_]([a-z]{2})$/.exec(wanted) ?? []
  if (!languages.some(({ code }) => code === base)) return undefined
  const code = `${base}-${region.toUpperCase()}`
  const name = names.of(code)
  return name === undefined || name === code ? undefined : { code, name }
}

export function unknownLanguage(text: string): string {
  return `There is no language “${text}” here. Name one as “German” or “de”; list_languages has all.`
}
