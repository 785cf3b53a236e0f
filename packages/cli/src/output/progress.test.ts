import { expect, it } from 'vitest'
import { bar, gauge } from './bar.ts'
import { createProgress } from './progress.ts'

it('draws a bar in eighths, in whole marks in plain text, and a trace of what is hardly anything', () => {
  expect(bar(1, 4, false)).toBe('████')
  expect(bar(0.53, 4, false)).toBe('██▏')
  expect(bar(0.0001, 4, false)).toBe('▏')
  expect(bar(0.5, 4, true)).toBe('##')
  expect(bar(0.0001, 4, true)).toBe('#')
  expect(bar(0, 4, false)).toBe('')
  expect(bar(Number.NaN, 4, true)).toBe('')
  expect(gauge(0.5, 4, true)).toBe('[##--]')
  expect(gauge(2, 4, false)).toBe('[████]')
})

it('writes over its line on a terminal, within its width, and takes it away', () => {
  let text = ''
  const progress = createProgress({
    write: (piece) => {
      text += piece
    },
    redraws: true,
    columns: () => 40,
  })
  progress.update(0.5, 'Fetching a file with a long name')
  progress.update(0.5, 'Fetching a file with a long name')
  progress.end()
  expect(text).toBe('\r\u001b[K[████████████░░░░░░░░░░░░]  50 %  Fetch…\r\u001b[K')
})

it('writes a line for each step and each quarter where nothing is written over', () => {
  let text = ''
  const progress = createProgress({
    write: (piece) => {
      text += piece
    },
    redraws: false,
    columns: () => 80,
  })
  for (const fraction of [0, 0.1, 0.3, 0.31, 0.6]) progress.update(fraction, 'Fetching')
  progress.update(0.61, 'Checking')
  progress.end()
  expect(text).toBe('  0 %  Fetching\n 30 %  Fetching\n 60 %  Fetching\n 61 %  Checking\n')
})
