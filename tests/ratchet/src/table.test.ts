import { expect, test } from 'vitest'
import { type CountedAct, type Counts, countsOf, middle, total } from './measures.ts'
import { differences, parseTable, type Table, writeTable } from './table.ts'

const ten = countsOf(() => 10)
const table: Table = {
  tolerance: { ...countsOf(() => 0), bytes: 0.05 },
  journeys: new Map([['a message', { ...ten, bytes: 1_000 }]]),
}
const counted = (changed: Partial<Counts>, acts: readonly CountedAct[] = []) => [
  { name: 'a message', counts: { ...ten, bytes: 1_000, ...changed }, acts },
]

test('says nothing while every number is the one of the table', () => {
  expect(differences(table, counted({}))).toEqual([])
})

test('one statement more names the journey, both numbers, what is done and how to update', () => {
  const acts: CountedAct[] = [
    { measure: 'statements', text: 'commit', by: 1 },
    { measure: 'statements', text: 'select 1', by: 1 },
    { measure: 'statements', text: 'select 1', by: 1 },
    { measure: 'parses', text: 'kernel/src/kernel.ts', by: 1 },
  ]
  expect(differences(table, counted({ statements: 11 }, acts))).toEqual([
    'For a message, statements went from 10 in the table to 11. Find out why; if it is meant, run UPDATE_GOLDEN=1 pnpm exec vitest run tests/ratchet and say in the commit what it buys. What is done:\n       2  select 1\n       1  commit',
  ])
})

test('one signature less asks for a lower table', () => {
  expect(differences(table, counted({ signatures: 9 }))).toEqual([
    'For a message, signatures went from 10 in the table to 9. That is better: lower the table with UPDATE_GOLDEN=1 pnpm exec vitest run tests/ratchet',
  ])
})

test('bytes may differ by their tolerance, and not by more', () => {
  expect(differences(table, counted({ bytes: 1_050 }))).toEqual([])
  expect(differences(table, counted({ bytes: 950 }))).toEqual([])
  expect(differences(table, counted({ bytes: 1_051 }))).toHaveLength(1)
  expect(differences(table, counted({ bytes: 949 }))).toHaveLength(1)
})

test('a journey without a row and a row without a journey are differences', () => {
  const [other] = counted({}).map((journey) => ({ ...journey, name: 'a call' }))
  expect(differences(table, other ? [other] : [])).toEqual([
    expect.stringContaining('has no row for a call'),
    expect.stringContaining('has a row for a message, which nobody counts'),
  ])
})

test('what is written reads back, with the tolerance, and keeps numbers that are within it', () => {
  const text = writeTable(table, counted({ bytes: 1_040, rows: 12 }))
  const read = parseTable(text)
  expect(read.tolerance).toEqual(table.tolerance)
  expect(read.journeys.get('a message')).toEqual({ ...ten, bytes: 1_000, rows: 12 })
})

test('refuses a table with other columns or without a number', () => {
  const text = writeTable(table, counted({}))
  expect(() => parseTable(text.replace('parses', 'guesses'))).toThrow('other columns')
  expect(() => parseTable(text.replace('1000', 'many'))).toThrow('says many for bytes')
})

test('deeds add up by measure, and the middle of three rounds is taken', () => {
  const acts: CountedAct[] = [
    { measure: 'rows', text: 'countersign.runs', by: 2 },
    { measure: 'rows', text: 'countersign.calls', by: 1 },
  ]
  expect(total(acts)).toEqual({ ...countsOf(() => 0), rows: 3 })
  expect(middle([{ ...ten, rows: 12 }, ten, { ...ten, rows: 11 }])).toEqual({ ...ten, rows: 11 })
})
