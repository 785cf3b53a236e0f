import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  AgentTaskStatus,
  GoalStatus,
  HealthFinding,
  Language,
  type LedgerActor,
  OccurrenceState,
} from '@countersign/contract'
import { describe, expect, it, test } from 'vitest'
import { sentenceOf, sentences } from './sentence.ts'
import type { EntryFacts } from './sentence-parts.ts'

const packages = join(import.meta.dirname, '../../..')
const writers = ['kernel', 'assistant', 'gateway']

/** Source files that write entries, by what they call to do it. */
function writingSources(): { path: string; source: string }[] {
  return writers.flatMap((name) => {
    const root = join(packages, name, 'src')
    return readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\//.test(file))
      .map((file) => ({ path: join(name, file), source: readFileSync(join(root, file), 'utf8') }))
      .filter(({ source }) => /\b(record|act|note|tell)\(/.test(source))
  })
}

/** Columns, files and events look like types of entries; these first words are never theirs. */
const otherFirstWords = new Set([
  'piece',
  'named',
  'app',
  'runs',
  'messages',
  'sessions',
  'inputs',
  'records',
  'waiting',
  'claimed',
  'operators',
  'programs',
  'excluded',
  'approvals',
  'calls',
  'answered',
  'next',
  'countersign',
  'error',
  'service',
])
const otherLastWords = new Set([
  'ts',
  'json',
  'pid',
  'conf',
  'lock',
  'log',
  'sqlite',
  'age',
  'jsonl',
  'org',
  'id',
  'run_id',
])
/** What clients and programs are told and the ledger is not. */
const onlyEvents = new Set([
  'approval.waiting',
  'channels.changed',
  'devices.changed',
  'question.closed',
  'reminder.due',
  'run.started',
  'run.parked',
  'run.resumed',
  'call.decided',
  'call.ended',
])

function literalTypes(source: string): string[] {
  const written = source.replaceAll(/\bemit\(\{\s*type: '[^']+'/g, '')
  return [...written.matchAll(/['`]([a-z]+)\.([a-z_]+)['`]/g)].flatMap(([, first = '', last = '']) => {
    const type = `${first}.${last}`
    const isOther = otherFirstWords.has(first) || otherLastWords.has(last) || onlyEvents.has(type)
    return isOther ? [] : [type]
  })
}

const entryWords = ['note', 'learning']
/** What stands in for a part of a type that is put together: every value that it can have. */
const composed: Readonly<Record<string, readonly string[]>> = {
  'schedule.${entry.state}': OccurrenceState.options.filter(
    (state) => !['queued', 'running', 'parked'].includes(state),
  ),
  'schedule.${state}': ['succeeded', 'failed', 'stopped'],
  'goal.${after.status}': GoalStatus.options.filter((status) => status !== 'active'),
  'goal.${entryWord[list]}_added': entryWords.map((word) => `${word}_added`),
  'goal.${entryWord[list]}_changed': entryWords.map((word) => `${word}_changed`),
  'goal.${entryWord[list]}_removed': entryWords.map((word) => `${word}_removed`),
  'task.${task.status}': AgentTaskStatus.options,
  'health.${kind}': HealthFinding.shape.kind.options,
  'provider.${provider}': [],
  'peer.${pastOf[change.kind]}': ['limited', 'blocked', 'removed'],
  // The name of a secret.
  'channel.${channel}-${secret.toLowerCase()}': [],
}

test('every type that the sources write has a sentence', () => {
  const without = writingSources().flatMap(({ path, source }) =>
    literalTypes(source)
      .filter((type) => !sentences.en.has(type))
      .map((type) => `${type} in ${path}`),
  )
  expect(without).toEqual([])
})

test('every type that is put together is one of a list, and each of them has a sentence', () => {
  const made = writingSources().flatMap(({ source }) =>
    [...source.matchAll(/`([a-z]+\.\$\{[^`]+)`/g)].map(([, type = '']) => type),
  )
  expect(made.filter((type) => composed[type] === undefined)).toEqual([])
  const types = made.flatMap((type) => (composed[type] ?? []).map((end) => `${type.split('.')[0]}.${end}`))
  expect(types.filter((type) => !sentences.en.has(type))).toEqual([])
})

const you: LedgerActor = { kind: 'operator', id: 'laptop', name: 'laptop' }
const agent: LedgerActor = { kind: 'agent', id: 'run_1', name: 'task' }
const gateway: LedgerActor = { kind: 'gateway', id: 'gateway', name: 'gateway' }
const plain: Omit<EntryFacts, 'type'> = {
  actor: gateway,
  data: {},
  tool: null,
  headline: null,
  code: null,
  approvedOn: null,
  names: new Map(),
}
const sentenceFor = (type: string, given: Partial<EntryFacts> = {}, language: Language = 'en') =>
  sentenceOf({ ...plain, type, ...given }, language)

const cases = Language.options.flatMap((language) =>
  [you, agent, gateway].map((actor) => [actor, language] as const),
)

describe('every sentence', () => {
  it.each([...sentences.en.keys()])('of %s is whole, whatever is missing, and names who did it', (type) => {
    for (const [actor, language] of cases) {
      const sentence = sentenceFor(type, { actor }, language)
      expect(sentence).toMatch(/^[\p{Lu}].*\.?$/su)
      expect(sentence).not.toMatch(/undefined|null|NaN|\[object/)
    }
  })

  it('of a type that nobody knows is told by its name', () => {
    expect(sentenceFor('moon.landed', { actor: you })).toBe('You recorded moon.landed on laptop.')
    expect(sentenceFor('moon.landed', { actor: you }, 'de')).toBe(
      'Du hast auf laptop moon.landed aufgezeichnet.',
    )
  })
})

describe('sentences', () => {
  const send = { tool: 'send_email', headline: 'Send 1 email to ana@example.org' }

  it.each<[string, string, Partial<EntryFacts>]>([
    [
      'The agent task asked to send 1 email to ana@example.org with send_email (request K7Q2).',
      'approval.requested',
      { ...send, actor: agent, code: 'K7Q2' },
    ],
    [
      'You approved the request K7Q2 to send 1 email to ana@example.org on laptop, sealed by the device.',
      'approval.decided',
      { ...send, actor: you, code: 'K7Q2', data: { verdict: 'approved', seal: 'device' } },
    ],
    [
      'You denied the request K7Q2 to POST https://example.org on laptop: use the portal.',
      'approval.decided',
      {
        actor: you,
        code: 'K7Q2',
        headline: 'POST https://example.org',
        data: { verdict: 'denied', reason: 'use the portal' },
      },
    ],
    [
      'The request K7Q2 expired without a decision.',
      'approval.decided',
      { code: 'K7Q2', data: { verdict: 'expired' } },
    ],
    [
      'The agent task used send_email: Sent to ana@example.org, approved by you on phone (K7Q2).',
      'effect.outcome',
      {
        ...send,
        actor: agent,
        code: 'K7Q2',
        approvedOn: 'phone',
        data: { result: 'ok', summary: 'Sent to ana@example.org.' },
      },
    ],
    [
      'The agent task used send_email, which failed: no route to host.',
      'effect.outcome',
      { ...send, actor: agent, data: { result: 'failed', summary: 'no route to host' } },
    ],
    [
      'A rule denied send_email (Send 1 email to ana@example.org): This host is never written to.',
      'call.denied',
      { ...send, actor: agent, data: { reason: 'This host is never written to.' } },
    ],
    [
      'You wrote “Pay the invoice” on laptop.',
      'input.admitted',
      { actor: you, data: { text: 'Pay the\ninvoice' } },
    ],
    [
      'The automation “Brief” failed: run.',
      'schedule.failed',
      { data: { schedule: 'sch_1', reason: 'run' }, names: new Map([['sch_1', 'Brief']]) },
    ],
    ['The automation sch_1 failed.', 'schedule.failed', { data: { schedule: 'sch_1' } }],
    [
      'The budget global:month reached 80 percent: $8.00 of $10.00.',
      'budget.reached',
      { data: { budget: 'global:month', subject: '', percent: 80, spent: 8e9, limit: 1e10 } },
    ],
    [
      'The model openai/small was called for chat: ok, <$0.01.',
      'model.called',
      { data: { provider: 'openai', model: 'small', purpose: 'chat', outcome: 'ok', nanos: 1_200_000 } },
    ],
    ['The agent task replied “Done.”', 'turn.replied', { actor: agent, data: { text: 'Done.', calls: [] } }],
    [
      'The agent task proposed 2 calls.',
      'turn.replied',
      { actor: agent, data: { text: '', calls: ['a', 'b'] } },
    ],
    ['You stored the secret github on laptop.', 'secret.stored', { actor: you, data: { name: 'github' } }],
  ])('%s', (sentence, type, given) => {
    expect(sentenceFor(type, given)).toBe(sentence)
  })
})

describe('a translation', () => {
  const translations = Language.options.filter((language) => language !== 'en')

  it.each(translations)('has in %s a sentence for every type', (language) => {
    expect([...sentences[language].keys()].toSorted()).toEqual([...sentences.en.keys()].toSorted())
  })

  /** Which fields of an entry a sentence looks at, and which of them it shows. */
  function use(type: string, language: Language, value: (field: string) => string | undefined) {
    const read = new Set<string>()
    const data = new Proxy<EntryFacts['data']>(
      {},
      {
        get(_, field) {
          read.add(String(field))
          return value(String(field))
        },
      },
    )
    const sentence = sentenceFor(
      type,
      { actor: agent, data, tool: '⟦tool⟧', headline: '⟦headline⟧', code: '⟦code⟧' },
      language,
    )
    return { read: [...read].toSorted(), shown: [...new Set(sentence.match(/⟦\w+⟧/g) ?? [])].toSorted() }
  }

  it.each(translations)('uses in %s what the English sentence uses', (language) => {
    for (const type of sentences.en.keys())
      for (const value of [(field: string) => `⟦${field}⟧`, () => undefined])
        expect([type, use(type, language, value)]).toEqual([type, use(type, 'en', value)])
  })

  it.each<[string, string, Partial<EntryFacts>]>([
    [
      'Der Agent task hat um Freigabe von send_email (Send 1 email) gebeten (Anfrage K7Q2).',
      'approval.requested',
      { actor: agent, code: 'K7Q2', tool: 'send_email', headline: 'Send 1 email' },
    ],
    [
      'Du hast auf laptop die Anfrage K7Q2 freigegeben, vom Gerät versiegelt.',
      'approval.decided',
      { actor: you, code: 'K7Q2', data: { verdict: 'approved', seal: 'device' } },
    ],
    [
      'Du hast auf laptop das Ziel „Steuer“ (title) geändert.',
      'goal.changed',
      { actor: you, data: { goal: 'goal_1', fields: ['title'] }, names: new Map([['goal_1', 'Steuer']]) },
    ],
    [
      'Das Budget global:month ist zu 80 Prozent verbraucht: 8,00\u00a0$ von 10,00\u00a0$.',
      'budget.reached',
      { data: { budget: 'global:month', subject: '', percent: 80, spent: 8e9, limit: 1e10 } },
    ],
    [
      'Die Automatisierung „Brief“ wurde 2 Mal übersprungen.',
      'schedule.skipped',
      { data: { name: 'Brief', count: 2 } },
    ],
  ])('%s', (sentence, type, given) => {
    expect(sentenceFor(type, given, 'de')).toBe(sentence)
  })
})
