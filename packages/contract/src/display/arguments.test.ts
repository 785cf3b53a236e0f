import { expect, it } from 'vitest'
import { argumentLines, argumentsToRead } from './arguments.ts'

const shown = (value: object) =>
  argumentLines(JSON.stringify(value)).map(({ path, text }) => `${path}: ${text}`)

it('shows every value under the path that leads to it', () => {
  expect(shown({ a: 'x', b: { c: [1, { d: null }], e: [] }, f: {}, g: true })).toEqual([
    'a: x',
    'b.c[0]: 1',
    'b.c[1].d: null',
    'b.e: []',
    'f: {}',
    'g: true',
  ])
  expect(shown({})).toEqual([])
})

it('shows what would hide, and text that is no object as it is', () => {
  expect(shown({ 'a\u202e': 'x\ny' })).toEqual(['a⟨U+202E⟩: x⟨U+000A⟩y'])
  expect(argumentLines('not json').map(({ text }) => text)).toEqual(['not json'])
})

it('folds a long value, says how long it is, and never cuts an escape', () => {
  const [line] = argumentLines(JSON.stringify({ a: `${'x'.repeat(158)}\u202e${'y'.repeat(40)}` }))
  expect(line).toMatchObject({ isFolded: true, text: `${'x'.repeat(158)}… (199 characters)` })
  expect(line?.whole).toContain('⟨U+202E⟩yyy')
})

it('names the folded values that the preview does not hold whole', () => {
  const long = 'word '.repeat(100)
  const args = JSON.stringify({ body: long, also: `${long}!` })
  const preview = { kind: 'text' as const, title: 'Body', text: long }
  expect(argumentsToRead({ args, preview }).map(({ path }) => path)).toEqual(['also'])
})
