import { expect, test } from 'vitest'
import { isKept, missingKeys, missingKeyText } from './needed-key.ts'

test('a key is kept by its name, by a field of it, or by a label', () => {
  expect(isKept('mail', ['mail'])).toBe(true)
  expect(isKept('mail', ['mail.password'])).toBe(true)
  expect(isKept('mail', ['mail-work'])).toBe(true)
  expect(isKept('mail', ['mailbox', 'e-mail', ''])).toBe(false)
})

test('says what is missing and the command for each, and nothing where nothing is', () => {
  expect(missingKeys(['weather', 'maps'], ['maps'])).toEqual(['weather'])
  expect(missingKeyText([])).toBe('')
  expect(missingKeyText(['weather'])).toBe(
    'The secret weather is missing. The operator adds it with `countersign secret set weather --host <host>`.',
  )
  expect(missingKeyText(['a', 'b'])).toContain('The secrets a, b are missing.')
})
