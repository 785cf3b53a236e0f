import { expect, it } from 'vitest'
import { table } from './table.ts'

const header = ['Name', 'Address', 'State']
const rows = [
  ['anthropic', 'https://api.anthropic.com/v1', 'ok'],
  ['local', '', 'off'],
]

it('stands side by side where there is room, and through a pipe', () => {
  const wide = [
    'Name       Address                       State',
    'anthropic  https://api.anthropic.com/v1  ok',
    'local                                    off',
  ].join('\n')
  expect(table(header, rows, 80)).toBe(wide)
  expect(table(header, rows, undefined)).toBe(wide)
})

it('stands one below the other where there is none, and leaves out what is empty', () => {
  expect(table(header, rows, 40)).toBe(
    [
      'anthropic',
      '  Address  https://api.anthropic.com/v1',
      '  State    ok',
      '',
      'local',
      '  State  off',
    ].join('\n'),
  )
})

it('leaves out a column that nothing stands in', () => {
  expect(table(header, [['local', '', 'off']], 80)).toBe('Name   State\nlocal  off')
})

it('breaks a long value between words, and keeps a long word whole', () => {
  expect(table(['Name', 'Why'], [['local', 'it did not answer for a while']], 22)).toBe(
    ['local', '  Why  it did not', '       answer for a', '       while'].join('\n'),
  )
  expect(table(['Name', 'Address'], [['local', 'https://a.very.long.example/v1']], 20)).toBe(
    'local\n  Address  https://a.very.long.example/v1',
  )
})

it('one long column goes on below itself before anything is stacked', () => {
  const text = table(
    ['Entry', 'When', 'What happened'],
    [['#40', '19:41', 'The agent assistant used move_file: Moved recipe.md to Documents/recipe.md.']],
    48,
  )
  expect(text).toMatchInlineSnapshot(`
    "Entry  When   What happened
    #40    19:41  The agent assistant used
                  move_file: Moved recipe.md to
                  Documents/recipe.md."
  `)
  expect(table(['Name', 'Address'], [['a', `https://example.org/${'x'.repeat(60)}`]], 48)).toContain(
    '\n  Address',
  )
})
