import { expect, test } from 'vitest'
import { reachStage } from './reach-stage.ts'

const chat = { name: 'chat', state: 'connected' } as const
const bot = { bindable: true, direction: 'both' } as const
const own = { channel: 'chat', state: 'paired', role: 'operator' } as const

test('the operator lets themselves in first', () => {
  expect(reachStage(chat, bot, [])).toBe('code')
  expect(reachStage(chat, bot, [own])).toBe('ready')
})

test('nobody else counts as the operator', () => {
  expect(reachStage(chat, bot, [{ ...own, role: 'trusted' }])).toBe('code')
  expect(reachStage(chat, bot, [{ ...own, state: 'asking' }])).toBe('code')
  expect(reachStage(chat, bot, [{ ...own, channel: 'other' }])).toBe('code')
})

test('a platform that only takes notices needs no code', () => {
  expect(reachStage(chat, { bindable: false, direction: 'out' }, [])).toBe('ready')
})

test('nothing is sent where nobody can be the operator, or where it would not arrive', () => {
  expect(reachStage(chat, { bindable: false, direction: 'both' }, [])).toBe('nobody')
  expect(reachStage({ ...chat, state: 'rejected' }, bot, [own])).toBe('away')
  expect(reachStage({ ...chat, state: 'paused' }, bot, [own])).toBe('away')
  expect(reachStage(chat, undefined, [own])).toBe('away')
})
