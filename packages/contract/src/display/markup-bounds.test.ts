import { expect, test } from 'vitest'
import { isBeyondMarkup } from './markup-bounds.ts'

test.each([
  ['quotes', '>'.repeat(5_000)],
  ['lists on one line', '- '.repeat(1_000)],
  [
    'lists below each other',
    Array.from({ length: 300 }, (_, depth) => `${' '.repeat(depth * 2)}- a`).join('\n'),
  ],
  ['numbered lists', '1. '.repeat(1_000)],
  ['emphasis in emphasis', '*a _b '.repeat(5_000) + '_ *'.repeat(5_000)],
  ['a run of stars', `${'*'.repeat(20_000)}a`],
  ['half an address', `${'a.'.repeat(10_000)}@`],
  ['length', 'a '.repeat(200_000)],
])('refuses what would hold a reader of Markdown up: %s', (_, text) => {
  expect(isBeyondMarkup(text)).toBe(true)
})

test.each([
  ['a rule', '-'.repeat(200)],
  ['a table', `| a | b |\n|${'-'.repeat(80)}|---|\n`],
  ['a list in a list in a quote', '> - one\n>   - two\n>     1. three'],
  ['indented code', `${' '.repeat(80)}return 1`],
])('takes what people write: %s', (_, text) => {
  expect(isBeyondMarkup(text)).toBe(false)
})
