import { type PeerLimits, usualPeerLimits } from '@countersign/contract'
import { expect, test } from 'vitest'
import { limitProblems, limitsIn, limitValues, limitWords } from './peer-limits.ts'

const narrow: PeerLimits = {
  tools: ['search_web', 'read_file'],
  tier: 1,
  dailyUsd: 0.5,
  hours: { from: 20, to: 2 },
  messagesPerHour: 30,
}

test('limits that nobody changed stay as they are', () => {
  for (const limits of [usualPeerLimits, narrow, { ...narrow, tools: [] }])
    expect(limitsIn(limitValues(limits))).toEqual(limits)
})

test('no tools are something else than those that policy allows', () => {
  const values = limitValues(narrow)
  expect(limitsIn({ ...values, tools: ' ' }).tools).toBeNull()
  expect(limitsIn({ ...values, noTools: true }).tools).toEqual([])
})

test('amounts that cannot be are refused', () => {
  const values = limitValues(narrow)
  expect(limitProblems(values)).toEqual({ dailyUsd: undefined, messagesPerHour: undefined })
  for (const dailyUsd of ['', '-1', '1001', 'much'])
    expect(limitProblems({ ...values, dailyUsd }).dailyUsd).toBeDefined()
  for (const messagesPerHour of ['', '1.5', '-1', '1001'])
    expect(limitProblems({ ...values, messagesPerHour }).messagesPerHour).toBeDefined()
})

test('limits are said in words', () => {
  expect(limitWords(narrow)).toEqual([
    'search_web, read_file',
    '$0.50 a day',
    '30 messages an hour',
    '20:00 to 2:00',
  ])
  expect(limitWords({ ...usualPeerLimits, tools: [] })[0]).toBe('no tool')
})
