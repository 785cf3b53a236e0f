import { expect, it } from 'vitest'
import { changesOnlyWords } from './package-json.ts'

const json = (fields: object) => JSON.stringify({ name: 'a', scripts: { test: 'vitest' }, ...fields })

it('lets words of a package change', () => {
  expect(changesOnlyWords(json({}), json({ description: 'New.', version: '2.0.0' }))).toBe(true)
  expect(changesOnlyWords('{}', '{"name":"a","private":true}')).toBe(true)
})

it.each([
  ['a script', json({ scripts: { test: 'vitest', postinstall: 'x' } })],
  ['a dependency', json({ dependencies: { a: '1' } })],
  ['a program', json({ bin: 'x.js' })],
  ['a field that it does not know', json({ husky: {} })],
  ['a text that is not JSON', '{'],
  ['a name twice', '{"name":"a","scripts":{"test":"vitest"},"scripts":{"install":"x"}}'],
  ['a list', '[]'],
])('takes %s for a change', (_, after) => expect(changesOnlyWords(json({}), after)).toBe(false))
