import { stripVTControlCharacters } from 'node:util'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWorking } from './working.ts'

beforeEach(() => vi.useFakeTimers({ now: 0 }))
afterEach(() => vi.useRealTimers())

function opened(shows = true) {
  let text = ''
  const errors = {
    columns: 60,
    write: (piece: string) => {
      text += piece
      return true
    },
  }
  const work = createWorking({ errors: errors as never, shows, clock: () => new Date() })
  return { work, text: () => text, plain: () => stripVTControlCharacters(text) }
}

test('says nothing of what is done within a second', () => {
  const { work, text } = opened()
  work.at('Verifying the ledger')
  vi.advanceTimersByTime(900)
  work.end()
  vi.advanceTimersByTime(5_000)
  expect(text()).toBe('')
})

test('then says what it does, how far it is, for how long and how to stop it', () => {
  const { work, plain, text } = opened()
  work.at('Testing openai, 1 of 3')
  vi.advanceTimersByTime(3_100)
  expect(plain()).toMatch(/Testing openai, 1 of 3 {2}3 s, Ctrl\+C stops it$/)
  work.at('Testing ollama, 2 of 3')
  vi.advanceTimersByTime(200)
  expect(plain()).toMatch(/Testing ollama, 2 of 3 {2}3 s, Ctrl\+C stops it$/)
  work.end()
  expect(text().endsWith('\r\u001b[K')).toBe(true)
})

test('makes room for a line, and comes back under it', () => {
  const { work, text } = opened()
  work.at('Looking')
  vi.advanceTimersByTime(1_500)
  work.hide()
  expect(text().endsWith('\r\u001b[K')).toBe(true)
  vi.advanceTimersByTime(200)
  expect(text()).toMatch(/Looking {2}1 s, Ctrl\+C stops it$/)
  work.end()
})

test('never breaks a row, and shows nothing where nobody looks', () => {
  const wide = opened()
  wide.work.at('x'.repeat(200))
  vi.advanceTimersByTime(1_200)
  for (const row of wide.plain().split('\r')) expect(row.length).toBeLessThanOrEqual(60)
  wide.work.end()
  const pipe = opened(false)
  pipe.work.at('Looking')
  vi.advanceTimersByTime(9_000)
  expect(pipe.text()).toBe('')
})
