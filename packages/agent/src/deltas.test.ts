import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createDeltas } from './deltas.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('shows the first words at once and the rest at most twenty times a second', () => {
  const shown: string[] = []
  const deltas = createDeltas(({ text }) => void shown.push(text))
  for (let index = 0; index < 500; index += 1) {
    deltas.add({ type: 'text', text: 'x' })
    if (index === 0) expect(shown).toEqual(['x'])
    vi.advanceTimersByTime(2)
  }
  expect(shown).toHaveLength(21)
  deltas.stop()
  expect(shown.join('')).toBe('x'.repeat(500))
})

test('shows nothing after it was stopped', () => {
  const shown: string[] = []
  const deltas = createDeltas(({ text }) => void shown.push(text))
  deltas.add({ type: 'text', text: 'a' })
  deltas.add({ type: 'text', text: 'b' })
  deltas.stop()
  vi.advanceTimersByTime(1_000)
  expect(shown).toEqual(['a'])
})

test('tells when an attempt no longer holds, and forgets what it still had to say', () => {
  const shown: unknown[] = []
  const deltas = createDeltas((piece) => void shown.push(piece))
  const failure = { kind: 'truncated' as const, message: 'cut' }
  deltas.add({ type: 'text', text: 'half' })
  deltas.add({ type: 'text', text: ' unsaid' })
  deltas.add({ type: 'again', failure, next: '' })
  deltas.add({ type: 'reasoning', text: 'hm' })
  deltas.add({ type: 'call', tool: 'look', text: '{"a"' })
  deltas.add({ type: 'call', tool: 'look', text: ':1}' })
  vi.advanceTimersByTime(1_000)
  deltas.stop()
  expect(shown).toEqual([
    { attempt: 0, kind: 'text', text: 'half' },
    { attempt: 1, kind: 'text', text: '' },
    { attempt: 1, kind: 'reasoning', text: 'hm' },
    { attempt: 1, kind: 'call', text: '{"a":1}', tool: 'look' },
  ])
})
