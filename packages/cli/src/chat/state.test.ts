import type { CallId, EventBody, InputId, RunId, ServerFrame, SessionId } from '@countersign/contract'
import { expect, it } from 'vitest'
import { plainRun } from '../testing/records.ts'
import { retryWords } from './retry.ts'
import {
  awaitedRetry,
  bound,
  type ChatOutput,
  type ChatState,
  emptyState,
  isSettled,
  reduce,
  withLostConnection,
  withSentMessage,
  withSnapshot,
} from './state.ts'

const id = (prefix: string, digit: number) => `${prefix}_${String(digit).repeat(32)}`
const session = id('ses', 1) as SessionId
const run = id('run', 1) as RunId
const input = id('inp', 1) as InputId
const call = id('call', 1) as CallId

const event = (body: EventBody, seq = 1): ServerFrame => ({ type: 'event', event: { seq, at: '', body } })
const delta = (text: string, attempt = 1, turn = 1): ServerFrame => ({
  type: 'delta',
  session,
  run,
  turn,
  attempt,
  kind: 'text',
  text,
})
const thought = (attempt = 1): ServerFrame => ({
  type: 'delta',
  session,
  run,
  turn: 1,
  attempt,
  kind: 'reasoning',
  text: 'hm',
})
const calling = (tool: string, text: string, attempt = 1): ServerFrame => ({
  type: 'delta',
  session,
  run,
  turn: 1,
  attempt,
  kind: 'call',
  text,
  tool,
})
const started = event({ type: 'run.started', session, run, input })
const admitted = (text: string) => event({ type: 'input.admitted', session, input, run, text, mode: 'auto' })
const replied = (text: string, turn = 1) =>
  event({ type: 'turn.replied', session, run, turn, text, calls: 0 })
const over = event({ type: 'run.ended', session, run, input, reason: 'completed', message: '' })

function play(state: ChatState, ...frames: ServerFrame[]): { state: ChatState; shows: ChatOutput[] } {
  const shows: ChatOutput[] = []
  let next = state
  for (const frame of frames) {
    const step = reduce(next, frame)
    next = step.state
    shows.push(...step.shows)
  }
  return { state: next, shows }
}

const textOf = (shows: readonly ChatOutput[]) =>
  shows
    .map((show) =>
      show.kind === 'piece'
        ? show.text
        : show.kind === 'reply-ended'
          ? '|'
          : show.kind === 'withdrawn'
            ? '~'
            : '',
    )
    .join('')

it('shows a streamed reply once', () => {
  const { shows } = play(emptyState(session, false), started, delta('Hel'), delta('lo'), replied('Hello'))
  expect(textOf(shows)).toBe('Hello|')
})

it('shows a reply that was not streamed', () => {
  expect(textOf(play(emptyState(session, false), started, replied('Hello')).shows)).toBe('Hello|')
})

it('shows only the rest of a reply after a lost connection, whatever is streamed again', () => {
  const before = play(emptyState(session, false), started, delta('Hel'))
  const after = play(withLostConnection(before.state), delta('Hello'), replied('Hello'))
  expect(textOf([...before.shows, ...after.shows])).toBe('Hello|')
})

