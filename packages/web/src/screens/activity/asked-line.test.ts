import { expect, test } from 'vitest'
import { askedLine } from './asked-line.ts'

test('shows line ends as spaces', () => {
  expect(askedLine('Read\n\nthis ')).toBe('Read this')
})

test('writes out what would turn the text around', () => {
  expect(askedLine('a\u202eb')).toBe('a⟨U+202E⟩b')
})
