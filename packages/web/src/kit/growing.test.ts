import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { grownFor, useGrowing } from './growing.tsx'

function drawn(count: number, at?: number): { rows: number; offersMore: boolean } {
  const rows = Array.from({ length: count }, (_, place) => place)
  function List() {
    const { shown, more } = useGrowing(rows, (row) => row === at)
    return createElement(
      'section',
      null,
      shown.map((row) => createElement('i', { key: row })),
      more,
    )
  }
  const page = renderToStaticMarkup(createElement(List))
  return { rows: page.split('<i>').length - 1, offersMore: page.includes('<button') }
}

test('what is short is drawn whole, and offers no more', () => {
  expect(drawn(50)).toEqual({ rows: 50, offersMore: false })
})

test('of ten thousand only the first are drawn, with a way to the next', () => {
  expect(drawn(10_000)).toEqual({ rows: 50, offersMore: true })
})

test('the row after the last that is drawn brings the next ones', () => {
  expect(drawn(10_000, 50).rows).toBe(100)
  expect(grownFor(100, 99)).toBe(100)
  expect(grownFor(100, 100)).toBe(150)
})

test('a current row far behind does not bring all before it', () => {
  expect(drawn(10_000, 9_000).rows).toBe(50)
})
