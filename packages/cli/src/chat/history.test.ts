import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createContext } from '../context.ts'
import { usualFlags } from '../testing/flags.ts'
import { testHome, testHost } from '../testing/home.ts'
import { createFooter } from './footer.ts'
import { mostLines, openChatHistory } from './history.ts'

let state: string
beforeEach(() => {
  state = mkdtempSync(join(tmpdir(), 'countersign-history-'))
})
afterEach(() => rmSync(state, { recursive: true, force: true }))

test('what was typed comes back in the next conversation, but no letter that decided', () => {
  openChatHistory({ state }).keep(['/pending', 'a', 'ok', 'What is in the\nworkspace?'])
  expect(openChatHistory({ state }).lines).toEqual(['/pending', 'What is in the\nworkspace?'])
  expect(statSync(join(state, 'chat-history')).mode & 0o777).toBe(0o600)
})

test('is bounded, and begins anew where the file is broken', () => {
  openChatHistory({ state }).keep(Array.from({ length: mostLines + 9 }, (_each, at) => `line ${at}`))
  expect(openChatHistory({ state }).lines).toHaveLength(mostLines)
  mkdirSync(state, { recursive: true })
  writeFileSync(join(state, 'chat-history'), 'not json\n')
  expect(openChatHistory({ state }).lines).toEqual([])
})

test('the arrow up brings the line before, and what is typed now is kept', async () => {
  const home = testHome()
  try {
    const host = testHost({ home, terminal: true, columns: 80 })
    Object.assign(host.input, { setRawMode: () => undefined })
    const context = createContext(host, usualFlags)
    const kept: (readonly string[])[] = []
    const footer = createFooter(context)
    const reader = footer.open({
      label: () => '> ',
      live: () => null,
      busy: () => false,
      models: () => Promise.resolve([]),
      history: { lines: ['what is due today'], keep: (lines) => kept.push(lines) },
    })
    const typed = new Promise<string>((resolve) => reader.once('line', resolve))
    const keys: PassThrough = host.typed
    keys.write('\u001b[A')
    keys.write(' again\r')
    expect(await typed).toBe('what is due today again')
    footer.close()
    expect(kept.at(-1)).toEqual(['what is due today again', 'what is due today'])
  } finally {
    home.remove()
  }
})

test('what is typed for a server is kept nowhere', async () => {
  const home = testHome()
  try {
    const host = testHost({ home, terminal: true, columns: 80 })
    Object.assign(host.input, { setRawMode: () => undefined })
    const kept: (readonly string[])[] = []
    let keeps = false
    const footer = createFooter(createContext(host, usualFlags))
    const reader = footer.open({
      label: () => '> ',
      keeps: () => keeps,
      live: () => null,
      busy: () => false,
      models: () => Promise.resolve([]),
      history: { lines: ['before'], keep: (lines) => kept.push(lines) },
    })
    const lines: string[] = []
    const all = new Promise<void>((resolve) =>
      reader.on('line', (line) => {
        keeps = true
        if (lines.push(line) === 2) resolve()
      }),
    )
    host.typed.write('passport C01X\r')
    host.typed.write('after\r')
    await all
    footer.close()
    expect(lines).toEqual(['passport C01X', 'after'])
    expect(kept).toEqual([['after', 'before']])
  } finally {
    home.remove()
  }
})
