import { describe, expect, test } from 'vitest'
import { steadyRows } from './steady-order.ts'

const keyOf = (value: string) => value
const free = (values: readonly string[]) => steadyRows([], values, keyOf, false)

describe('a list that somebody points at', () => {
  test('is in its own order while nobody does', () => {
    const rows = steadyRows(free(['a', 'b']), ['b', 'c', 'a'], keyOf, false)
    expect(rows.map(({ key }) => key)).toEqual(['b', 'c', 'a'])
  })

  test('keeps every place, and what is new goes to the end', () => {
    const rows = steadyRows(free(['a', 'b']), ['c', 'b', 'a'], keyOf, true)
    expect(rows.map(({ key }) => key)).toEqual(['a', 'b', 'c'])
  })

  test('leaves the place of what is gone, so that nothing moves up under the pointer', () => {
    const rows = steadyRows(free(['a', 'b']), ['b'], keyOf, true)
    expect(rows.map(({ key, gone }) => [key, gone])).toEqual([
      ['a', true],
      ['b', false],
    ])
    expect(steadyRows(rows, ['b'], keyOf, false).map(({ key }) => key)).toEqual(['b'])
  })
})
