import type { CallId, EventBody, InputId, RunId, ServerFrame, SessionId } from '@countersign/contract'
import { expect, it } from 'vitest'
import { bound, type ChatState, emptyState, isSettled, lost, reduce, type Show, sent } from './state.ts'

const id = (prefix: string, digit: number) => `${prefix}_${String(digit).repeat(32)}`
const session = id('ses', 1) as SessionId
const run = id('run', 1) as RunId
const input = id('inp', 1) as InputId
const call = id('call', 1) as CallId

const event = (body: EventBody, seq = 1): ServerFrame => ({ type: 'event', event: { seq, at: '', body } })
const delta = (text: string, turn = 1): ServerFrame => ({
  type: 'delta',
  session,
  run,
  turn,
  kind: 'text',
  text,
})
const started = event({ type: 'run.started', session, run, input })
const admitted = (text: string) => event({ type: 'input.admitted', session, input, run, text, mode: 'auto' })
const replied = (text: string, turn = 1) =>
  event({ type: 'turn.replied', session, run, turn, text, calls: 0 })
const over = event({ type: 'run.ended', session, run, input, reason: 'completed', message: '' })

function play(state: ChatState, ...frames: ServerFrame[]): { state: ChatState; shows: Show[] } {
  const shows: Show[] = []
  let next = state
  for (const frame of frames) {
    const step = reduce(next, frame)
    next = step.state
    shows.push(...step.shows)
  }
  return { state: next, shows }
}

const textOf = (shows: readonly Show[]) =>
  shows.map((show) => (show.kind === 'piece' ? show.text : show.kind === 'reply-ended' ? '|' : '')).join('')

it('shows a streamed reply once', () => {
  const { shows } = play(emptyState(session, false), started, delta('Hel'), delta('lo'), replied('Hello'))
  expect(textOf(shows)).toBe('Hello|')
})

it('shows a reply that was not streamed', () => {
  expect(textOf(play(emptyState(session, false), started, replied('Hello')).shows)).toBe('Hello|')
})

it('shows only the rest of a reply after a lost connection, whatever is streamed again', () => {
  const before = play(emptyState(session, false), started, delta('Hel'))
  const after = play(lost(before.state), delta('Hello'), replied('Hello'))
  expect(textOf([...before.shows, ...after.shows])).toBe('Hello|')
})

it('shows the whole reply when what was streamed is not how it begins', () => {
  expect(textOf(play(emptyState(session, false), started, delta('Hm'), replied('Hello')).shows)).toBe(
    'Hm|Hello|',
  )
})

it('does not show a stream that it did not see from its beginning', () => {
  expect(textOf(play(emptyState(session, false), delta('world'), replied('Hello world')).shows)).toBe(
    'Hello world|',
  )
})

it('keeps what comes before the session is known, and leaves other sessions out', () => {
  const other = event({
    type: 'turn.replied',
    session: id('ses', 2) as SessionId,
    run,
    turn: 1,
    text: 'not here',
    calls: 0,
  })
  const early = play(sent(emptyState(null, false), 'hi'), started, admitted('hi'), other, replied('Hello'))
  expect(early.shows).toEqual([])
  const step = bound(early.state, session)
  expect(textOf(step.shows)).toBe('Hello|')
  expect(step.state.own).toEqual({ input, run })
})

it('tells own messages from those that were sent elsewhere', () => {
  const { shows } = play(sent(emptyState(session, false), 'mine'), admitted('mine'), admitted('mine'))
  expect(shows).toEqual([{ kind: 'elsewhere', text: 'mine' }])
})

it('is settled when the own run has ended or waits, and not before', () => {
  const working = play(sent(emptyState(session, false), 'hi'), started, admitted('hi')).state
  expect(isSettled(working)).toBe(false)
  expect(isSettled(play(working, over).state)).toBe(true)
  expect(isSettled(play(working, event({ type: 'run.parked', session, run, on: 'question' })).state)).toBe(
    true,
  )
})

it('is settled while everything is paused, since the message waits', () => {
  const queued = event({ type: 'input.admitted', session, input, run: null, text: 'hi', mode: 'auto' })
  expect(isSettled(play(sent(emptyState(session, true), 'hi'), queued).state)).toBe(true)
  expect(isSettled(play(sent(emptyState(session, false), 'hi'), queued).state)).toBe(false)
})

it('shows a call as one line with its tier', () => {
  const decision = { kind: 'allow' as const, tier: 2 as const, rules: [], raised: [], reason: '' }
  const { shows } = play(
    emptyState(session, false),
    event({ type: 'call.decided', session, run, call, tool: 'http_request', headline: 'GET x', decision }),
    event({
      type: 'call.ended',
      session,
      run,
      call,
      tool: 'http_request',
      headline: 'GET x',
      outcome: 'ok',
      summary: '200',
      undoable: false,
    }),
  )
  expect(shows).toEqual([
    {
      kind: 'activity',
      activity: {
        state: 'ok',
        tool: 'http_request',
        headline: 'GET x',
        tier: 2,
        summary: '200',
        undoable: false,
      },
    },
  ])
})
