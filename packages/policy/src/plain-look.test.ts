import { describe, expect, test } from 'vitest'
import { decide } from './decide.ts'
import { factsOf } from './judge.ts'
import { lookOf, mostLooks } from './plain-look.ts'
import { nothingKnown, taskFactsOf } from './task-facts.ts'
import type { CallInTask, TaskSoFar } from './task-so-far.ts'
import { autonomies, effect, file, setOf, url } from './testing/calls.ts'
import { newTask, ownCall } from './testing/tasks.ts'

const page = { ...url('GET'), redirects: 'same-host' as const }
const fetching = effect({ verb: 'fetch', scope: 'boundary', leaves: ['the address'] })
const look: CallInTask = {
  tool: { name: 'fetch_web_page' },
  args: { url: 'https://example.org/a/page' },
  effects: [fetching],
  resources: [page],
  label: { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] },
  ...ownCall,
}
const read = (text: string, args = '{"url":"https://other.example/"}') => ({
  ...newTask,
  read: [{ args, text }],
})
const typed = (...said: string[]) => ({ ...newTask, said })
const at = (address: string): CallInTask => ({ ...look, args: { url: address } })
const isLook = (call: CallInTask, soFar: TaskSoFar) => taskFactsOf(call, soFar).look

describe('an address', () => {
  test('that the operator typed is a look, with whatever stands in it', () => {
    expect(isLook(look, typed('Read https://example.org/a/page.'))).toBe(true)
    const query = 'https://example.org/?token=abcdefghijklmnopqrstuvwxyz'
    expect(isLook(at(query), typed(`See ${query}`))).toBe(true)
    expect(isLook(look, newTask)).toBe(false)
  })

  test('that was found is a look at any host, while it has no query', () => {
    expect(isLook(look, read('See https://example.org/a/page, and more'))).toBe(true)
    const query = 'https://example.org/a/page?x=1'
    expect(isLook(at(query), read(`${query} and more`))).toBe(false)
  })

  test.each([
    'https://example.org/a/pages',
    'https://example.org/a/page/more',
    'https://example.org/a/page?x=1',
    'https://example.org/a/page%20x',
    'xhttps://example.org/a/page',
    'https://other.example/https://example.org/a/page',
    'https://example.org/a/page.html',
  ])('is not found as a part of %s', (text) => {
    expect(isLook(look, read(text))).toBe(false)
  })

  test.each([
    'See https://example.org/a/page\n\n[20 characters more; call again with from: 400.]',
    'See https://example.org/a/page\n\n[The page goes on, but only its beginning could be read.]',
    'See https://example.org/a/page\n[cut]',
    'See https://example.org/a/page...',
    'See https://example.org/a/page…',
    'See https://example.org/a/pageé',
  ])('is not found where it may have been cut: %j', (text) => {
    expect(isLook(look, read(text))).toBe(false)
  })

  test.each([
    '{"url":"https://shop.example/(https://example.org/a/page"}',
    '{"url":"https://shop.example/?next=HTTPS%3A%2F%2FEXAMPLE.ORG%2Fa%2Fpage"}',
    '{"url":"https://shop.example/%2565xample.org"}',
    '{"query":"\\"https://example.org/a/page"}',
    '{"endpoint":{"of":["example.org"]}}',
  ])('is not found where its host was in a call: %s', (args) => {
    const soFar = read('See https://example.org/a/page, and more')
    expect(isLook(look, { ...soFar, read: [...soFar.read, { args, text: 'Not found' }] })).toBe(false)
  })

  test('is found beside calls to its own host', () => {
    const soFar = read('See https://example.org/a/page, and more', '{"url":"https://example.org/"}')
    expect(isLook(look, soFar)).toBe(true)
  })

  test.each(['"', "'", '<', '\\', '`', '{', ' '])('with %j in it is no look', (sign) => {
    expect(lookOf(at(`https://example.org/a${sign}b`))).toBeUndefined()
  })

  test('is not found where a tool repeats what it was called with', () => {
    const text = 'Nothing was found for https://example.org/a/page.'
    expect(isLook(look, read(text, '{"query":"https://example.org/a/page"}'))).toBe(false)
    expect(isLook(look, read(text, '{"query":"pages"}'))).toBe(true)
  })

  test('with a query is a look where it was found, at a host that was typed or visited, without a token', () => {
    const address = 'https://example.org/list?page=2'
    expect(isLook(at(address), { ...read(`${address} and more`), said: ['Look at example.org'] })).toBe(true)
    expect(isLook(at(address), { ...read(`${address} and more`), visited: new Set(['example.org']) })).toBe(
      true,
    )
    expect(isLook(at(address), { ...newTask, visited: new Set(['example.org']) })).toBe(false)
    const token = 'https://example.org/confirm?t=abcdefghij0123456789'
    expect(isLook(at(token), { ...read(`${token} and more`), visited: new Set(['example.org']) })).toBe(false)
  })

  test('that was made up is a look at a host that the operator typed, short and without a query', () => {
    expect(isLook(look, typed('What does example.org say?'))).toBe(true)
    expect(isLook(at('https://example.org/a?b=c'), typed('example.org'))).toBe(false)
    expect(isLook(at(`https://example.org/${'a'.repeat(79)}`), typed('example.org'))).toBe(true)
    expect(isLook(at(`https://example.org/${'a'.repeat(80)}`), typed('example.org'))).toBe(false)
  })

  test.each<[string, boolean, string]>([
    ['faq', true, ''],
    ['prices/half-day', true, ''],
    ['precos/meio-dia', true, 'What do rooms cost in Porto?'],
    ['guimaraes/timetable', false, 'Trains from Guimarães, please.'],
    ['timetableguimaraes', false, 'Trains from Guimarães, please.'],
    ['list-2', false, 'The first 2 of them.'],
    ['one/two/three/four/five/six', true, ''],
    ['one/two/three/four/five/six/seven', false, ''],
    ['mueller/weissstrasse', false, 'Müller, Weißstraße'],
    ['sorensen', false, 'Ask Sørensen.'],
    ['Faq', false, ''],
    ['faq;x', false, ''],
    ['-.-~.-', false, ''],
    ['p%CC%80rices', false, ''],
    ['f/a/q', false, ''],
    ['0123456789abcdefg', false, ''],
    ['faq?page=2', false, ''],
  ])('that was made up at a visited host, %s: %s after “%s”', (path, isFree, said) => {
    const soFar = { ...newTask, said: [said], visited: new Set(['example.org']) }
    expect(isLook(at(`https://example.org/${path}`), soFar)).toBe(isFree)
    expect(isLook(at(`https://elsewhere.example/${path}`), soFar)).toBe(false)
  })

  test('that was made up at a visited host has no word of the operator’s, whatever the page says', () => {
    const soFar = {
      ...read('guimaraes a b c d e f'),
      said: ['From Guimarães'],
      visited: new Set(['example.org']),
    }
    for (const path of ['guimaraes', 'g/u/i', 'from/here']) {
      expect(isLook(at(`https://example.org/${path}`), soFar)).toBe(false)
    }
    const plain = at('https://example.org/faq')
    expect(isLook(plain, { ...soFar, looks: mostLooks / 2 - 1 })).toBe(true)
    expect(isLook(plain, { ...soFar, looks: mostLooks / 2 })).toBe(false)
  })

  test.each([
    'www.example.org',
    'example.organic',
    'my-example.org',
    'example.org.evil',
    'me@example.org',
    'example.org:8080',
    'xéexample.org',
    'https://good.example/?next=example.org',
    'https://good.example/?next=https://example.org/a/page',
    'notes/example.org',
  ])('is not typed by %s', (words) => {
    expect(isLook(look, typed(words))).toBe(false)
  })

  test.each([
    ['Write summary.md', 'https://summary.md/x'],
    ['fix deploy.sh', 'https://deploy.sh/x'],
    ['what is on my nas?', 'http://nas/x'],
    ['upgrade to 8.4.3.1', 'http://8.4.3.1/x'],
    ['schau auf müller.de nach', 'https://ller.de/x'],
  ])('is not typed by %j at %s', (words, address) => {
    const { hostname: host, protocol } = new URL(address)
    const scheme = protocol === 'http:' ? 'http' : 'https'
    const resource = { ...page, host, scheme, port: scheme === 'http' ? 80 : 443 } as const
    expect(isLook({ ...at(address), resources: [resource] }, typed(words))).toBe(false)
  })

  test.each([
    'example.org',
    'Look at Example.org.',
    '(example.org)',
    'example.org/prices',
    'https://example.org/x',
  ])('is typed by %s', (words) => {
    expect(isLook(look, typed(words))).toBe(true)
  })
})

