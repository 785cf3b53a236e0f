import type { RunId } from '@countersign/contract'
import { expect, it } from 'vitest'
import { painter, unpainted } from '../output/colour.ts'
import { liveLine } from './live.ts'
import { emptyState } from './state.ts'

const now = new Date('2026-08-01T14:00:00.000Z')
const run = `run_${'1'.repeat(32)}` as RunId
const state = { ...emptyState(null, false), lastRun: run }
const retry = {
  at: '2026-08-01T14:00:42.000Z',
  attempt: 2,
  of: 5,
  because: 'The provider limits the rate.',
  provider: 'acme',
}

it('says what the model is at, quietly', () => {
  expect(liveLine({ ...state, doing: { kind: 'thinking' } }, now, painter(true))).toBe(
    '\u001b[2mthinking…\u001b[0m',
  )
  const doing = { kind: 'calling' as const, tool: 'write_file\u001b[2J', characters: 1_204 }
  expect(liveLine({ ...state, doing }, now, unpainted)).toBe(
    '… writing write_file⟨U+001B⟩[2J (1,204 characters)',
  )
})

it('counts down to the next try, and says what can be done meanwhile', () => {
  const parked = { ...state, runs: { [run]: { kind: 'parked' as const, on: 'retry', retry } } }
  expect(liveLine(parked, now, unpainted)).toBe(
    '⏳ The provider limits the rate. Next try in 0:42 (2 of 5). Ctrl-C stops it; write a message to retry now.',
  )
  expect(liveLine(parked, new Date(now.getTime() + 30_000), unpainted)).toContain('in 0:12')
})

it('says that a run is at work while nothing of it is shown', () => {
  expect(liveLine(state, now, unpainted)).toBe('working…')
})

it('says nothing while the conversation speaks for itself', () => {
  expect(liveLine(emptyState(null, false), now, unpainted)).toBeNull()
  const asked = { ...state, runs: { [run]: { kind: 'parked' as const, on: 'approval', retry: null } } }
  expect(liveLine(asked, now, unpainted)).toBeNull()
})
