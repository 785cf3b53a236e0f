import { idFrom } from '@countersign/contract'
import type { HostIdentity } from '@countersign/contract/node'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unpainted } from '../output/colour.ts'
import { testHome } from '../testing/home.ts'
import { approvalDetail } from '../testing/records.ts'
import { cardHeightFor, renderWatch } from './render.ts'
import { onFrame, onKey, type WatchEffect, type WatchState, watching, withRuns } from './state.ts'

const home = testHome()
let identity: HostIdentity
beforeAll(() => {
  identity = home.establish()
})
afterAll(() => home.remove())

const now = new Date('2026-08-01T14:04:00.000Z')
const style = { paint: unpainted, moment: { now, zone: 'UTC' } }
const viewOf = (code: string, tier: 2 | 3 | 4 = 3, card = {}) =>
  approvalDetail({ identity, code, tier, now, card }).approval

function press(
  state: WatchState,
  keys: string[],
  size = { columns: 100, rows: 60 },
  time = 0,
): { state: WatchState; effects: WatchEffect[] } {
  const effects: WatchEffect[] = []
  let next = state
  for (const key of keys) {
    const step = onKey(next, key, cardHeightFor(next, style, size), time)
    next = step.state
    if (step.effect.kind !== 'none') effects.push(step.effect)
  }
  return { state: next, effects }
}

it('moves, opens, approves and denies with keys', () => {
  const list = watching([viewOf('AAAA'), viewOf('BBBB')])
  const open = press(list, ['j', 'o']).state
  expect(press(open, ['a'], undefined, 601).effects).toMatchObject([
    { kind: 'approve', approval: { code: 'BBBB' } },
  ])
  expect(press(list, ['d', 'n', 'o', 'return']).effects).toMatchObject([
    { kind: 'deny', reason: 'no', approval: { code: 'AAAA' } },
  ])
  expect(press(list, ['d', 'n', 'escape', 'q']).effects).toEqual([{ kind: 'quit' }])
})

it('never approves with Enter, from the list, too early, or T4', () => {
  const list = watching([viewOf('AAAA')])
  expect(press(list, ['return', 'o', 'return', 'return'], undefined, 5_000).effects).toEqual([])
  expect(press(list, ['a', 'a'], undefined, 5_000).effects).toEqual([])
  const open = press(list, ['o']).state
  expect(press(open, ['a'], undefined, 599).effects).toEqual([])
  const critical = press(watching([viewOf('CRIT', 4)]), ['o']).state
  expect(press(critical, ['a'], undefined, 5_000).effects).toEqual([])
})

it('approves a long card only after its end has been seen', () => {
  const content = Array.from({ length: 50 }, (_none, at) => `row ${at}`).join('\n')
  const list = watching([viewOf('LONG', 3, { preview: { kind: 'write', path: 'x', content } })])
  const size = { columns: 80, rows: 24 }
  const open = press(list, ['o'], size).state
  expect(press(open, ['a'], size, 5_000).effects).toEqual([])
  const read = press(
    open,
    Array.from({ length: 80 }, () => 'j'),
    size,
  ).state
  expect(press(read, ['a'], size, 5_000).effects).toMatchObject([{ kind: 'approve' }])
})

it('closes the card that somebody else decided, and never slips another under the key', () => {
  const [first, second] = [viewOf('AAAA'), viewOf('BBBB')]
  const open = press(watching([first, second]), ['o']).state
  const { session, run, id, code } = first
  const body = {
    type: 'approval.decided' as const,
    session,
    run,
    approval: id,
    code,
    state: 'denied' as const,
    by: 'web',
    reason: null,
  }
  const after = onFrame(open, { type: 'event', event: { seq: 1, at: '', body } })
  expect(after.open).toBeNull()
  expect(press(after, ['a'], undefined, 5_000).effects).toEqual([])
})

it('draws every line of a card within the width of the terminal', () => {
  const list = watching([viewOf('LONG', 3, { headline: `Fetch ${'x'.repeat(200)}` })])
  const open = press(list, ['o'], { columns: 40, rows: 60 }).state
  const rows = renderWatch(open, style, { columns: 40, rows: 60 }).split('\n')
  expect(rows.slice(2, -2).every((row) => row.length <= 40)).toBe(true)
  expect(rows.join('').match(/x/g)?.length).toBeGreaterThanOrEqual(200)
})

it('tells of a run that is tried again and of work that is held, and leaves the card that is open', () => {
  const open = press(watching([viewOf('AAAA')]), ['o']).state
  const { session, run } = viewOf('AAAA')
  const retry = {
    at: '2026-08-01T14:05:00Z',
    attempt: 1,
    of: 5,
    because: 'The provider limits the rate.',
    provider: 'acme',
  }
  const tried = onFrame(open, {
    type: 'event',
    event: { seq: 1, at: '', body: { type: 'run.parked', session, run, on: 'retry', retry } },
  })
  expect([tried.message, tried.open]).toEqual(['Waiting for acme. It retries automatically.', open.open])
  const held = onFrame(open, {
    type: 'event',
    event: { seq: 2, at: '', body: { type: 'spending.held', reason: 'far more than usual' } },
  })
  expect([held.message, held.open]).toEqual([expect.stringContaining('countersign cost resume'), open.open])
})

it('says in its title how many calls of all runs have no card yet', () => {
  const { session, run } = viewOf('AAAA')
  const other = idFrom('run', '3'.repeat(32))
  const size = { columns: 100, rows: 60 }
  const list = withRuns(watching([viewOf('AAAA')]), [{ id: other, callsWaiting: 2 }])
  const parked = onFrame(list, {
    type: 'event',
    event: { seq: 1, at: '', body: { type: 'run.parked', session, run, on: 'approval', waiting: 25 } },
  })
  expect(renderWatch(parked, style, size)).toContain('1 pending, and 27 more calls are queued')
  const resumed = onFrame(parked, {
    type: 'event',
    event: { seq: 2, at: '', body: { type: 'run.resumed', session, run } },
  })
  expect(renderWatch(resumed, style, size)).toContain('and 2 more calls are queued')
  expect(renderWatch(withRuns(resumed, []), style, size)).not.toContain('more call')
})
