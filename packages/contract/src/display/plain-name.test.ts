import { expect, it } from 'vitest'
import { isPlainName, readsAlike } from './plain-name.ts'

it.each(['laptop', 'Büro', 'Студия', '工作室', 'Anna’s Mac', 'laptop-2', 'studio (attic)', 'Oma’s Gerät №1'])(
  '%s is plain',
  (name) => expect(isPlainName(name)).toBe(true),
)

it.each([
  ['a Cyrillic letter', 'l\u0430ptop'],
  ['nothing but Cyrillic letters that are drawn like Latin ones', '\u0455\u0441\u043e'],
  ['a space without width', 'lap\u200btop'],
  ['a sign that turns the text round', 'laptop\u202e'],
  ['a wide letter', '\uff4captop'],
  ['a mark beside its letter', 'Bu\u0308ro'],
  ['a line', 'laptop\n'],
])('%s is not', (_, name) => expect(isPlainName(name)).toBe(false))

it('tells names apart by their letters and numerals', () => {
  for (const other of ['laptop', 'Laptop', 'lap top', 'lap-top', 'laptop.', ' laptop'])
    expect(readsAlike('laptop', other), other).toBe(true)
  for (const other of ['laptop 2', 'läptop', 'desktop', ''])
    expect(readsAlike('laptop', other), other).toBe(false)
  expect(readsAlike('🏠', '🚗')).toBe(false)
})