describe('the weather', () => {
  const clean: CallInTask['label'] = { integrity: 'operator', confidentiality: 'public', sources: [] }
  const places = { ...page, host: 'geocoding-api.open-meteo.com', redirects: 'refused' } as const
  const weather: CallInTask = {
    ...look,
    label: clean,
    tool: { name: 'get_weather' },
    args: { location: 'Lisbon', units: 'metric', plan: 'free' },
    resources: [places, { ...places, host: 'api.open-meteo.com' }],
    secrets: [],
  }

  test('is a look like a search, by the name of a place', () => {
    expect(isLook(weather, newTask)).toBe(true)
    expect(isLook({ ...weather, tool: { name: 'get_weather_forecast' } }, newTask)).toBe(true)
    expect(isLook({ ...weather, args: { ...weather.args, location: 'x'.repeat(121) } }, newTask)).toBe(false)
  })

  test('asks from a run that knows something private', () => {
    expect(isLook({ ...weather, label: { ...clean, confidentiality: 'private' } }, newTask)).toBe(false)
  })

  test('asks for words that nobody said once strangers were read', () => {
    const label = { ...clean, integrity: 'untrusted' } as const
    expect(isLook({ ...weather, label }, typed('weather in Lisbon?'))).toBe(true)
    expect(isLook({ ...weather, label }, typed('weather in Porto?'))).toBe(false)
    const country = { ...weather.args, country: 'ZW' }
    expect(isLook({ ...weather, label, args: country }, typed('weather in Lisbon?'))).toBe(false)
  })

  test('asks at any other address, and with any other secret', () => {
    const elsewhere = { ...weather.args, endpoint: 'https://api.open-meteo.com' }
    expect(isLook({ ...weather, args: elsewhere }, newTask)).toBe(false)
    for (const other of [
      { ...places, host: 'api.open-meteo.com.evil.example' },
      { ...places, method: 'POST' },
      { ...places, port: 8443 },
      { ...places, carries: 'more' },
    ] as const)
      expect(isLook({ ...weather, resources: [places, other] }, newTask)).toBe(false)
    expect(isLook({ ...weather, resources: [] }, newTask)).toBe(false)
    expect(isLook({ ...weather, uses: ['bank'] }, newTask)).toBe(false)
  })
})

