import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { ExtensionIndex, IndexEntry, searchIndex } from './extension-index.ts'

const docs = '../../../docs/operators'

test('the schema for those who host an index says what is accepted', () => {
  const schema = readFileSync(new URL(`${docs}/extension-index.schema.json`, import.meta.url), 'utf8')
  expect(JSON.parse(schema)).toEqual(z.toJSONSchema(ExtensionIndex, { io: 'input' }))
})

test('the example for those who host an index is one, and is searched by words', () => {
  const text = readFileSync(new URL(`${docs}/extension-index.md`, import.meta.url), 'utf8')
  const [, example = ''] = /```json\n(.*?)```/s.exec(text) ?? []
  const { entries } = ExtensionIndex.parse(JSON.parse(example))
  expect(searchIndex(entries, ['letters', 'club']).map(({ kind }) => kind)).toEqual(['skill'])
  expect(searchIndex(entries, ['club', 'server']).map(({ name }) => name)).toEqual(['tickets'])
  expect(searchIndex(entries, ['nothing'])).toEqual([])
})

test('what is named first has the word in its name', () => {
  const source = { kind: 'address' as const, url: 'https://a.example/' }
  const entries = [
    { name: 'one', kind: 'server' as const, description: 'Reads mail.', source },
    { name: 'mail', kind: 'server' as const, description: 'Sends.', source },
  ]
  expect(searchIndex(entries, ['mail']).map(({ name }) => name)).toEqual(['mail', 'one'])
})
test('names the publisher of a skill and of nothing else', () => {
  const entry = {
    name: 'tickets',
    description: 'Opens tickets.',
    source: { kind: 'address', url: 'https://a.example/' },
    publisher: `${'A'.repeat(43)}=`,
  }
  expect(IndexEntry.safeParse({ ...entry, kind: 'skill' }).success).toBe(true)
  expect(IndexEntry.safeParse({ ...entry, kind: 'server' }).error?.issues).toMatchObject([
    { path: ['publisher'], message: 'only a skill is signed by its publisher' },
  ])
})
