import { idFrom } from '@countersign/contract'
import { expect, test } from 'vitest'
import { type Delta, noStreams, withDelta, withoutEnded } from './streams.ts'

const run = idFrom('run', '1'.repeat(32))
const session = idFrom('ses', '1'.repeat(32))
const delta = (text: string, more: Partial<Delta> = {}): Delta => ({
  type: 'delta',
  session,
  run,
  turn: 1,
  attempt: 1,
  kind: 'text',
  text,
  ...more,
})
const replied = (turn: number) => ({
  seq: 9,
  at: '2026-01-01T00:00:00.000Z',
  body: { type: 'turn.replied' as const, session, run, turn, text: 'Hi', calls: 0 },
})

test('text grows within one attempt', () => {
  const streams = withDelta(withDelta(noStreams, delta('Hel')), delta('lo'))
  expect(streams[run]?.text).toBe('Hello')
})

test('a new attempt forgets what the one before had said', () => {
  const streams = withDelta(withDelta(noStreams, delta('Wrong')), delta('Right', { attempt: 2 }))
  expect(streams[run]?.text).toBe('Right')
})

test('a late piece of an attempt that came to nothing is not taken', () => {
  const second = withDelta(noStreams, delta('Right', { attempt: 2 }))
  expect(withDelta(second, delta('Wrong'))).toBe(second)
})

test('the reply takes the place of what was streamed, and not of the turn after it', () => {
  const streams = withDelta(noStreams, delta('Hel'))
  expect(withoutEnded(streams, replied(1))).toEqual({})
  const next = withDelta(noStreams, delta('More', { turn: 2 }))
  expect(withoutEnded(next, replied(1))).toBe(next)
})
