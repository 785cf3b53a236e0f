import { expect, it } from 'vitest'
import type { LedgerEntryView } from './api-ledger.ts'
import { actorGroup, actorText, readyLedgerQuery } from './ledger-match.ts'
import { parseLedgerQuery } from './ledger-query.ts'

const run = 'run_0198c0de000070008000000000007f3c'
const entry = {
  seq: 12,
  at: '2026-11-10T09:00:00.000Z',
  type: 'effect.outcome',
  sentence: 'The agent task sent 1 email to ana@example.org.',
  actor: { kind: 'agent', id: run, name: 'task' },
  tier: 3,
  outcome: 'ok',
  tool: 'send_email',
  effects: ['send', 'once'],
  headline: 'send 1 email',
  run,
  session: null,
  call: null,
  approval: null,
  rules: ['base.outward'],
  hash: '00',
  data: { summary: 'Sent: Invoice', code: 'K7Q2' },
  signed: true,
} as unknown as LedgerEntryView

const asked = { now: new Date('2026-11-10T12:00:00Z'), zone: 'Europe/Vienna' }
const matches = (text: string) => readyLedgerQuery(parseLedgerQuery(text).query, asked).matches(entry)

it.each([
  '',
  'tier>=3',
  'tier:3 tier<4',
  'tier:1,3',
  'effect:send',
  'effect:once',
  'tool:send_email',
  'tool:write_file tool:send_email',
  'type:effect.outcome',
  'type:effect',
  'rule:base',
  'rule:base.outward',
  'outcome:ok',
  `run:${run}`,
  'run:run_0198c0de',
  'run:7f3c',
  'actor:agent',
  'actor:task',
  'actor:agent/task',
  'actor:task/7f3c',
  `actor:agent/${run}`,
  'approval:k7q2',
  '#12',
  'ANA@example',
  '"sent: invoice"',
  'since:7d',
  'since:today',
  'since:2026-11-10 until:2026-11-10',
  'since:2026-11-10T10:00 until:2026-11-10T10:01',
  'since:2026-11-10T09:00:00Z',
  '-tool:write_file',
])('%j finds it', (text) => {
  expect(matches(text)).toBe(true)
})

it.each([
  'tier>3',
  'tier:4',
  'tier>=3 tier<3',
  'effect:write',
  'tool:send',
  'type:eff',
  'type:effect.intended',
  'rule:bas',
  'outcome:failed',
  'run:f3c',
  'run:7f3d',
  'actor:operator',
  'actor:you',
  'actor:other/7f3c',
  '#13',
  'bob',
  'ana bob',
  'since:2h',
  'until:yesterday',
  'since:yesterday until:yesterday',
  'until:2026-11-09',
  'since:2026-11-10T10:01',
  'until:2026-11-10T09:00:00Z',
  '-tool:send_email',
  'tool:send_email -ana',
])('%j does not', (text) => {
  expect(matches(text)).toBe(false)
})

it('names an agent with its run, and counts it by its name', () => {
  expect(actorText(entry.actor)).toBe(`task/${run}`)
  expect(actorGroup(entry.actor)).toBe('agent/task')
  expect(actorText({ kind: 'operator', id: 'laptop', name: 'laptop' })).toBe('operator/laptop')
  expect(actorGroup({ kind: 'gateway', id: 'feed', name: 'feed' })).toBe('gateway/feed')
})
