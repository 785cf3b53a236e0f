import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { ChannelStanding } from './channel-process.ts'
import { createStandingNotes } from './standing-notes.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function notes() {
  const written: string[] = []
  const { note } = createStandingNotes({
    lastsMs: 1_000,
    write: (channel, state, problem) => written.push(`${channel} ${state} ${problem ?? ''}`.trim()),
  })
  const becomes = (state: ChannelStanding['state'], problem: string | null = null) =>
    note('chat', { state, since: new Date(0), problem, account: null })
  return { written, becomes }
}

it('writes down a state that lasts, once', () => {
  const { written, becomes } = notes()
  becomes('connecting')
  becomes('connected')
  becomes('connected')
  vi.advanceTimersByTime(5_000)
  becomes('connected')
  becomes('disconnected', 'The server is away.')
  vi.advanceTimersByTime(5_000)
  expect(written).toEqual(['chat connected', 'chat disconnected The server is away.'])
})

it('writes down nothing of what comes and goes', () => {
  const { written, becomes } = notes()
  becomes('connected')
  vi.advanceTimersByTime(5_000)
  for (let times = 0; times < 10; times += 1) {
    becomes('disconnected', 'Gone.')
    vi.advanceTimersByTime(900)
    becomes('connected')
    vi.advanceTimersByTime(900)
  }
  expect(written).toEqual(['chat connected'])
})
