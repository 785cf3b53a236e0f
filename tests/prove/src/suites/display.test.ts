import { expect, it } from 'vitest'
import { createRandom } from '../../../../packages/executor/src/testing/random.ts'
import { dangerIn, hasLongBlank, unescaped } from './display/reading.ts'
import { familyNames, hosts, plainTexts, spoofs } from './display/strings.ts'

it('makes strings of every family, the same for a seed', () => {
  const made = spoofs(familyNames.length * 3, createRandom(5))
  expect(new Set(made.map(({ family }) => family)).size).toBe(familyNames.length)
  expect(spoofs(familyNames.length * 3, createRandom(5))).toEqual(made)
  expect(new Set(spoofs(1_000, createRandom(6)).map(({ text }) => text)).size).toBeGreaterThan(600)
})

it('reads danger in what is hidden, and none in ordinary texts', () => {
  for (const hidden of [
    'a\u202eb',
    'a\u200bb',
    '\u001b[2J',
    'a\u2028b',
    '\ud800',
    '\u{e0041}',
    'a\ufe0f',
    ' \u0338',
  ])
    expect(dangerIn(hidden)).not.toBeNull()
  expect(dangerIn(`a${'\u0301'.repeat(6)}`)).not.toBeNull()
  for (const plain of plainTexts) expect([plain, dangerIn(plain)]).toEqual([plain, null])
  expect([hasLongBlank(`a${'\u00a0'.repeat(9)}b`), hasLongBlank(`a${' '.repeat(8)}b`)]).toEqual([true, false])
})

it('tells the text from its escapes', () => {
  expect(unescaped('a⟨U+202E⟩b⟨␠×3⟩c⟨␤×2⟩d⟨U+00A0×2⟩e⟨x⟩')).toBe('a\u202eb   c\n\nd\u00a0\u00a0e⟨x⟩')
})

it('makes hosts that imitate others, and honest ones', () => {
  const made = hosts(40, createRandom(3))
  expect(made.filter(({ warns }) => !warns)).toHaveLength(10)
  for (const { host, warns } of made) if (warns) expect(host).toMatch(/\p{Script=Cyrillic}/u)
})
