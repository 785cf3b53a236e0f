/** Owns which language a browser gets: the first of its own that the app has, else English. Pure. */

export interface LanguageChoice {
  readonly language: string
  readonly locale: string
}

/** What the person chose comes first, as spoken where they live if the browser says so. */
export function wantedLanguages(chosen: string, browser: readonly string[]): readonly string[] {
  if (chosen === 'browser') return browser
  const spoken = browser.filter((locale) => locale.toLowerCase().split('-')[0] === chosen)
  return [...spoken, chosen, ...browser]
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
