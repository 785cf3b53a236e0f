import { PassThrough } from 'node:stream'
import {
  type Channel,
  type InstalledExtensions,
  InstalledServer,
  noExtensions,
  PluginChannel,
} from '@countersign/contract'
import { beforeEach, describe, expect, it } from 'vitest'
import { createChannelKinds } from './channel-kinds.ts'
import { pauseOrphans } from './orphaned-channels.ts'

const declared = PluginChannel.parse({
  title: 'Board',
  about: 'A board.',
  steps: ['Ask.'],
  settings: {
    server: { kind: 'text', about: 'Where.' },
    tone: { kind: 'choice', about: 'How.', choices: ['calm', 'loud'], optional: true },
    rooms: { kind: 'list', about: 'Which.', optional: true },
  },
  secret: 'Key',
  text: { most: 1_000, unit: 'characters' },
  files: null,
  can: { edit: false, typing: false, buttons: true, groups: true },
  sendsOnce: true,
  proves: 'sender',
})

const plugin = (more: object = {}) =>
  InstalledServer.parse({
    name: 'board',
    launch: {
      kind: 'plugin',
      manifest: {
        api: 1,
        name: 'board',
        version: '1.0.0',
        description: 'A board.',
        author: 'A',
        main: 'a.ts',
        channel: declared,
      },
      tree: 'a'.repeat(64),
      files: [],
      source: '',
      folders: [],
      hosts: [],
      secrets: {},
      data: false,
    },
    launchHash: 'b'.repeat(64),
    tools: [],
    offered: [],
    gone: [],
    listedAt: null,
    paused: false,
    addedAt: '2026-01-01T00:00:00.000Z',
    ...more,
  })

let installed: InstalledExtensions
let opened: object[]
beforeEach(() => {
  installed = { ...noExtensions, servers: [plugin()] }
  opened = []
})

const kinds = createChannelKinds(
  {
    extensions: () => installed,
    watchExtensions: () => () => undefined,
    channel(wanted) {
      opened.push(wanted)
      const ended = Promise.resolve({ reason: 'over', final: true })
      return { stream: new PassThrough(), ended, stop: () => undefined }
    },
  },
  '/nowhere/main.js',
)

describe('the kinds of channels', () => {
  it('are those of the product and those of plugins, and no plugin stands for one of the product', () => {
    const before = kinds.all().length
    expect(kinds.find('plugin-board')).toMatchObject({ title: 'Board', kind: 'plugin-board' })
    installed = { ...noExtensions, servers: [plugin({ name: 'telegram' })] }
    expect(kinds.find('telegram')?.title).toBe('Telegram')
    expect(kinds.all()).toHaveLength(before)
  })

  it('lets nobody decide anything, and nothing in from the web, by a plugin', () => {
    expect(kinds.find('plugin-board')).toMatchObject({ decides: 0, web: false, proves: 'sender' })
  })

  it('takes the settings that the manifest names, and nothing else', () => {
    const { settings } = kinds.find('plugin-board') ?? {}
    expect(settings?.safeParse({ server: 'https://a.example', rooms: ['a'] }).success).toBe(true)
    for (const wrong of [{}, { server: 1 }, { server: 'a', tone: 'wild' }, { server: 'a', more: 1 }])
      expect(settings?.safeParse(wrong).success, JSON.stringify(wrong)).toBe(false)
  })

  it('says why one cannot run, and starts one as it was let in', async () => {
    expect(kinds.problem('plugin-board')).toBeNull()
    expect(kinds.problem('telegram')).toBeNull()
    const channel = { kind: 'plugin-board', broughtAt: '2026-01-01T00:00:00.000Z' }
    expect(await kinds.open(channel).ended).toEqual({ problem: 'over', final: true })
    expect(opened).toEqual([{ plugin: 'board', launch: 'b'.repeat(64) }])
    installed = { ...noExtensions, servers: [plugin({ paused: true })] }
    expect(kinds.problem('plugin-board')).toContain('is paused')
    installed = { ...noExtensions, servers: [plugin({ strayed: true })] }
    expect(kinds.problem('plugin-board')).toContain('is not what its manifest says')
    installed = { ...noExtensions, servers: [plugin({ gone: ['a'] })] }
    expect(kinds.problem('plugin-board')).toContain('is not what its manifest says')
    // Another one of the name is other code.
    installed = { ...noExtensions, servers: [plugin({ addedAt: '2026-01-02T00:00:00.000Z' })] }
    expect(() => kinds.open(channel)).toThrow('was removed')
    installed = noExtensions
    expect(kinds.problem('plugin-board')).toContain('was removed')
    expect(() => kinds.open(channel)).toThrow('was removed')
  })
})

describe('a channel whose plugin was removed', () => {
  const channel = (kind: string, paused = false): Channel => ({
    name: 'team',
    kind,
    settings: {},
    choices: { groups: [], approvals: true, notices: true, paused },
    ...(kind === 'plugin-board' ? { broughtAt: '2026-01-01T00:00:00.000Z' } : {}),
  })

  async function pausedOf(kept: readonly Channel[]) {
    const chosen: unknown[] = []
    const told: unknown[] = []
    await pauseOrphans(
      {
        kinds,
        operator: 'op_1' as never,
        store: {
          choose: async (_by, name, choices) => {
            chosen.push([name, choices])
            return undefined as never
          },
        },
        records: {
          change: async (_operator: unknown, work: (tx: never) => unknown) =>
            work({
              record: (entry: unknown) => told.push(entry),
              emit: (event: unknown) => told.push(event),
            } as never) as never,
        },
      },
      kept,
    )
    return { chosen, told }
  }

  it('is paused once and says so; the others stay', async () => {
    installed = noExtensions
    const { chosen, told } = await pausedOf([channel('plugin-board'), channel('telegram')])
    expect(chosen).toEqual([['team', { paused: true }]])
    expect(told).toMatchObject([
      { type: 'channel.plugin_gone', data: { name: 'team', plugin: 'board' } },
      { type: 'notice', text: expect.stringContaining('plugin board was removed') as unknown },
    ])
    expect((await pausedOf([channel('plugin-board', true)])).chosen).toEqual([])
    installed = { ...noExtensions, servers: [plugin({ paused: true })] }
    expect((await pausedOf([channel('plugin-board')])).chosen).toEqual([])
    installed = { ...noExtensions, servers: [plugin({ addedAt: '2026-01-02T00:00:00.000Z' })] }
    expect((await pausedOf([channel('plugin-board')])).chosen).toEqual([['team', { paused: true }]])
  })
})
