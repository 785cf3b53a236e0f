import type { JsonObject, Label } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { decide } from './decide.ts'
import { factsOf } from './judge.ts'
import { mostLooks } from './plain-look.ts'
import { mostQuestions, mostReaderLooks } from './reader.ts'
import { nothingKnown, taskFactsOf } from './task-facts.ts'
import type { CallInTask, TaskFacts, TaskSoFar } from './task-so-far.ts'
import { autonomies, effect, setOf, url } from './testing/calls.ts'
import { newTask, ownCall } from './testing/tasks.ts'

const clean: Label = { integrity: 'operator', confidentiality: 'public', sources: [] }
const knowing: Label = { integrity: 'tool', confidentiality: 'private', sources: [] }
const steered: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['mail'] }
const question: CallInTask = {
  tool: { name: 'read_web' },
  args: { question: 'What is the price of the Lumo 4 lamp?' },
  effects: [effect({ verb: 'fetch', scope: 'boundary', leaves: ['the question'] })],
  resources: [],
  label: knowing,
  ...ownCall,
}
const said = (...words: string[]): TaskSoFar => ({ ...newTask, said: words })
const mine = said('Find the price of the Lumo 4 lamp.')
const asking = (args: JsonObject) => ({ ...question, args })
const factsFor = (change: Partial<CallInTask>, soFar = mine) => taskFactsOf({ ...question, ...change }, soFar)

function kindsAt(call: CallInTask, task: TaskFacts) {
  const { args: _args, firstHand: _firstHand, inReader: _inReader, uses, tool, ...rest } = call
  const declared = { name: tool.name, category: 'web', floor: 2 as const, declaresEffects: true }
  const facts = factsOf({ ...rest, tool: declared, secrets: uses, identityFlags: false, task })
  return autonomies.map((autonomy) => {
    const set = setOf(autonomy)
    const { kind } = decide({ ...facts, granted: null }, set)
    set.dispose()
    return kind
  })
}

describe('a question in the operator’s own words', () => {
  test('opens a reader from a run that knows something private, also after strangers spoke', () => {
    for (const label of [knowing, steered]) {
      const task = factsFor({ label })
      expect(task).toEqual({ ...nothingKnown, question: true })
      expect(kindsAt({ ...question, label }, task)).toEqual(['ask', 'ask', 'allow', 'allow', 'allow'])
    }
  })

  test.each([
    ['a word that nobody said', { question: 'What is the price of the Lumo 4 lamp in Graz?' }],
    ['a number that nobody said', { question: 'Is the Lumo 4 lamp 49?' }],
    ['a part of a word', { question: 'What is the price of the Lum 4 lamp?' }],
    ['small words alone', { question: 'What is it?' }],
    [
      'an option that nobody said',
      { question: 'Lumo 4 lamp price', answer: { kind: 'one_of', options: ['price', 'Vera'] } },
    ],
    [
      'an option that is no text',
      { question: 'Lumo 4 lamp price', answer: { kind: 'one_of', options: [4] } },
    ],
    ['too many of them', { question: `${'lamp '.repeat(40)}lamp` }],
    ['no question', { question: 4 }],
  ])('is none with %s', (_, args) => {
    expect(taskFactsOf(asking(args as JsonObject), mine)).toEqual(nothingKnown)
    expect(kindsAt(question, nothingKnown)).toEqual(autonomies.map(() => 'ask'))
    expect(kindsAt({ ...question, label: steered }, nothingKnown)).toEqual(autonomies.map(() => 'ask'))
  })

  test.each<[string, Partial<CallInTask>]>([
    ['something derived from a secret', { label: { ...knowing, confidentiality: 'secret' } }],
    ['work that was handed on', { firstHand: false }],
    ['a run that nobody watches', { unattended: true }],
    ['a schedule', { requester: { kind: 'schedule', id: 's' } }],
    ['another tool', { tool: { name: 'http_request' } }],
    ['something that it touches', { resources: [url('GET')] }],
    ['a secret that goes along', { secrets: ['key'] }],
    ['an act that others see', { effects: [effect({ verb: 'send', outward: true })] }],
  ])('is none from %s', (_, change) => {
    expect(factsFor(change)).toEqual(nothingKnown)
  })

  test('is asked about after ten of them', () => {
    expect(factsFor({}, { ...mine, questions: mostQuestions - 1 }).question).toBe(true)
    expect(factsFor({}, { ...mine, questions: mostQuestions }).question).toBe(false)
  })

  test.each([
    ['letters of another form', 'Price of ＬＵＭＯ 4?'],
    ['letters of another case', 'PRICE of LUMO 4?'],
    ['a sign between words', 'price of the lamp ⡖⡥'],
    ['a mark within', 'price, lamp'],
    ['another space', 'price\u2003lamp'],
    ['two spaces', 'price  lamp'],
    ['a line', 'price\nlamp'],
    ['words that are joined to an address', 'lamp price at would.it/of/in'],
    ['a word more often than it was said', 'lamp lamp lamp'],
    ['small words as an alphabet', 'lamp the a of the a of the a of'],
  ])('is none with %s', (_, words) => {
    expect(taskFactsOf(asking({ question: words }), mine).question).toBe(false)
  })
})

