import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { bands, labelStep, margin, valueScale } from './axis.ts'
import { momentFigures, momentWords } from './figures.ts'
import Lines from './lines.tsx'
import { nextOf } from './pointed.tsx'
import { highest, largest, type Moment, runningTotal, type Series } from './series.ts'
import { height } from './size.ts'
import { sparkPoints } from './sparkline.tsx'
import StackedBars from './stacked-bars.tsx'
import { nearest, placeOf, type StripPart } from './strip.tsx'

const series: readonly Series[] = [
  { key: 'a', label: 'Model A', shade: 'red' },
  { key: 'b', label: 'Model B', shade: 'blue' },
]
const moments: readonly Moment[] = [
  { key: '1', label: 'Nov 1', values: { a: 1, b: 2 } },
  { key: '2', label: 'Nov 2', values: { a: 3 } },
  { key: '3', label: 'Nov 3', values: { a: 2 }, expected: true },
]
const write = (value: number) => `$${value.toFixed(2)}`

test('a scale begins at zero and ends at a round number above the highest value', () => {
  const { y, ticks } = valueScale(3.7)
  expect(y(0)).toBe(height - margin.bottom)
  expect(ticks[0]).toBe(0)
  expect(ticks.at(-1)).toBeGreaterThanOrEqual(3.7)
  expect(y(3.7)).toBeGreaterThanOrEqual(margin.top)
})

test('a scale without any value has its zero line and no invented ticks', () => {
  expect(valueScale(0).ticks).toEqual([0])
  expect(valueScale(1, true).ticks).toEqual([0, 1])
})

test('the limit is on the picture, also when nothing comes near it', () => {
  expect(highest(moments, 40)).toBe(40)
  expect(highest(moments)).toBe(3)
})

test('every place on the picture belongs to the bar that stands there', () => {
  const places = bands(30, 600)
  for (let index = 0; index < 30; index++) expect(places.at(places.x(index) + places.width / 2)).toBe(index)
  expect(places.at(-50)).toBe(0)
  expect(places.at(5_000)).toBe(29)
})

test('labels keep apart on a phone', () => {
  expect(labelStep(31, 326)).toBeGreaterThanOrEqual(6)
  expect(labelStep(7, 1_000)).toBe(1)
})

test('a running total counts each series on, and stays when a day has none', () => {
  expect(runningTotal(moments).map(({ values }) => values)).toEqual([
    { a: 1, b: 2 },
    { a: 4, b: 2 },
    { a: 6, b: 2 },
  ])
})

test('what is small is put together, and nothing is lost', () => {
  const totals = new Map(['p', 'q', 'r', 's'].map((key, index) => [key, index]))
  expect(largest(totals, 3)).toEqual({ shown: ['s', 'r'], rest: ['q', 'p'] })
  expect(largest(totals, 4).rest).toEqual([])
})

test('the table has every figure of the picture, and says what is a forecast', () => {
  expect(momentFigures({ momentTitle: 'Day', series, moments, write })).toEqual({
    columns: ['Day', 'Model A', 'Model B', 'Total'],
    rows: [
      ['Nov 1', '$1.00', '$2.00', '$3.00'],
      ['Nov 2', '$3.00', '', '$3.00'],
      ['Nov 3 (forecast)', '$2.00', '', '$2.00'],
    ],
  })
  expect(momentWords(moments[0], series, write)).toBe('Nov 1: $3.00 (Model A $1.00, Model B $2.00)')
})

test.each([
  ['bars', StackedBars],
  ['lines', Lines],
])('%s are drawn with their table for readers, and can be focused', (_, chart) => {
  const page = renderToStaticMarkup(
    createElement(chart, { title: 'Spending', momentTitle: 'Day', series, moments, write }),
  )
  expect(page).toContain('<table')
  expect(page).toContain('<caption>Spending</caption>')
  expect(page).toContain('$2.00')
  expect(page).toContain('Show as table')
})

test('text from outside is never drawn raw in a table', () => {
  const hostile = [{ key: 'x', label: 'ev\u202Eil', shade: 'red' }]
  const page = renderToStaticMarkup(
    createElement(StackedBars, { title: 'Spending', momentTitle: 'Day', series: hostile, moments, write }),
  )
  expect(page).not.toContain('\u202E')
})

test('arrow keys walk through the moments and stop at the ends', () => {
  expect(nextOf('ArrowRight', null, 3)).toBe(0)
  expect(nextOf('ArrowRight', 2, 3)).toBe(2)
  expect(nextOf('ArrowLeft', null, 3)).toBe(2)
  expect(nextOf('End', 0, 3)).toBe(2)
  expect(nextOf('Escape', 1, 3)).toBeNull()
  expect(nextOf('a', 1, 3)).toBeUndefined()
  expect(nextOf('ArrowRight', null, 0)).toBeUndefined()
})

test('a sparkline stays in its box, also when all is zero', () => {
  expect(sparkPoints([0, 0], 10, 10)).toBe('1,8 9,8')
  expect(sparkPoints([1, 2, 4], 10, 10)).toBe('1,6.5 5,5 9,2')
})

test('a strip cuts what began before it', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 1, hour))
  expect(placeOf({ from: at(0), to: at(12) }, at(6), at(18))).toEqual({ start: 0, size: 50 })
  expect(placeOf({ from: at(20), to: at(22) }, at(6), at(18))).toEqual({ start: 100, size: 0 })
})

test('a click on a strip means the nearest part that leads somewhere', () => {
  const at = (hour: number) => new Date(Date.UTC(2026, 10, 3, hour))
  const part = (key: string, from: number, to: number, href?: string): StripPart => ({
    key,
    from: at(from),
    to: at(to),
    kind: 'work',
    label: key,
    href,
  })
  const parts = [part('early', 1, 2, '/a'), part('mark', 11, 11), part('late', 20, 21, '/b')]
  expect(nearest(parts, at(0), at(24), 46)?.key).toBe('late')
  expect(nearest(parts, at(0), at(24), 6)?.key).toBe('early')
  expect(nearest([parts[1] as StripPart], at(0), at(24), 46)).toBeUndefined()
})
