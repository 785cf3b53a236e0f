import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Duplex, duplexPair } from 'node:stream'
import {
  type JsonObject,
  type PluginChannelEnd,
  PluginHead,
  pluginFile,
  pluginRights,
  type ToolResult,
} from '@countersign/contract'
import { filesInFolder, skillReport, treeFilesOf } from '@countersign/contract/skills'
import { serverNamed } from '@countersign/tools'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Executor, openExecutor } from '../executor.ts'
import { createTestHost, sealTestPermit, type TestHost } from '../testing/host.ts'

let root: string
let host: TestHost
let executor: Executor
let platform: Server
let port: number
let asked: { readonly path: string; readonly key: string }[]
const signal = new AbortController().signal

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'plugin-channels-'))
  asked = []
  platform = createServer((request, response) => {
    asked.push({ path: request.url ?? '', key: String(request.headers['authorization'] ?? '') })
    response.end('hello')
  })
  await new Promise<void>((resolve) => platform.listen(0, '127.0.0.1', resolve))
  port = (platform.address() as AddressInfo).port
  host = createTestHost({
    allowPrivate: [
      { host: '127.0.0.1', port },
      { host: '127.0.0.1', port: 9 },
    ],
    ports: [],
  })
  executor = await openExecutor(host.options)
  executor.setWorld(host.world)
  put('src/plugin.ts', code('Notes'))
  put(pluginFile, JSON.stringify(manifest(), null, 2))
})
afterEach(async () => {
  await executor.close()
  platform.close()
  host.remove()
  rmSync(root, { recursive: true, force: true })
})

const declared = {
  title: 'Notes',
  about: 'Notes between friends.',
  steps: ['Make an account.'],
  settings: { room: { kind: 'text', about: 'Where it writes.', optional: false } },
  secret: 'The key of the account',
  text: { most: 1_000, unit: 'characters' },
  files: null,
  can: { edit: false, typing: false, buttons: false, groups: false },
  sendsOnce: true,
  proves: 'sender',
} as const

const manifest = () => ({
  api: 1,
  name: 'notes',
  version: '1.0.0',
  description: 'Carries notes.',
  author: 'Ana',
  main: 'src/plugin.ts',
  hosts: [`127.0.0.1:${port}`],
  secrets: { OTHER: 'of its tool' },
  data: true,
  tools: [
    {
      name: 'ping',
      description: 'Say pong.',
      input: { type: 'object', properties: {}, additionalProperties: false },
      tier: 0,
      example: {},
    },
  ],
  channel: declared,
})

/** What it is called in its code may be something else than in its manifest. */
const code = (
  title: string,
) => `import { readdirSync } from 'node:fs'; import { pluginChannel, webCall } from 'countersign/channels'; import { pluginTool, z } from 'countersign/tools'

export default [
  pluginTool({
    name: 'ping', description: 'Say pong.', input: z.strictObject({}), tier: 0, example: {}, run: () => 'pong',
  }),
]

const outcome = async (url) => {
  const answer = await webCall(url, { method: 'GET', most: 1000, patienceMs: 5000, signal: AbortSignal.timeout(9000) })
  return answer.kind === 'answered' ? answer.status : answer.kind
}

export const channel = pluginChannel({
  ...${JSON.stringify({ ...declared, title: '' })},
  title: ${JSON.stringify(title)},
  async open({ settings, credential, connected, signal }) {
    const there = await webCall(\`http://127.0.0.1:\${settings.port}/\${settings.room}\`, {
      method: 'GET', headers: { authorization: credential }, most: 1000, patienceMs: 5000, signal,
    })
    connected({
      id: 'us',
      name: JSON.stringify({
        there: there.kind === 'answered' ? new TextDecoder().decode(there.body) : there.problem,
        elsewhere: await outcome('http://127.0.0.1:9/'),
        variables: Object.keys(process.env).filter((name) => /OTHER|PLUGIN|SECRET/.test(name)),
        root: readdirSync('/').filter((name) => ['data', 'workspace', 'home', 'root'].includes(name)),
      }),
    })
    return { send: async () => ({ kind: 'sent', message: 'm' }), close: async () => undefined }
  },
})
`

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

async function wished(more: JsonObject = {}): Promise<JsonObject> {
  const found = await filesInFolder(root)
  if (found.kind === 'refused') throw new Error(found.reason)
  return {
    name: 'notes',
    files: treeFilesOf(found.files),
    text: readFileSync(join(root, pluginFile), 'utf8'),
    report: skillReport(found.files),
    folders: [],
    hosts: [{ host: '127.0.0.1', port }],
    secrets: {},
    data: true,
    tiers: { ping: 0 },
    from: root,
    source: 'a test',
    replaces: null,
    ...more,
  }
}

async function use(tool: string, args: JsonObject): Promise<ToolResult> {
  const permit = await sealTestPermit(host, { tool, args }, executor.resolve)
  const reply = await executor.execute(permit, signal)
  if (reply.kind !== 'done') throw new Error(`${tool}: ${JSON.stringify(reply)}`)
  return reply.result
}

