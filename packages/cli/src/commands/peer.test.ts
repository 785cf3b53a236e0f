import { usualPeerLimits } from '@countersign/contract'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type FakeChannels, peerView } from '../testing/channels.ts'
import { type CommandBench, openCommandBench } from '../testing/command.ts'
import { limitsOf } from './peer-limits.ts'

let bench: CommandBench
let fake: FakeChannels
beforeEach(async () => {
  bench = await openCommandBench('2026-08-01T12:00:00.000Z')
  fake = bench.gateway.channels
})
afterEach(() => bench.close())

const peer = (...words: string[]) => bench.command(['peer', ...words])
const bodies = () => fake.asked.map(({ body }) => body)

test('somebody is let in by the code, as it stands in the chat, with limits', async () => {
  const given = ['--tier', '1', '--daily-usd', '0.50', '--hours', '8-22', '--messages-per-hour', '30']
  const tools = 'search_web, read_file'
  const { text, exit } = await peer('admit', 'k7q2-mxrp', '--as', 'guest', '--tools', tools, ...given)
  expect(exit).toBe(0)
  expect(text).toContain('Ana may talk in chat as a guest.  Ledger #8')
  expect(text).toContain('search_web, read_file · up to T1 · $0.50 a day · 8:00 to 22:00 · 30 an hour')
  expect(bodies()).toEqual([
    {
      code: 'K7Q2MXRP',
      role: 'guest',
      limits: {
        tools: ['search_web', 'read_file'],
        tier: 1,
        dailyUsd: 0.5,
        hours: { from: 8, to: 22 },
        messagesPerHour: 30,
      },
    },
  ])
})

test('the operator is let in without limits', async () => {
  expect((await peer('admit', 'K7Q2MXRP', '--as', 'operator', '--tier', '1')).exit).toBe(2)
  const { text } = await peer('admit', 'K7Q2MXRP', '--as', 'operator')
  expect(text).toContain('Ana may talk in chat as you.')
  expect(text).toContain('countersign channel test chat')
  expect(bodies()).toMatchObject([{ role: 'operator', limits: {} }])
})

test.each([
  ['no code', ['K7Q2', '--as', 'guest'], 'eight letters and digits'],
  ['letters that are taken for others', ['K7Q2MXR0', '--as', 'guest'], 'eight letters and digits'],
  ['no role', ['K7Q2MXRP'], '--as operator for your own account'],
  ['a role that is none', ['K7Q2MXRP', '--as', 'owner'], '--as trusted'],
])('refuses %s', async (_name, words, said) => {
  const { exit, complaints } = await peer('admit', ...words)
  expect(exit).toBe(2)
  expect(complaints).toContain(said)
  expect(bodies()).toEqual([])
})

test('a code of nobody is not found', async () => {
  expect((await peer('admit', 'AAAAAAAA', '--as', 'guest')).exit).toBe(3)
})

test('people are listed with what each may, and names hide nothing', async () => {
  expect((await peer('list')).text).toContain('Nobody yet.')
  fake.peers = [
    peerView('1', { role: 'operator', name: 'Me' }),
    peerView('2', { name: 'Ana\u001b[31m', limits: { ...usualPeerLimits, tools: [] } }),
    peerView('3', { state: 'asking', role: null }),
    peerView('4', { state: 'blocked', role: null, channel: 'club' }),
  ]
  const { text } = await peer('list')
  expect(text).toMatch(/^chat\/1 +Me +you +never$/m)
  expect(text).toContain('no tool · up to T2 · $1.00 a day · 60 an hour')
  expect(text).toMatch(/^chat\/3 .*asks to be let in/m)
  expect(text).toMatch(/^club\/4 .*blocked/m)
  expect(text).not.toContain('\u001b')
  expect((await peer('list', '--channel', 'club')).text).not.toContain('chat/')
})

test('somebody is limited, blocked and removed by channel and id', async () => {
  fake.peers = [peerView('2'), peerView('!room:example.org/9')]
  expect((await peer('limit', 'chat/2', '--hours', 'always', '--tools', 'any')).text).toContain('any tool')
  expect((await peer('block', 'chat/!room:example.org/9')).text).toContain('answered no more.  Ledger #9')
  expect((await peer('remove', 'chat/2')).text).toContain('a stranger again')
  expect(bodies()).toEqual([
    { channel: 'chat', peer: '2', change: { kind: 'limit', limits: { tools: null, hours: null } } },
    { channel: 'chat', peer: '!room:example.org/9', change: { kind: 'block' } },
    { channel: 'chat', peer: '2', change: { kind: 'remove' } },
  ])
})

test('nobody is found by what they call themselves', async () => {
  fake.peers = [peerView('2', { name: 'chat/1' })]
  for (const person of ['chat/1', 'Ana', '2', 'club/2']) expect((await peer('block', person)).exit).toBe(3)
  expect((await peer('limit', 'chat/2')).exit).toBe(2)
  expect(bodies()).toEqual([])
})

test('limits that cannot be are refused', () => {
  for (const options of [
    { tier: '4' },
    { dailyUsd: '-1' },
    { dailyUsd: '' },
    { hours: '8' },
    { hours: '24-8' },
    { messagesPerHour: '1.5' },
    { messagesPerHour: '1001' },
  ])
    expect(typeof limitsOf(options), JSON.stringify(options)).toBe('string')
  expect(limitsOf({ tier: 'T2', hours: '20-2', tools: 'none' })).toEqual({
    tier: 2,
    hours: { from: 20, to: 2 },
    tools: [],
  })
})
