import { describe, expect, test } from 'vitest'
import type { EventBody } from '../events.ts'
import { fold } from './reduce.ts'
import { pendingInOrder, queuedIn, runStatus, threadStatus } from './select.ts'
import { emptyLive, type LiveState } from './state.ts'
import { approvalOf, idOf, numbered } from './testing/events.ts'

const session = idOf('ses', 1)
const run = idOf('run', 1)
const inRun = { session, run }
const input = idOf('inp', 1)
const started: EventBody = { type: 'run.started', ...inRun, input }
const retry = { at: '2026-11-16T10:05:00.000Z', attempt: 1, of: 5, because: 'HTTP 500', provider: 'here' }
const parked: EventBody = { type: 'run.parked', ...inRun, on: 'approval' }
const asked: EventBody = {
  type: 'approval.requested',
  ...inRun,
  approval: approvalOf(1, { session: 1, run: 1 }),
}
const lapsed: EventBody = {
  type: 'approval.decided',
  ...inRun,
  approval: idOf('apr', 1),
  code: 'K1',
  state: 'expired',
  by: 'gateway',
  reason: null,
}

function ended(reason: 'completed' | 'manual' | 'error' | 'limit' | 'budget' | 'denied'): EventBody {
  return { type: 'run.ended', ...inRun, input, reason, message: '' }
}

function called(outcome: 'ok' | 'failed' | 'denied', tool = 'write_file'): EventBody {
  const about = { call: idOf('call', 1), tool, headline: 'Write' }
  return { type: 'call.ended', ...inRun, ...about, outcome, summary: '', undoable: false }
}

function wordAfter(...bodies: EventBody[]): string {
  const state = fold(emptyLive, numbered(bodies))
  const found = state.runs[run]
  return found ? runStatus(state, found) : 'none'
}

describe('the word for a run', () => {
  test.each<[string, EventBody[]]>([
    ['running', [started]],
    ['waiting for you', [started, asked, parked]],
    ['running', [started, asked, parked, { ...lapsed, state: 'approved' } as EventBody]],
    ['blocked', [started, { type: 'run.parked', ...inRun, on: 'paused' }]],
    ['waiting for the provider', [started, { type: 'run.parked', ...inRun, on: 'retry', retry }]],
    ['blocked', [started, asked, parked, lapsed, ended('completed')]],
    ['done', [started, called('ok'), ended('completed')]],
    ['done', [started, called('failed'), called('ok'), ended('completed')]],
    ['done with problems', [started, called('failed'), ended('completed')]],
    ['done with problems', [started, called('failed'), called('ok', 'other'), ended('completed')]],
    ['failed', [started, ended('error')]],
    ['stopped by you', [started, ended('manual')]],
    ['stopped by you', [started, ended('denied')]],
    ['over budget', [started, ended('budget')]],
    ['over budget', [started, ended('limit')]],
  ])('is “%s”', (word, bodies) => {
    expect(wordAfter(...bodies)).toBe(word)
  })

  test('is “blocked” where everything was paused before the verdict could take effect', () => {
    const pause: EventBody = { type: 'system.paused', by: 'dev' }
    const approved = { ...lapsed, state: 'approved' } as EventBody
    expect(wordAfter(started, asked, parked, pause, approved)).toBe('blocked')
  })

  test('of a conversation is “queued” while a message waits and nothing runs', () => {
    const message: EventBody = { type: 'input.admitted', session, input, run: null, text: 'x', mode: 'auto' }
    const state = fold(emptyLive, numbered([message]))
    expect(threadStatus(state, session)).toBe('queued')
    expect(queuedIn(state, session)).toHaveLength(1)
    expect(threadStatus(fold(state, numbered([started], 2)), session)).toBe('running')
    expect(threadStatus(state, idOf('ses', 2))).toBeNull()
  })
})

describe('what waits', () => {
  test('comes with what stands still first, then by the time left, then by tier', () => {
    const card = (number: number, where: number, tier: 2 | 3, expiresAt: string): EventBody => ({
      type: 'approval.requested',
      session: idOf('ses', where),
      run: idOf('run', where),
      approval: approvalOf(number, { session: where, run: where, tier, expiresAt }),
    })
    const soon = '2026-01-01T01:00:00.000Z'
    const late = '2026-01-09T01:00:00.000Z'
    const state: LiveState = fold(
      emptyLive,
      numbered([
        { type: 'run.started', session: idOf('ses', 2), run: idOf('run', 2), input },
        card(1, 2, 2, late),
        card(2, 2, 2, soon),
        card(3, 2, 3, soon),
        started,
        card(4, 1, 2, late),
        parked,
      ]),
    )
    expect(pendingInOrder(state).map(({ code }) => code)).toEqual(['K4', 'K3', 'K2', 'K1'])
  })
})