const entry = () => serverNamed(executor.extensions.current(), 'notes')

interface Opened {
  readonly end: Promise<PluginChannelEnd>
  readonly heard: Record<string, unknown>[]
  tell(message: object): void
  said(type: string): Promise<Record<string, unknown>>
  readonly line: Duplex
}

function open(launch = entry()?.launchHash ?? ''): Opened {
  const [near, line] = duplexPair()
  const heard: Record<string, unknown>[] = []
  let rest = ''
  line.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    heard.push(...lines.map((each) => JSON.parse(each) as Record<string, unknown>))
    line.emit('heard')
  })
  const end = executor.channel({ plugin: 'notes', launch }, near, signal)
  return {
    end,
    heard,
    line,
    tell: (message) => void line.write(`${JSON.stringify(message)}\n`),
    async said(type) {
      for (;;) {
        const found = heard.find((message) => message['type'] === type)
        if (found) return found
        const over = await Promise.race([
          new Promise<undefined>((resolve) => line.once('heard', () => resolve(undefined))),
          end,
        ])
        if (over) throw new Error(`It ended before ${type}: ${over.reason}`)
      }
    },
  }
}

const start = () => ({
  type: 'start',
  settings: { room: 'kitchen', port },
  secrets: { credential: 'the key' },
  state: null,
})

describe('the channel of a plugin', () => {
  it('says on its card what it is', () => {
    const { hosts: _, tools: __, ...head } = manifest()
    const rights = pluginRights(
      { manifest: PluginHead.parse(head), folders: [], hosts: [], secrets: {}, data: false },
      [],
    )
    expect(rights).toContain('Is the channel plugin-notes, "Notes"')
    expect(rights).toContain('Is given one credential when you add the channel: "The key of the account"')
  })

  it('runs in the sandbox with its hosts and its credential, and nothing that is of its tools', async () => {
    // The setting for the port is one that only this test has.
    const withPort = { ...declared.settings, port: { kind: 'number', about: 'Where.', optional: false } }
    put('src/plugin.ts', code('Notes').replace(JSON.stringify(declared.settings), JSON.stringify(withPort)))
    put(pluginFile, JSON.stringify({ ...manifest(), channel: { ...declared, settings: withPort } }, null, 2))
    await use('add_plugin', await wished())
    const channel = open()
    await channel.said('up')
    channel.tell(start())
    const { account } = (await channel.said('connected')) as { account: { name: string } }
    expect(JSON.parse(account.name)).toEqual({
      there: 'hello',
      elsewhere: expect.not.stringMatching(/^200$/) as unknown,
      variables: [],
      root: [],
    })
    expect(asked).toEqual([{ path: '/kitchen', key: 'the key' }])
    channel.tell({ type: 'stop' })
    expect(await channel.end).toEqual({ reason: 'It ended.', final: false })
  })

  it.each([
    ['its channel', () => put('src/plugin.ts', code('Other notes'))],
    ['a tool', () => put('src/plugin.ts', code('Notes').replaceAll('Say pong', 'Send all'))],
  ])('is stopped with all of the plugin when its code has %s otherwise', async (_, change) => {
    change()
    await use('add_plugin', await wished())
    const channel = open()
    const end = await channel.end
    expect(end).toMatchObject({ final: true })
    expect(end.reason).toContain('is not what its manifest says')
    expect(channel.heard).toEqual([])
    expect(entry()?.strayed).toBe(true)
    expect((await open().end).reason).toContain('is not what its manifest says')
    const { launchHash = '', tools = [] } = entry() ?? {}
    const call = {
      server: 'notes',
      tool: 'ping',
      definition: tools[0]?.definition ?? '',
      input: {},
      secrets: [],
    }
    const looked = await executor.resolve('call_server_tool', JSON.stringify({ ...call, plugin: true }))
    expect(looked).toMatchObject({ kind: 'invalid' })
    expect(launchHash).not.toBe('')
  })

  it('ends when its plugin is paused or removed, and with the gateway', async () => {
    await use('add_plugin', await wished())
    const first = open()
    await first.said('up')
    await use('switch_server', { server: 'notes', paused: true, plugin: true })
    expect(await first.end).toEqual({ reason: 'The plugin notes is paused.', final: true })
    expect(await open().end).toMatchObject({ final: true })
    await use('switch_server', { server: 'notes', paused: false, plugin: true })
    const second = open()
    await second.said('up')
    second.line.destroy()
    expect(await second.end).toMatchObject({ final: false })
    const third = open()
    await third.said('up')
    const { launchHash: launch = '' } = entry() ?? {}
    await use('remove_server', { server: 'notes', plugin: true })
    expect(await third.end).toEqual({ reason: 'There is no plugin notes that is a channel.', final: true })
    expect(await open(launch).end).toMatchObject({ final: true })
  })

  it('is started as it was let in, and no other plugin for it', async () => {
    await use('add_plugin', await wished())
    expect(await open('0'.repeat(64)).end).toEqual({
      reason: 'The plugin notes is not as it was.',
      final: true,
    })
  })
})
