/** Owns the moment in which the page gets its language: before anything of the app is loaded. */
import { translations } from '../words/translations.ts'
import { chooseLanguage } from './choose-language.ts'
import { speak } from './current.ts'

export async function speakAs(wanted: readonly string[], page: HTMLElement): Promise<void> {
  const { language, locale } = chooseLanguage(wanted, Object.keys(translations))
  try {
    speak({ locale, catalogues: (await translations[language]?.()) ?? {} })
    page.lang = language
  } catch (error) {
    console.warn(`The words in ${language} could not be loaded. The page is in English.`, error)
  }
}
