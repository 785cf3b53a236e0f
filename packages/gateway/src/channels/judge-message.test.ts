import type { InboundMessage } from '@countersign/channels'
import { type PeerRole, usualPeerLimits } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { judgeMessage, type MessageFacts } from './judge-message.ts'
import type { Peer } from './peers.ts'

const peer = (role: PeerRole, limits: Partial<Peer['limits']> = {}): Peer => ({
  channel: 'chat',
  peer: 'ann',
  name: 'Ann',
  chat: 'chat-ann',
  role,
  limits: { ...usualPeerLimits, ...limits },
})
const sender = { id: 'ann', name: 'Ann', proven: true, bot: false }
const event: InboundMessage = {
  type: 'message',
  id: 'm1',
  chat: { id: 'chat-ann', kind: 'private', title: 'Ann' },
  at: '2026-03-05T06:00:00Z',
  sender,
  text: 'Hello',
  thread: null,
  addressed: true,
  forwarded: false,
  files: [],
}
const facts: MessageFacts = {
  manifest: { proves: 'sender', decides: 2 },
  choices: { groups: ['g1'] },
  peer: peer('guest'),
  hour: 12,
  spentUsd: 0,
  inLastHour: 1,
}
const group = { id: 'g1', kind: 'group', title: 'Group' } as const

/** `heard decides`, or the kind with its reason. */
function verdict(given: Partial<InboundMessage> = {}, more: Partial<MessageFacts> = {}): string {
  const judged = judgeMessage({ ...event, ...given }, { ...facts, ...more })
  switch (judged.kind) {
    case 'left':
      return `left: ${judged.why}`
    case 'limited':
      return `limited: ${judged.told}`
    case 'heard':
      return judged.decides ? 'heard, decides' : 'heard'
    case 'pair':
      return 'pair'
  }
}
const noProof = { manifest: { proves: 'nothing', decides: 0 } } as const
const unproven = { sender: { ...sender, proven: false } }

describe('who writes', () => {
  it.each<[string, Partial<InboundMessage>, Partial<MessageFacts>, string]>([
    ['a guest', {}, {}, 'heard'],
    ['a trusted person', {}, { peer: peer('trusted') }, 'heard'],
    ['the operator', {}, { peer: peer('operator') }, 'heard, decides'],
    ['a stranger', {}, { peer: undefined }, 'pair'],
    ['somebody blocked', {}, { peer: 'blocked' }, 'left: they are blocked'],
    ['a program', { sender: { ...sender, bot: true } }, {}, 'left: a program wrote it'],
    [
      'a program as the operator',
      { sender: { ...sender, bot: true } },
      { peer: peer('operator') },
      'left: a program wrote it',
    ],
    ['a guest without a proof', unproven, {}, 'left: nothing shows who wrote it'],
    [
      'the operator without a proof',
      unproven,
      { peer: peer('operator') },
      'left: nothing shows who wrote it',
    ],
    [
      'the operator where nothing is proven',
      {},
      { ...noProof, peer: peer('operator') },
      'left: nothing shows that it was written by them',
    ],
    ['a stranger without a proof', unproven, { peer: undefined }, 'left: nothing shows who wrote it'],
    ['a stranger where nothing is proven', unproven, { ...noProof, peer: undefined }, 'pair'],
  ])('%s', (_, given, more, told) => {
    expect(verdict(given, more)).toBe(told)
  })
})

describe('where it is written', () => {
  it.each<[string, Partial<InboundMessage>, Partial<MessageFacts>, string]>([
    ['in a group on the list', { chat: group }, {}, 'heard'],
    ['in a group on the list, by the operator', { chat: group }, { peer: peer('operator') }, 'heard'],
    ['in a group off the list', { chat: { ...group, id: 'g2' } }, {}, 'left: the group is not on the list'],
    [
      'in a group off the list, by the operator',
      { chat: { ...group, id: 'g2' } },
      { peer: peer('operator') },
      'left: the group is not on the list',
    ],
    [
      'in a group, not to us',
      { chat: group, addressed: false },
      {},
      'left: it is not addressed to the assistant',
    ],
    ['in a group, by a stranger', { chat: group }, { peer: undefined }, 'left: nobody let them in'],
    ['in a group, by somebody blocked', { chat: group }, { peer: 'blocked' }, 'left: they are blocked'],
    ['not addressed, in a private chat', { addressed: false }, {}, 'heard'],
    [
      'by the operator in another private chat',
      { chat: { ...event.chat, id: 'chat-other' } },
      { peer: peer('operator') },
      'heard',
    ],
    ['passed on by the operator', { forwarded: true }, { peer: peer('operator') }, 'heard'],
  ])('%s', (_, given, more, told) => {
    expect(verdict(given, more)).toBe(told)
  })
})

describe('limits of a person', () => {
  const tooMany = 'limited: That is a lot in an hour. Please try again later.'
  const spent = 'limited: That is all that I can do for you today.'
  it.each<[string, Partial<Peer['limits']>, Partial<MessageFacts>, string]>([
    ['the last of an hour', { messagesPerHour: 5 }, { inLastHour: 5 }, 'heard'],
    ['one too many', { messagesPerHour: 5 }, { inLastHour: 6 }, tooMany],
    ['something left', { dailyUsd: 1 }, { spentUsd: 0.99 }, 'heard'],
    ['nothing left', { dailyUsd: 1 }, { spentUsd: 1 }, spent],
    ['nothing at all', { dailyUsd: 0 }, {}, spent],
    ['the first hour', { hours: { from: 8, to: 18 } }, { hour: 8 }, 'heard'],
    ['before it', { hours: { from: 8, to: 18 } }, { hour: 7 }, 'limited: I answer between 8:00 and 18:00.'],
    [
      'the hour after',
      { hours: { from: 8, to: 18 } },
      { hour: 18 },
      'limited: I answer between 8:00 and 18:00.',
    ],
    ['to the end of the day', { hours: { from: 8, to: 24 } }, { hour: 23 }, 'heard'],
    ['over midnight, late', { hours: { from: 22, to: 6 } }, { hour: 23 }, 'heard'],
    ['over midnight, early', { hours: { from: 22, to: 6 } }, { hour: 5 }, 'heard'],
    [
      'over midnight, by day',
      { hours: { from: 22, to: 6 } },
      { hour: 6 },
      'limited: I answer between 22:00 and 6:00.',
    ],
  ])('%s', (_, limits, more, told) => {
    expect(verdict({}, { ...more, peer: peer('guest', limits) })).toBe(told)
    expect(verdict({}, { ...more, peer: peer('trusted', limits) })).toBe(told)
    expect(verdict({}, { ...more, peer: peer('operator', limits) })).toBe('heard, decides')
  })
})
