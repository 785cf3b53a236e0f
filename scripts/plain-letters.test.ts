import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { inPlainLetters } from './plain-letters.ts'

test('a program says the same in letters of one byte', () => {
  const code =
    "// für\nconst größe = /[Ā-ſ😀]/u; [größe.test('ą'), größe.test('😀'), größe.test('a'), `…${'ß'}`, 'a\\n']"
  const plain = inPlainLetters(code)
  expect(plain).toMatch(/^[\0-\x7f]*$/)
  const run = (text: string): unknown => structuredClone(runInNewContext(text))
  expect(run(plain)).toEqual(run(code))
  expect(run(plain)).toEqual([true, true, false, '…ß', 'a\n'])
})
