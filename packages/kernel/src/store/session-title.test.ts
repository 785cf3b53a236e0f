import { expect, it } from 'vitest'
import { sessionTitle } from './session-title.ts'

it.each([
  ['Tidy the folder.', 'Tidy the folder.'],
  ['  first line \nsecond line', 'first line'],
  ['x'.repeat(80), 'x'.repeat(80)],
  ['x'.repeat(81), `${'x'.repeat(79)}…`],
  [`${'word '.repeat(15)}documents and archives`, `${'word '.repeat(15).trim()}…`],
  [`${'x'.repeat(78)}😀 and more`, `${'x'.repeat(78)}…`],
  ['', ''],
])('calls %j %j', (words, title) => {
  expect(sessionTitle(words)).toBe(title)
  expect(title.isWellFormed()).toBe(true)
})
