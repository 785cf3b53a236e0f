/** Owns which language a browser gets: the first of its own that the app has, else English. Pure. */

export interface LanguageChoice {
  readonly language: string
  readonly locale: string
}

/** `wanted` in the order of the browser's settings; `translated` has every language but English. */
export function chooseLanguage(wanted: readonly string[], translated: readonly string[]): LanguageChoice {
  const known = ['en', ...translated]
  for (const locale of wanted) {
    const [language = ''] = locale.toLowerCase().split('-')
    if (known.includes(language) && isLocale(locale)) return { language, locale }
  }
  return { language: 'en', locale: 'en' }
}

function isLocale(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}
