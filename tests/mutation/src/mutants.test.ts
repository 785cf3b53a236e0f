import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mutantsOf } from './mutants.ts'
import { filesOf, parts } from './parts.ts'
import { interval95, type JudgedMutant, judgementOf, sampleOf } from './score.ts'

const repository = join(import.meta.dirname, '../../..')
const changed = (text: string, file = 'a.ts') =>
  mutantsOf(file, text).map(({ kind, source }) => `${kind}: ${source}`)

test.each([
  ['if (a) b = c', ['condition: if (true) b = c', 'condition: if (false) b = c', 'statement: if (a) ;']],
  ['const x = a && b', ['logic: const x = (a || b)']],
  ['const x = a ?? b', ['default: const x = a']],
  ['const x = a < b', ['operator: const x = a <= b']],
  ['const x = a === b', ['operator: const x = a !== b']],
  ['const x = !a', ['negation: const x = a']],
  ['const x = [a, b]', ['element: const x = [b]', 'element: const x = [a]']],
  ['const x = a.some(b)', ['method: const x = a.every(b)']],
  ['const x = a.filter(b)', ['method: const x = a']],
  ["const x = ['ask', 'deny'].at(b)", expect.arrayContaining(["word: const x = ['deny', 'deny'].at(b)"])],
  ['const f = () => a', ['body: const f = () => undefined as never']],
  ['function f() { return true }', ['body: function f() {}', 'literal: function f() { return false }']],
])('makes one fault at a time in %s', (text, expected) => {
  expect(changed(text)).toEqual(expected)
})

test.each(["type A = 'ask' | 'deny'", "import { a } from 'b'", "const x = 'A sentence for people.'"])(
  'leaves alone what does not decide anything: %s',
  (text) => {
    expect(changed(text)).toEqual([])
  },
)

test('mutates the rules of a bundled file, but not their names and comments', () => {
  const text = 'const x = { text: `// a && b\n@id("a&&b")\nforbid (p)\nwhen { context.tier >= 4 };` }'
  expect(changed(text, 'policy/bundled/a.ts').map((one) => one.split(': ')[0])).toEqual([
    'rule effect',
    'rule condition',
    'rule operator',
  ])
})

test('chooses the same sample for the same seed and never one mutant twice', () => {
  const all = Array.from({ length: 50 }, (_, index) => index)
  expect(sampleOf(all, 20, 7)).toEqual(sampleOf(all, 20, 7))
  expect(sampleOf(all, 20, 7)).not.toEqual(sampleOf(all, 20, 8))
  expect(new Set(sampleOf(all, 60, 7)).size).toBe(50)
})

test('gives an interval that admits how little a small sample says', () => {
  const [low, high] = interval95(10, 10)
  expect(low).toBeCloseTo(0.722, 2)
  expect(high).toBe(1)
})

test('has no judgement about a mutant that does not exist', () => {
  const judged = JSON.parse(
    readFileSync(join(repository, 'tests/mutation/equivalent.json'), 'utf8'),
  ) as JudgedMutant[]
  const all = parts
    .flatMap((part) => filesOf(part, repository))
    .flatMap((file) => mutantsOf(file, readFileSync(join(repository, file), 'utf8')))
  const met = new Set(all.map((mutant) => judgementOf(mutant, judged)))
  expect(judged.filter((one) => !met.has(one))).toEqual([])
})