describe('a question of a run that knows nothing private', () => {
  const free = (change: Partial<CallInTask> = {}, soFar = newTask) =>
    taskFactsOf({ ...question, label: clean, ...change }, soFar).look

  test('is free in any words, until strangers spoke', () => {
    expect(free()).toBe(true)
    expect(kindsAt({ ...question, label: clean }, { ...nothingKnown, look: true })[2]).toBe('allow')
    expect(free({ label: { ...clean, integrity: 'untrusted' } })).toBe(false)
    expect(free({ label: knowing })).toBe(false)
  })

  test('asks once the task was in the operator’s own network, and after many looks', () => {
    expect(free({}, { ...newTask, wasInside: true })).toBe(false)
    expect(free({}, { ...newTask, looks: mostLooks })).toBe(false)
  })
})

describe('a look of a reader', () => {
  const page = { ...url('GET'), redirects: 'same-host' as const }
  const looking: CallInTask = {
    ...question,
    tool: { name: 'fetch_web_page' },
    args: { url: 'https://example.org/a/page' },
    effects: [effect({ verb: 'fetch', scope: 'boundary', leaves: ['the address'] })],
    resources: [page],
    label: { integrity: 'untrusted', confidentiality: 'public', sources: ['web'] },
    firstHand: false,
    inReader: true,
  }
  const isFree = (change: Partial<CallInTask>, soFar = newTask) => {
    const { look, reader } = taskFactsOf({ ...looking, ...change }, soFar)
    expect(look).toBe(reader)
    return reader
  }
  const at = (address: string) => ({ args: { url: address } })

  test('is free at any public address, whoever asked, at every level', () => {
    for (const kind of ['operator', 'schedule', 'peer', 'webhook'] as const) {
      const call = { ...looking, requester: { kind, id: 'x' }, unattended: true }
      const task = taskFactsOf(call, newTask)
      expect(task).toEqual({ ...nothingKnown, look: true, reader: true })
      expect(kindsAt(call, task)).toEqual(autonomies.map(() => 'allow'))
    }
    expect(isFree(at('https://example.org/wiki/Convention_on_biological_diversity?page=2'))).toBe(true)
  })

  test('is free as a search with the key of the service', () => {
    const search = { tool: { name: 'search_web' }, args: { query: 'lamps' }, secrets: ['brave'] }
    expect(isFree(search)).toBe(true)
    expect(isFree({ ...search, args: { query: 'lamps', endpoint: 'https://mine.example' } })).toBe(false)
    expect(isFree({ ...search, uses: ['brave'] })).toBe(false)
  })

  test.each<[string, Partial<CallInTask>]>([
    ['with something private in reach', { label: knowing }],
    ['in the operator’s own network', { resources: [{ ...page, addressClass: 'private' }] }],
    ['on this computer', { resources: [{ ...page, addressClass: 'loopback' }] }],
    ['at another port', { resources: [{ ...page, port: 8080 }] }],
    ['that sends more than an address', { resources: [{ ...page, carries: 'more' }] }],
    ['with another method', { resources: [{ ...page, method: 'POST' }] }],
    ['with a secret', { secrets: ['key'], uses: ['key'] }],
    ['by another tool', { tool: { name: 'http_request' } }],
    ['that opens another reader', { tool: { name: 'read_web' }, args: question.args, resources: [] }],
    ['with a name in the address', { args: { url: 'https://me@example.org/a/page' } }],
  ])('is none %s', (_, change) => {
    expect(isFree(change)).toBe(false)
  })

  test('is none with a token, unless that was found or stands in the question', () => {
    const token = 'abcdefghijklmnopqrstuvwx'
    for (const address of [`https://example.org/?t=${token}`, `https://example.org/confirm/${token}`]) {
      expect(isFree(at(address))).toBe(false)
      expect(isFree(at(address), said(`What is at ${address}?`))).toBe(true)
      expect(isFree(at(address), { ...newTask, read: [{ args: '{}', text: `See ${address} now` }] })).toBe(
        true,
      )
    }
  })

  test('ends after fifty', () => {
    expect(isFree({}, { ...newTask, looks: mostReaderLooks - 1 })).toBe(true)
    expect(isFree({}, { ...newTask, looks: mostReaderLooks })).toBe(false)
  })
})
