import { secretHandle, usedSecrets } from '@countersign/contract'
import { expect, test } from 'vitest'
import { toFacts } from '../definition.ts'
import { builtinTools } from '../index.ts'

const search = facts('search_web')
const brave = ['brave_search']

function facts(name: string) {
  const found = builtinTools.find((tool) => tool.name === name)
  if (!found) throw new Error(`There is no ${name}.`)
  return toFacts(found)
}

const args = (more: object = {}) =>
  JSON.stringify({ query: 'boats', maxResults: 10, provider: 'brave', ...more })

test('the key of the search service is no use of a secret', () => {
  expect(usedSecrets(search, args(), brave)).toEqual([])
})

test('it is one where the arguments say the address', () => {
  expect(usedSecrets(search, args({ endpoint: 'https://elsewhere.example' }), brave)).toEqual(brave)
})

test('it is one where the arguments name it', () => {
  expect(usedSecrets(search, args({ query: secretHandle('brave_search') }), brave)).toEqual(brave)
})

test('another secret beside it stays one', () => {
  expect(usedSecrets(search, args(), ['brave_search', 'bank'])).toEqual(['bank'])
})

test('a tool that goes wherever it is told has no service of its own', () => {
  const told = JSON.stringify({ url: 'https://api.search.brave.com', method: 'GET' })
  expect(usedSecrets(facts('http_request'), told, brave)).toEqual(brave)
  expect(usedSecrets(undefined, told, brave)).toEqual(brave)
})
