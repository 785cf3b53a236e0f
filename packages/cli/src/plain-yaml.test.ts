import { describe, expect, test } from 'vitest'
import { readPlainYaml } from './plain-yaml.ts'

const valueOf = (text: string) => {
  const read = readPlainYaml(text)
  if (read.kind === 'problem') throw new Error(`line ${read.line} ${read.reason}`)
  return read.value
}

describe('plain YAML', () => {
  test('is read as maps, lists and values', () => {
    expect(
      valueOf(`# answers
you:
  name: "Ana"
safety:
  choice: boundaries   # the default
  monthlyUsd: 5.5
recipes:
  recipes:
    - id: brief
      status: paused
    - id: tidy
skip:
  - reach
  - keep
on: true
nothing:
`),
    ).toEqual({
      you: { name: 'Ana' },
      safety: { choice: 'boundaries', monthlyUsd: 5.5 },
      recipes: { recipes: [{ id: 'brief', status: 'paused' }, { id: 'tidy' }] },
      skip: ['reach', 'keep'],
      on: true,
      nothing: null,
    })
  })

  test('an empty text says nothing', () => expect(valueOf('\n# only a remark\n')).toEqual({}))

  test.each([
    ['a: {b: 1}', 1],
    ['a: |\n  text', 1],
    ['a: &x 1', 1],
    ['a: 1\na: 2', 2],
    ['a: 1\n   b: 2', 2],
    ['just words', 1],
    ['a:\n\tb: 1', 2],
    ['  a: 1\nb: 2', 2],
  ])('refuses %j by its line', (text, line) => {
    expect(readPlainYaml(text)).toMatchObject({ kind: 'problem', line })
  })
})
