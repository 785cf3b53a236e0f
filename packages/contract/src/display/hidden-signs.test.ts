import { describe, expect, test } from 'vitest'
import { holdsHiddenSigns, holdsHiddenSignsWithin } from './hidden-signs.ts'

describe('signs that nobody sees', () => {
  test.each([
    ['a control', 'a\u001b[2K'],
    ['a null', 'a\0'],
    ['a carriage return in a line', 'seen\rhidden'],
    ['a mark of direction', 'a\u202eb'],
    ['a joiner', 'a\u200db'],
    ['a filler', 'a\u3164b'],
    ['selectors that spell a message', 'a\ufe00\ufe01'],
    ['selectors beyond those', 'a\u{e0101}'],
    ['two selectors behind an emoji', '❤\ufe0f\ufe0f'],
    ['a tag', 'a\u{e0041}'],
    ['a lone surrogate', 'a\ud800'],
  ])('are %s', (_, text) => {
    expect(holdsHiddenSigns(text)).toBe(true)
    expect(holdsHiddenSignsWithin({ a: [{ [text]: 1 }] })).toBe(true)
    expect(holdsHiddenSignsWithin({ a: [{ b: text }] })).toBe(true)
  })

  test.each([
    'two\nlines\tand a tab',
    'lines\r\nof a file',
    'Grüße, 世界',
    'e\u0301',
    '❤\ufe0f and 1\ufe0f\u20e3',
    '',
  ])('are not in %j', (text) => {
    expect(holdsHiddenSigns(text)).toBe(false)
    expect(holdsHiddenSignsWithin({ [text]: [text, 1, null, true] })).toBe(false)
  })
})
