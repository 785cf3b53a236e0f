import { expect, it } from 'vitest'
import { oneRow, rowsOf } from './rows.ts'

it.each([
  ['', 1],
  ['abc', 1],
  ['abcdefghij', 1],
  ['abcdefghijk', 2],
  ['abc\ndef', 2],
  ['abc\n', 2],
  ['\n\n', 3],
  ['日本語日本', 1],
  ['a日本語日本', 2],
  ['a\tb', 1],
  ['abcdefgh\tbc', 2],
])('counts the rows of %j in a terminal of ten columns', (text, rows) => {
  expect(rowsOf(text, 10)).toBe(rows)
})

it('keeps a line on one row', () => {
  expect(oneRow('abcdefghij', 10)).toBe('abcdefghij')
  expect(oneRow('abcdefghijk', 10)).toBe('abcdefghi…')
  expect(oneRow('日本語日本語', 10)).toBe('日本語日…')
})
