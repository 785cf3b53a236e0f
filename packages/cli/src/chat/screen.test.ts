import { expect, it } from 'vitest'
import { unpainted } from '../output/colour.ts'
import { createScreen } from './screen.ts'
import type { ChatOutput } from './state.ts'

const retry = {
  at: '2026-08-01T14:00:42.000Z',
  attempt: 2,
  of: 5,
  because: 'The provider limits the rate.',
  provider: 'acme',
}

/** Writes into a terminal of a few rows, and gives back what stands there. */
function screenOf(size?: { columns: number; rows: number }) {
  const terminal = { text: '', keys: 0 }
  const screen = createScreen({
    write: (text) => {
      terminal.text += text
    },
    beforeWrite: () => undefined,
    afterLine: () => undefined,
    paint: unpainted,
    clock: () => new Date('2026-08-01T14:00:00.000Z'),
    retryHint: 'Wait.',
    keys: () => terminal.keys,
    ...(size ? { size: () => size } : {}),
  })
  return { screen, terminal, play: (...shows: ChatOutput[]) => shows.forEach((show) => screen.show(show)) }
}

const piece = (text: string): ChatOutput => ({ kind: 'piece', text })
const withdrawn: ChatOutput = { kind: 'withdrawn' }

it('takes what was streamed off a terminal, however many rows it took', () => {
  const { terminal, play } = screenOf({ columns: 10, rows: 24 })
  play(piece('Hello '), piece('wide world\nand more'), withdrawn, piece('Good day'), { kind: 'reply-ended' })
  // Sixteen characters are two rows of ten, and the last line is the third.
  expect(terminal.text).toBe('Hello wide world\nand more\r\u001b[2A\u001b[JGood day\n')
})

it('takes one row off without moving up, and a whole line with the row below it', () => {
  const one = screenOf({ columns: 80, rows: 24 })
  one.play(piece('Hel'), withdrawn)
  expect(one.terminal.text).toBe('Hel\r\u001b[J')
  const whole = screenOf({ columns: 80, rows: 24 })
  whole.play(piece('Hello\n'), withdrawn)
  expect(whole.terminal.text).toBe('Hello\n\r\u001b[1A\u001b[J')
})

it('never takes off what came before the stream', () => {
  const { terminal, play } = screenOf({ columns: 80, rows: 24 })
  play(piece('old'), { kind: 'reply-ended' }, piece('new'), withdrawn)
  expect(terminal.text).toBe('old\nnew\r\u001b[J')
  const noted = screenOf({ columns: 80, rows: 24 })
  noted.play(piece('new'), { kind: 'notice', text: 'Reconnecting…' }, withdrawn)
  expect(noted.terminal.text).toBe('new\nReconnecting…\n(Ignore the text above; the reply starts again.)\n')
})

it.each([
  ['a stream that has left the screen', { columns: 10, rows: 2 }],
  ['where nothing is written over', undefined],
])('marks %s instead', (_what, size) => {
  const { terminal, play } = screenOf(size)
  play(piece('a\nb\nc'), withdrawn, piece('d'), { kind: 'reply-ended' })
  expect(terminal.text).toBe('a\nb\nc\n(Ignore the text above; the reply starts again.)\nd\n')
})

it('marks a stream that something was typed into, since its rows are not known then', () => {
  const { terminal, play } = screenOf({ columns: 80, rows: 24 })
  terminal.keys = 3
  play(piece('Hel'))
  terminal.keys = 4
  play(withdrawn, piece('Good'), withdrawn)
  expect(terminal.text).toBe('Hel\n(Ignore the text above; the reply starts again.)\nGood\r\u001b[J')
})

it('takes off both parts of a stream that was broken for the live line', () => {
  const { screen, terminal, play } = screenOf({ columns: 80, rows: 24 })
  play(piece('Let me look'))
  screen.breakLine()
  play(piece('again'), withdrawn)
  expect(terminal.text).toBe('Let me look\nagain\r\u001b[1A\u001b[J')
})

it('writes a retry as a line where nothing counts down, and leaves it to the live line elsewhere', () => {
  const plain = screenOf()
  plain.play({ kind: 'retry', retry })
  expect(plain.terminal.text).toBe('⏳ The provider limits the rate. Next try in 0:42 (2 of 5). Wait.\n')
  const live = screenOf({ columns: 80, rows: 24 })
  live.play({ kind: 'retry', retry })
  expect(live.terminal.text).toBe('')
})

it('shows no control character of a provider', () => {
  const { terminal, play } = screenOf()
  play(
    { kind: 'retry', retry: { ...retry, because: 'Busy\u001b[2J' } },
    { kind: 'warning', text: '⚠ \u001b[2J' },
  )
  expect(terminal.text).not.toContain('\u001b')
})
