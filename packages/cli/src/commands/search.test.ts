import { stripVTControlCharacters } from 'node:util'
import type { SearchAnswer } from '@countersign/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createContext, type OptionValues } from '../context.ts'
import { written } from '../output/answer.ts'
import { usualFlags } from '../testing/flags.ts'
import { type FakeGateway, fakeGateway } from '../testing/gateway.ts'
import { type TestHome, testHome, testHost } from '../testing/home.ts'
import { search } from './search.ts'

let home: TestHome
let gateway: FakeGateway
let found: SearchAnswer
let asked: Readonly<Record<string, string>>[]
beforeEach(async () => {
  home = testHome()
  gateway = await fakeGateway(home.paths, home.establish())
  asked = []
  found = { hits: [], wordsAlone: null }
  gateway.models.answer = ({ path, query }) => {
    if (path !== '/v1/search') return undefined
    asked.push(query)
    return found
  }
})
afterEach(async () => {
  await gateway.close()
  home.remove()
})

async function run(words: string, options: OptionValues = {}) {
  const host = testHost({
    home,
    WebSocket: gateway.WebSocket,
    values: { NO_COLOR: '1', TERM: 'dumb' },
    clock: () => new Date('2026-08-01T12:00:00.000Z'),
  })
  const context = createContext(host, usualFlags)
  const answer = await search(context, [words], options)
  const { output, errors } = written(answer, false)
  return stripVTControlCharacters(output + errors)
}

test('shows what was found, where it is, and whose words it has', async () => {
  found = {
    hits: [
      {
        collection: 'conversations',
        source: 'ses_1/7',
        title: 'The \u001b[31mboat',
        text: 'It lies at\nthe pier',
        at: '2026-07-31T12:00:00.000Z',
        score: 0.812,
        label: { integrity: 'untrusted', confidentiality: 'private', sources: ['example.org'] },
      },
    ],
    wordsAlone: null,
  }
  const text = await run('where is the boat', { in: 'conversations', limit: '3' })
  expect(asked).toEqual([{ q: 'where is the boat', in: 'conversations', limit: '3' }])
  expect(text).toContain('fit 0.81, words of others (example.org)')
  expect(text).toContain('countersign session thread ses_1')
  expect(text).not.toContain('\u001b')
})

test('says how to search by meaning where words answered alone', async () => {
  found = { hits: [], wordsAlone: 'no model' }
  const text = await run('boat')
  expect(text).toContain('Nothing matches “boat”')
  expect(text).toContain('countersign provider add local-embeddings')
})

test.each([
  ['', {}],
  ['boat', { limit: '0' }],
  ['boat', { limit: '51' }],
  ['boat', { limit: 'many' }],
])('refuses %j with %j before anybody is asked', async (words, options) => {
  expect(await run(words, options)).toMatch(/--limit is a number|Say what/)
  expect(asked).toEqual([])
})
