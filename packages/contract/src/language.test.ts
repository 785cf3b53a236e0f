import { expect, test } from 'vitest'
import { languageOf, plural } from './language.ts'

test('takes the first language of the header that exists', () => {
  expect(languageOf('de-AT')).toBe('de')
  expect(languageOf('fr-FR,fr;q=0.9,de;q=0.8,en;q=0.7')).toBe('de')
  expect(languageOf('de;q=0.3, en-GB;q=0.8')).toBe('en')
})

test('is English without a header, and where no language of it exists', () => {
  expect(languageOf(undefined)).toBe('en')
  expect(languageOf('')).toBe('en')
  expect(languageOf('fr, ja;q=0.5, *;q=0.1')).toBe('en')
})

test('does not take a language that is refused, or whose name only begins alike', () => {
  expect(languageOf('de;q=0, fr')).toBe('en')
  expect(languageOf('den-CA')).toBe('en')
})

test('a count gets the form and the figures of the language', () => {
  const forms = { one: '# call', other: '# calls' }
  expect(plural('en', 1, forms)).toBe('1 call')
  expect(plural('en', 1_204, forms)).toBe('1,204 calls')
  expect(plural('de', 1_204, { one: '# Aufruf', other: '# Aufrufe' })).toBe('1.204 Aufrufe')
})