it('shows the whole reply when what was streamed is not how it begins', () => {
  expect(textOf(play(emptyState(session, false), started, delta('Hm'), replied('Hello')).shows)).toBe(
    'Hm~Hello|',
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
  const early = play(
    withSentMessage(emptyState(null, false), 'hi'),
    started,
    admitted('hi'),
    other,
    replied('Hello'),
  )
  expect(early.shows).toEqual([])
  const step = bound(early.state, session)
  expect(textOf(step.shows)).toBe('Hello|')
  expect(step.state.own).toEqual({ input, run })
})

it('tells own messages from those that were sent elsewhere', () => {
  const { shows } = play(
    withSentMessage(emptyState(session, false), 'mine'),
    admitted('mine'),
    admitted('mine'),
  )
  expect(shows).toEqual([{ kind: 'elsewhere', text: 'mine' }])
})

it('is settled when the own run has ended or waits, and not before', () => {
  const working = play(withSentMessage(emptyState(session, false), 'hi'), started, admitted('hi')).state
  expect(isSettled(working)).toBe(false)
  expect(isSettled(play(working, over).state)).toBe(true)
  expect(isSettled(play(working, event({ type: 'run.parked', session, run, on: 'question' })).state)).toBe(
    true,
  )
})

it('is settled while everything is paused, since the message waits', () => {
  const queued = event({ type: 'input.admitted', session, input, run: null, text: 'hi', mode: 'auto' })
  expect(isSettled(play(withSentMessage(emptyState(session, true), 'hi'), queued).state)).toBe(true)
  expect(isSettled(play(withSentMessage(emptyState(session, false), 'hi'), queued).state)).toBe(false)
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

it('takes off what an attempt showed that came to nothing, and shows the next from its beginning', () => {
  const { state, shows } = play(
    emptyState(session, false),
    started,
    delta('Hello wor', 1),
    delta('Good ', 2),
    delta('day', 2),
    replied('Good day'),
  )
  expect(textOf(shows)).toBe('Hello wor~Good day|')
  expect(state.replies[run]).toBe('Good day')
})

it('takes it off as soon as the next attempt thinks, and not when nothing was shown', () => {
  const first = play(emptyState(session, false), started, delta('Hello', 1), thought(2))
  expect(textOf(first.shows)).toBe('Hello~')
  expect(textOf(play(first.state, delta('Hi', 2), replied('Hi')).shows)).toBe('Hi|')
  expect(textOf(play(emptyState(session, false), started, thought(1), delta('Hi', 2)).shows)).toBe('Hi')
})

it('leaves out what still comes from an attempt that was given up', () => {
  const { shows } = play(
    emptyState(session, false),
    started,
    delta('old', 1),
    delta('new', 2),
    delta(' old', 1),
    replied('new'),
  )
  expect(textOf(shows)).toBe('old~new|')
})

it('counts attempts in each turn anew', () => {
  const { shows } = play(
    emptyState(session, false),
    started,
    delta('one', 3, 1),
    replied('one', 1),
    delta('two', 1, 2),
    replied('two', 2),
  )
  expect(textOf(shows)).toBe('one|two|')
})

it('knows whether the model thinks or writes a call, and forgets it when text comes', () => {
  const thinking = play(emptyState(session, false), started, thought()).state
  expect(thinking.doing).toEqual({ kind: 'thinking' })
  const writing = play(thinking, calling('write_file', '{"path"'), calling('write_file', ':"a"}')).state
  expect(writing.doing).toEqual({ kind: 'calling', tool: 'write_file', characters: 12 })
  expect(play(writing, calling('read_file', '{}')).state.doing).toMatchObject({ characters: 2 })
  expect(play(writing, calling('write_file', '{}', 2)).state.doing).toMatchObject({ characters: 2 })
  expect(play(writing, delta('Done')).state.doing).toBeNull()
  expect(play(writing, replied('')).state.doing).toBeNull()
  expect(withLostConnection(writing).doing).toBeNull()
})

const retry = {
  at: '2026-08-01T14:00:42.000Z',
  attempt: 2,
  of: 5,
  because: 'The provider limits the rate.',
  provider: 'acme',
}
const tried = event({ type: 'run.parked', session, run, on: 'retry', retry })

it('waits through a retry: what was streamed is taken off, and nothing is settled', () => {
  const begun = play(withSentMessage(emptyState(session, false), 'hi'), started, admitted('hi'), delta('Hel'))
  const parked = play(begun.state, tried)
  expect(parked.shows).toEqual([{ kind: 'withdrawn' }, { kind: 'retry', retry }])
  expect(isSettled(parked.state)).toBe(false)
  expect(awaitedRetry(parked.state)).toEqual({ retry })
  const resumed = play(parked.state, event({ type: 'run.resumed', session, run }), delta('Hello', 1))
  expect(awaitedRetry(resumed.state)).toBeUndefined()
  expect(textOf(play(resumed.state, replied('Hello')).shows)).toBe('|')
  expect(awaitedRetry(play(parked.state, over).state)).toBeUndefined()
})

it('knows the moment of the next try from a snapshot too', () => {
  const parked = play(emptyState(session, false), started, tried).state
  const view = {
    id: run,
    session,
    input,
    kind: 'agent' as const,
    state: 'parked' as const,
    parkedOn: 'retry' as const,
    reason: null,
    message: '',
    turns: 1,
    segments: 1,
    startedAt: '',
    endedAt: null,
    retry,
    text: '',
    ...plainRun,
  }
  const snapshot = (runs: (typeof view)[]) => ({ runs, approvals: [], questions: [] })
  expect(awaitedRetry(withSnapshot(withLostConnection(parked), snapshot([view])))).toEqual({ retry })
  expect(awaitedRetry(withSnapshot(emptyState(session, false), snapshot([view])))).toEqual({ retry })
})

it('counts down to the next try', () => {
  const words = (now: string) => retryWords(retry, new Date(now))
  expect(words('2026-08-01T14:00:00.000Z')).toBe(
    '⏳ The provider limits the rate. Next try in 0:42 (2 of 5).',
  )
  expect(words('2026-08-01T14:00:41.001Z')).toContain('in 0:01')
  expect(words('2026-08-01T12:00:00.000Z')).toContain('in 2:00:42')
  expect(words('2026-08-01T14:00:42.000Z')).toContain('Trying again now (2 of 5).')
  expect(retryWords({ ...retry, because: '503' }, new Date('2026-08-01T14:00:00Z'))).toContain('⏳ 503. Next')
  expect(retryWords({ ...retry, because: '' }, new Date('2026-08-01T14:00:00Z'))).toContain(
    '⏳ Waiting for acme. Next try',
  )
  expect(retryWords(null, new Date())).toContain('Waiting for the model provider. It retries automatically')
})

it('says in one line how many calls have no card yet', () => {
  const working = play(emptyState(session, false), event({ type: 'run.started', session, run, input })).state
  const parked = play(working, event({ type: 'run.parked', session, run, on: 'approval', waiting: 27 }))
  expect(parked.shows).toEqual([
    { kind: 'notice', text: 'Waiting for your decision, and 27 more calls are queued.' },
  ])
  const last = play(working, event({ type: 'run.parked', session, run, on: 'approval', waiting: 0 }))
  expect(last.shows).toEqual([])
})

it('tells of money in every session: a budget as a note, held work as a warning with the next step', () => {
  const { shows } = play(
    emptyState(null, false),
    event({ type: 'budget.reached', budget: 'global:month', percent: 80, spentUsd: 8, limitUsd: 10 }),
    event({ type: 'spending.held', reason: 'it spent 3 times as much as usual' }),
    event({ type: 'spending.released', by: 'you' }),
  )
  expect(shows).toEqual([
    { kind: 'notice', text: 'The budget global:month is at 80 %: $8.00 of $10.00.' },
    {
      kind: 'warning',
      text: '⚠ Unattended work is on hold: it spent 3 times as much as usual. Resume it with `countersign cost resume`.',
    },
    { kind: 'notice', text: 'Unattended work was resumed by you.' },
  ])
})
