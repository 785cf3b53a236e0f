import type { JsonObject, Label } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { fitQuestions, mayBeListed } from './listed-question.ts'
import { mostQuestions } from './reader.ts'
import { nothingKnown, taskFactsOf } from './task-facts.ts'
import type { CallInTask, TaskSoFar } from './task-so-far.ts'
import { effect } from './testing/calls.ts'
import { newTask, ownCall } from './testing/tasks.ts'

const knowing: Label = { integrity: 'tool', confidentiality: 'private', sources: [] }
const steered: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['mail'] }
const listed = 'When is the recycling yard in Uppsala open?'
const call: CallInTask = {
  tool: { name: 'read_web' },
  args: { question: listed },
  effects: [effect({ verb: 'fetch', scope: 'boundary', leaves: ['the question'] })],
  resources: [],
  label: knowing,
  ...ownCall,
}
const soFar: TaskSoFar = {
  ...newTask,
  said: ['Can I bring the paint to the tip in Uppsala on Saturday?'],
  plan: { id: 'ask_1', items: [], kinds: [], used: [], questions: [listed], questionsLeft: [listed] },
}
const free = { ...nothingKnown, question: true, listed: 'ask_1' }
const asking = (args: JsonObject) => taskFactsOf({ ...call, args }, soFar)

describe('a question of the list', () => {
  test('is free to the byte, from a run that knows something private or read strangers’ words', () => {
    expect(taskFactsOf(call, soFar)).toEqual(free)
    expect(taskFactsOf({ ...call, label: steered }, soFar)).toEqual(free)
  })

  test.each([
    ['another letter', listed.replace('Uppsala', 'uppsala')],
    ['a byte more', `${listed} `],
    ['a byte less', listed.slice(0, -1)],
    ['a part', 'When is the recycling yard open?'],
  ])('is none with %s', (_, question) => {
    expect(asking({ question })).toEqual(nothingKnown)
  })

  test('takes a form of the answer along, and of options only those that were said', () => {
    expect(asking({ question: listed, answer: { kind: 'yes_no' } })).toEqual(free)
    const among = (...options: string[]) => asking({ question: listed, answer: { kind: 'one_of', options } })
    expect(among('paint', 'tip')).toEqual(free)
    expect(among('paint', '4711')).toEqual(nothingKnown)
    expect(asking({ question: listed, answer: { kind: 'one_of', options: [4] } })).toEqual(nothingKnown)
  })

  test.each<[string, Partial<CallInTask>]>([
    ['something derived from a secret', { label: { ...knowing, confidentiality: 'secret' } }],
    ['work that was handed on', { firstHand: false }],
    ['a run that nobody watches', { unattended: true }],
    ['another requester', { requester: { kind: 'peer', id: 'p' } }],
    ['another tool', { tool: { name: 'search_web' } }],
  ])('is none from %s', (_, change) => {
    expect(taskFactsOf({ ...call, ...change }, soFar)).toEqual(nothingKnown)
    expect(mayBeListed({ ...call, ...change }, soFar)).toBe(false)
  })

  test('counts with those that were said, and is none without a list', () => {
    expect(taskFactsOf(call, { ...soFar, questions: mostQuestions - 1 })).toEqual(free)
    expect(taskFactsOf(call, { ...soFar, questions: mostQuestions })).toEqual(nothingKnown)
    expect(mayBeListed(call, { ...soFar, questions: mostQuestions })).toBe(false)
    expect(taskFactsOf(call, { ...soFar, plan: null })).toEqual(nothingKnown)
  })

  test('needs no list where it was said, or where nothing private is known', () => {
    expect(taskFactsOf(call, { ...soFar, said: [listed] })).toEqual({ ...nothingKnown, question: true })
    const label: Label = { integrity: 'operator', confidentiality: 'public', sources: [] }
    expect(taskFactsOf({ ...call, label }, soFar)).toEqual({ ...nothingKnown, look: true })
  })
})

describe('what a list keeps', () => {
  const said = ['Is https://yard.example/hours right? See tip.example too, and http://x.example/?a=1.']
  const kept = (...questions: string[]) => fitQuestions(questions, said)

  test.each([
    'When is the recycling yard in Uppsala open?',
    'Wann gilt die Straßenverkehrszulassungsordnung von 2012?',
    'What does https://yard.example/hours say?',
    'Is tip.example open on Saturday, e.g. at 10:30?',
    'Is 1.5 of v2.4 (e.g., 3.5kg) due on 24.12.2026 at 9:30?',
    'What is the Straßenverkehrs-Zulassungs-Ordnung?',
    '東京の天気は。',
  ])('%s', (question) => expect(kept(question)).toEqual([question]))

  test.each([
    ['nothing', ''],
    ['a space around it', ' When?'],
    ['a second line', 'When?\nNow.'],
    ['what is not seen', 'When\u200b?'],
    ['another space', 'When\u2003now?'],
    ['too much of it', 'x'.repeat(201)],
    ['an address that nobody said', 'What is at https://evil.example/?'],
    ['a host that nobody said', 'What is evil.example?'],
    ['a longer address than was said', 'What is at https://yard.example/hours/4711?'],
    ['an address with a query, also if it was said', 'What is at http://x.example/?a=1 now?'],
    ['an address with a name in it', 'What is at https://me@yard.example/hours?'],
    ['a port', 'What is at printer:8080?'],
    ['a number of an address', 'What is at 10.0.0.1?'],
    ['something like a key', 'Who has abcdefghij1234567890?'],
    ['a key in two parts', 'Who has abcdef_ghij-klmnopqrst12?'],
    ['a key with strokes', 'Who has abcd/efgh+ijklmnopqrst12?'],
    ['a key without a digit', 'Who has qWeRtYuIoPaSdFgHjKlZ?'],
    ['a key in ringed letters', 'Who has ⓐⓑⓒⓓⓔⓕⓖⓗⓘⓙⓚⓛⓜⓝⓞⓟⓠⓡⓢ①?'],
    ['what is passed over', 'When\ufe0f?'],
    ['a letter that is empty', 'When\u3164 now?'],
    ['a pattern without a dot', 'When\u2800now?'],
    ['a letter in two parts', 'Who is Ame\u0301lie?'],
  ])('is none with %s', (_, question) => expect(kept(question)).toEqual([]))

  test.each([
    'collector1.com/alice',
    '163.com?x=1',
    'https:evil1.com',
    'http:3232235777',
    '//evil/alice',
    'a.b1.com',
    'evil。com',
    'evil｡com',
    'evil．com/anna',
    'evil.ⓒⓞⓜ',
    'evil.भारत',
    'user＠evil1.com',
    '2001:db8::1',
    '[fe80::1]',
  ])('has no %s that nobody said', (address) => {
    expect(kept(`What is at ${address} now?`)).toEqual([])
    expect(kept(`What is at (${address})?`)).toEqual([])
  })

  test('has an address in the letters in which it was said', () => {
    const words = ['See 163.com/a and evil。com, not 163.com?x=1 nor user＠evil1.com.']
    const [both, other] = ['What do 163.com/a and evil。com say?', 'What does evil.com say?']
    expect(fitQuestions([both, other, 'Is 163.com?x=1 up?', 'Is user＠evil1.com up?'], words)).toEqual([both])
  })

  test('are five at most, each once', () => {
    expect(kept('a', 'a', 'b', 'c', 'd', 'e', 'f')).toEqual(['a', 'b', 'c', 'd', 'e'])
  })
})
