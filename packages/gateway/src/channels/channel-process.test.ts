import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { OutboundMessage } from '@countersign/channels'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ownChild } from './channel-child.ts'
import { type ChannelProcess, startChannelProcess } from './channel-process.ts'
import { channelCommand } from './channel-sandbox.ts'

const mainPath = fileURLToPath(new URL('./testing/hostile-channel.ts', import.meta.url))
let folder: string
let opened: ChannelProcess | undefined
let taken: number
let kept: number
const problems: unknown[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-hostile-'))
  writeFileSync(join(folder, 'key'), 'the key of the home')
  problems.length = 0
  taken = 0
  kept = 0
})
afterEach(async () => {
  await opened?.close()
  opened = undefined
  rmSync(folder, { recursive: true, force: true })
})

function start(kind: string, take: () => Promise<void> = () => Promise.resolve()): ChannelProcess {
  opened = startChannelProcess({
    kind,
    open: () => ownChild(mainPath, kind),
    start: () => Promise.resolve({ settings: { secret: join(folder, 'key') }, secrets: {}, state: null }),
    take: () => {
      taken += 1
      return take()
    },
    keep() {
      kept += 1
      return new Promise(() => undefined)
    },
    stands: () => undefined,
    connected: () => undefined,
    redact: (text) => text.replaceAll('the key of the home', '…'),
    onProblem: (problem) => problems.push(problem),
  })
  return opened
}

const soon = <T>(look: () => T) => vi.waitFor(look, { timeout: 30_000, interval: 20 })

describe('a channel that was taken over', () => {
  it('reads nothing of this computer, writes nothing, starts nothing', async () => {
    const channel = start('looks')
    const found = await soon(
      () => JSON.parse(channel.standing().problem ?? 'none') as Record<string, unknown>,
    )
    expect(found).toEqual({
      secret: 'ERR_ACCESS_DENIED',
      environment: 'ERR_ACCESS_DENIED',
      passwords: 'ERR_ACCESS_DENIED',
      write: 'ERR_ACCESS_DENIED',
      program: 'ERR_ACCESS_DENIED',
      own: ['MALLOC_ARENA_MAX', 'MALLOC_TRIM_THRESHOLD_', 'PWD'],
      ids: 1_000,
    })
  })

  it('is in a tree of its own where there is bubblewrap, and is bounded by Node where there is none', () => {
    const { program, words } = channelCommand(mainPath, 'looks')
    expect(existsSync(program)).toBe(true)
    expect(program).toMatch(/bwrap$/)
    expect(words).toEqual(expect.arrayContaining(['--unshare-pid', '--unshare-user', '--permission']))
    const bare = channelCommand(mainPath, 'looks', null)
    expect(bare.program).toBe(process.execPath)
    for (const said of [words, bare.words])
      expect(said.filter((word) => word.startsWith('--allow-'))).not.toContain('--allow-fs-read=*')
  })

  it('is ended when it says what nobody knows, and the gateway goes on', async () => {
    const channel = start('rubbish')
    const first = await soon(() => {
      expect(channel.pid()).toBeDefined()
      return channel.pid()
    })
    await soon(() => expect(channel.pid()).not.toBe(first))
    expect(problems.length).toBeGreaterThan(0)
    expect(channel.standing().state).toMatch(/^(disconnected|connecting)$/)
  })

  it('is ended when it does not wait for what it gave', async () => {
    const channel = start('floods', () => new Promise(() => undefined))
    const first = await soon(() => {
      expect(channel.pid()).toBeDefined()
      return channel.pid()
    })
    await soon(() => expect(channel.pid()).not.toBe(first))
    expect(taken).toBeLessThanOrEqual(2 * 257)
  })

  it.each(['keeps', 'answers'])('is ended when it %s without end', async (kind) => {
    const channel = start(kind)
    const first = await soon(() => {
      expect(channel.pid()).toBeDefined()
      return channel.pid()
    })
    await soon(() => expect(channel.pid()).not.toBe(first))
    expect(kept).toBeLessThanOrEqual(1)
  })

  it('may be killed while much is on its way to it: nobody else falls, and what was sent is unknown or goes later', async () => {
    const channel = start('connects')
    await soon(() => expect(channel.standing().state).toBe('connected'))
    const message: OutboundMessage = {
      key: 'k',
      chat: 'c',
      thread: null,
      text: 'x'.repeat(100_000),
      format: 'plain',
      buttons: [],
      file: null,
    }
    const sends = Array.from({ length: 60 }, () => channel.send(message))
    process.kill(channel.pid() ?? 0, 'SIGKILL')
    const more = Array.from({ length: 60 }, () => channel.send(message))
    const kinds = (await Promise.all([...sends, ...more])).map(({ kind }) => kind)
    expect(new Set(kinds).isSubsetOf(new Set(['unknown', 'later']))).toBe(true)
    await soon(() => expect(channel.standing().state).toBe('connected'))
  })
})
