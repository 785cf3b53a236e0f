import { describe, expect, test } from 'vitest'
import { columns, indent, widthOf } from './columns.ts'
import { wrap } from './wrap.ts'

const sentence =
  'Together with the reference week you would be asked 286 times, and every one of these entries is kept in the ledger.'

describe.each([80, 110])('at %i columns', (width) => {
  test('no word is cut and no row is wider', () => {
    const rows = wrap(sentence, width).split('\n')
    expect(rows.length).toBeGreaterThan(1)
    expect(Math.max(...rows.map(widthOf))).toBeLessThanOrEqual(width)
    expect(rows.join(' ')).toBe(sentence)
  })

  test('a column goes on below itself', () => {
    const [first = '', second = ''] = wrap(columns([['Model', sentence]]), width).split('\n')
    expect(first.startsWith('Model  Together')).toBe(true)
    expect(second).toMatch(/^ {7}\S/)
  })

  test('somebody else’s text never comes to the margin', () => {
    for (const row of wrap(indent(sentence, '  │ '), width).split('\n'))
      expect(row.startsWith('  │ ')).toBe(true)
    for (const row of wrap(indent(sentence), width).split('\n')) expect(row.startsWith('  ')).toBe(true)
  })

  test('what stands behind a mark goes on behind it', () => {
    for (const row of wrap(`✓ ${sentence}  undo`, width).split('\n').slice(1)) expect(row).toMatch(/^ {2}\S/)
  })

  test('painting takes no room', () => {
    const painted = sentence.replaceAll('the', '\u001b[1mthe\u001b[0m')
    expect(wrap(painted, width).split('\n').length).toBe(wrap(sentence, width).split('\n').length)
  })

  test('a word that is longer than the row stays whole', () => {
    const address = `https://example.org/${'x'.repeat(width)}`
    expect(wrap(`See ${address} there`, width)).toBe(`See\n${address}\nthere`)
  })
})

test('through a pipe nothing is broken', () => {
  expect(wrap(sentence, undefined)).toBe(sentence)
})

test('what ends in a mark goes on below where it began, not at the margin', () => {
  const rows = wrap(`19:41  “${sentence}”  #14`, 80).split('\n')
  for (const row of rows.slice(1)) expect(row).toMatch(/^ {7}\S/)
})

test('keeps a number with its unit', () => {
  expect(wrap('Disk  79 GB free; the database takes 58 kB, rest 58 kB', 42)).toBe(
    'Disk  79 GB free; the database takes\n      58 kB, rest 58 kB',
  )
  expect(wrap('They are 12 bees, and all of them hum 3 songs', 40)).toBe(
    'They are 12 bees, and all of them hum 3\nsongs',
  )
})
