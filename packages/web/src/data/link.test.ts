import { CountersignError } from '@countersign/contract'
import { expect, test } from 'vitest'
import { linkOf, linkWords } from './link.ts'

const view = { phase: 'live' as const, behind: 0, loaded: true, problem: null }

test('says that it is live, and no more', () => {
  expect(linkWords(linkOf(view))).toEqual({ word: 'Live', detail: '' })
})

test('says how far it is behind, once that is known', () => {
  const behind = linkOf({ ...view, phase: 'reconnecting', behind: 3 })
  expect(linkWords(behind)).toEqual({ word: 'Reconnecting…', detail: '3 events behind' })
  expect(linkWords(linkOf({ ...view, phase: 'reconnecting', behind: 1 })).detail).toBe('1 event behind')
  expect(linkWords(linkOf({ ...view, phase: 'reconnecting' })).detail).toBe('')
})

test('is not called offline before the first answer', () => {
  expect(linkOf({ ...view, phase: 'reconnecting', loaded: false }).kind).toBe('connecting')
})

test('a device that is not known is signed out and not offline', () => {
  const problem = new CountersignError('not_authenticated', 'Not known.')
  expect(linkOf({ ...view, phase: 'offline', problem }).kind).toBe('refused')
  const late = new CountersignError('clock_wrong', 'An hour apart.')
  expect(linkOf({ ...view, phase: 'offline', problem: late })).toEqual({
    kind: 'clock',
    reason: 'An hour apart.',
  })
  const away = new CountersignError('gateway_unreachable', 'Away.')
  expect(linkOf({ ...view, phase: 'offline', problem: away })).toEqual({ kind: 'offline', reason: 'Away.' })
})