describe('a search', () => {
  const search: CallInTask = {
    ...look,
    tool: { name: 'search_web' },
    args: { query: 'pond liner price', provider: 'brave', maxResults: 5 },
    secrets: ['brave_search'],
  }
  const clean: CallInTask['label'] = { integrity: 'operator', confidentiality: 'public', sources: [] }

  test('is a look at a service that the operator has a key for, in few words', () => {
    expect(isLook({ ...search, label: clean }, newTask)).toBe(true)
    expect(isLook({ ...search, label: clean, secrets: [] }, newTask)).toBe(false)
    expect(isLook({ ...search, label: clean, uses: ['brave_search'] }, newTask)).toBe(false)
    const endpoint = { ...search.args, endpoint: 'https://example.org' }
    expect(isLook({ ...search, label: clean, args: endpoint }, newTask)).toBe(false)
    const words = (length: number) => ({ ...search.args, query: 'a'.repeat(length) })
    expect(isLook({ ...search, label: clean, args: words(120) }, newTask)).toBe(true)
    expect(isLook({ ...search, label: clean, args: words(121) }, newTask)).toBe(false)
  })

  test('has only words that were said or read, once strangers were read', () => {
    expect(isLook(search, newTask)).toBe(false)
    expect(isLook(search, typed('A Pond, and a LINER at what price?'))).toBe(true)
    expect(isLook(search, { ...read('liner and price'), said: ['pond'] })).toBe(true)
    expect(isLook(search, typed('ponds, liner, price'))).toBe(false)
    const letters = { ...search, args: { ...search.args, query: 'b l u e 4 7' } }
    expect(isLook(letters, newTask)).toBe(false)
  })
})

