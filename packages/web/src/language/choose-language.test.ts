import { expect, test } from 'vitest'
import { chooseLanguage, wantedLanguages } from './choose-language.ts'

test('takes the first language of the browser that there is', () => {
  expect(chooseLanguage(['fr-FR', 'de-AT', 'en-GB'], ['de'])).toEqual({ language: 'de', locale: 'de-AT' })
  expect(chooseLanguage(['en-GB', 'de'], ['de'])).toEqual({ language: 'en', locale: 'en-GB' })
})

test('speaks English where it knows none of them', () => {
  expect(chooseLanguage(['fr', 'ja-JP'], ['de'])).toEqual({ language: 'en', locale: 'en' })
  expect(chooseLanguage([], ['de'])).toEqual({ language: 'en', locale: 'en' })
})

test('does not take a language whose name only begins alike, nor what is no locale', () => {
  expect(chooseLanguage(['den-CA'], ['de']).language).toBe('en')
  expect(chooseLanguage(['de-!'], ['de']).locale).toBe('en')
})

test('what a person chose comes before what the browser says', () => {
  const chosen = (language: string, browser: string[]) =>
    chooseLanguage(wantedLanguages(language, browser), ['de'])
  expect(chosen('de', ['en-GB', 'de-AT'])).toEqual({ language: 'de', locale: 'de-AT' })
  expect(chosen('de', ['fr'])).toEqual({ language: 'de', locale: 'de' })
  expect(chosen('en', ['de-DE'])).toEqual({ language: 'en', locale: 'en' })
  expect(chosen('browser', ['de-DE'])).toEqual({ language: 'de', locale: 'de-DE' })
})
