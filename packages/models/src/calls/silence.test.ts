import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchSilence } from './silence.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const caller = () => new AbortController().signal

test('stops after a silence, which begins anew with every word', () => {
  const watch = watchSilence(caller(), 400, 60_000)
  for (let word = 0; word < 10; word += 1) {
    watch.listen()
    vi.advanceTimersByTime(399)
    watch.heard()
  }
  expect(watch.signal.aborted).toBe(false)
  watch.listen()
  vi.advanceTimersByTime(400)
  expect(watch.signal.aborted).toBe(true)
  expect(watch.failure()).toEqual({ kind: 'timeout', message: 'The model provider was silent for 400 ms.' })
})

test('does not count what its reader takes', () => {
  const watch = watchSilence(caller(), 400, 60_000)
  watch.heard()
  vi.advanceTimersByTime(50_000)
  watch.listen()
  vi.advanceTimersByTime(399)
  expect(watch.signal.aborted).toBe(false)
})

test('stops a reply that takes too long, however much is heard', () => {
  const watch = watchSilence(caller(), 400, 2_000)
  for (let word = 0; word < 20; word += 1) {
    watch.heard()
    watch.listen()
    vi.advanceTimersByTime(100)
  }
  expect(watch.failure()).toEqual({ kind: 'timeout', message: 'The reply did not end within 2 s.' })
})

test('leaves no timer behind', () => {
  watchSilence(caller(), 400, 2_000).end()
  expect(vi.getTimerCount()).toBe(0)
})