describe('a look', () => {
  const soFar = typed('https://example.org/a/page')

  test('is one of at most so many in a task', () => {
    expect(isLook(look, { ...soFar, looks: mostLooks - 1 })).toBe(true)
    expect(isLook(look, { ...soFar, looks: mostLooks })).toBe(false)
  })

  test('is none once the task has reached the operator’s own network', () => {
    expect(isLook(look, { ...soFar, wasInside: true })).toBe(false)
  })

  test.each<[string, Partial<CallInTask>]>([
    ['from a run that knows something private', { label: { ...look.label, confidentiality: 'private' } }],
    ['from a run that knows a secret', { label: { ...look.label, confidentiality: 'secret' } }],
    ['that nobody watches', { unattended: true }],
    ['in work that was handed on', { firstHand: false }],
    ['that a schedule asked for', { requester: { kind: 'schedule', id: 's' } }],
    ['that a peer asked for', { requester: { kind: 'peer', id: 'p' } }],
    ['that a webhook asked for', { requester: { kind: 'webhook', id: 'w' } }],
    ['with a secret', { secrets: ['mine'] }],
    ['that uses a secret', { secrets: ['mine'], uses: ['mine'] }],
    ['in the browser', { tool: { name: 'browser_navigate' } }],
    ['that keeps what it finds', { tool: { name: 'download_file' } }],
    ['with another method', { resources: [{ ...page, method: 'POST' }] }],
    ['with headers or a body', { resources: [{ ...page, carries: 'more' }] }],
    ['at an inner address', { resources: [{ ...page, addressClass: 'private' }] }],
    ['at this machine', { resources: [{ ...page, addressClass: 'loopback' }] }],
    ['at an odd port', { resources: [{ ...page, port: 8443 }] }],
    ['at a host that is not the one of its address', { resources: [{ ...page, host: 'evil.example' }] }],
    ['at two hosts', { resources: [page, page] }],
    ['beside a file', { resources: [page, file('write')] }],
    ['at nothing', { resources: [] }],
    ['that others see', { effects: [{ ...fetching, outward: true }] }],
    ['that cannot be undone', { effects: [{ ...fetching, reversible: false }] }],
    ['that sends', { effects: [effect({ verb: 'send' })] }],
    ['without effects', { effects: [] }],
    ['with a name in its address', { args: { url: 'https://me:word@example.org/a/page' } }],
    ['without an address', { args: {} }],
  ])('is none %s', (_why, change) => {
    expect(lookOf({ ...look, ...change })).toBeUndefined()
    expect(isLook({ ...look, ...change }, soFar)).toBe(false)
  })

  const kindsAt = (change: Partial<CallInTask>, isOne: boolean, identityFlags = false) => {
    const {
      args: _args,
      firstHand: _firstHand,
      inReader: _inReader,
      uses,
      tool,
      ...call
    } = { ...look, ...change }
    const declared = { name: tool.name, category: 'web', floor: 2 as const, declaresEffects: true }
    const task = { ...nothingKnown, look: isOne }
    const facts = factsOf({ ...call, tool: declared, secrets: uses, identityFlags, task })
    return autonomies.map((autonomy) => {
      const set = setOf(autonomy)
      const { kind, reason } = decide({ ...facts, granted: null }, set)
      set.dispose()
      return kind === 'allow' ? reason : kind
    })
  }
  const why = 'Allowed: looking at a public page, with nothing private in reach.'

  test('runs from medium on, and says why', () => {
    expect(kindsAt({}, true)).toEqual(['ask', 'ask', why, why, why])
    expect(kindsAt({}, false)).toEqual(['ask', 'ask', 'ask', 'ask', 'ask'])
  })

  test('asks where something private is in reach or a name deceives, whatever the task says', () => {
    for (const confidentiality of ['private', 'secret'] as const)
      expect(kindsAt({ label: { ...look.label, confidentiality } }, true)[2]).toBe('ask')
    expect(kindsAt({ uses: ['mine'] }, true)[2]).toBe('ask')
    expect(kindsAt({}, true, true)).toEqual(['ask', 'ask', 'ask', 'ask', 'ask'])
  })
})
