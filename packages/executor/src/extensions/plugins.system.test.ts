import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type ExecuteReply,
  type InstalledServer,
  type JsonObject,
  PluginHead,
  type PluginLaunch,
  pluginFile,
  pluginRights,
  type Tier,
  type ToolResult,
} from '@countersign/contract'
import { lineChanges } from '@countersign/contract/node'
import {
  filesInFolder,
  type SkillFiles,
  skillChanges,
  skillReport,
  treeFilesOf,
} from '@countersign/contract/skills'
import { serverNamed, serverToolFacts } from '@countersign/tools'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Executor, openExecutor } from '../executor.ts'
import { createTestHost, sealTestPermit, type TestHost } from '../testing/host.ts'

let root: string
let host: TestHost
let executor: Executor
const signal = new AbortController().signal

const scale = {
  name: 'scale',
  description: 'Scale an amount.',
  input: {
    type: 'object',
    properties: { amount: { type: 'number' }, by: { type: 'number' } },
    required: ['amount', 'by'],
    additionalProperties: false,
  },
  tier: 0,
  example: { amount: 2, by: 3 },
}

const manifest = {
  api: 1,
  name: 'recipes',
  version: '1.0.0',
  description: 'Scales recipes.',
  author: 'Ana',
  main: 'src/plugin.ts',
  tools: [scale],
}

const code = (run: string, more = '') => `import { pluginTool, z } from 'countersign/tools'
${more}
export default [
  pluginTool({
    name: 'scale',
    description: 'Scale an amount.',
    input: z.strictObject({ amount: z.number(), by: z.number() }),
    tier: 0,
    example: { amount: 2, by: 3 },
    async run({ amount, by }, context) { ${run} },
  }),
]
`

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'plugins-'))
  host = createTestHost()
  executor = await openExecutor(host.options)
  executor.setWorld(host.world)
  describes(manifest)
  put('src/plugin.ts', code('console.log("noise"); return String(amount * by)'))
})
afterEach(async () => {
  await executor.close()
  host.remove()
  rmSync(root, { recursive: true, force: true })
})

function put(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

const describes = (value: object) => put(pluginFile, JSON.stringify(value, null, 2))

async function found(folder = root): Promise<SkillFiles> {
  const files = await filesInFolder(folder)
  if (files.kind === 'refused') throw new Error(files.reason)
  return files.files
}

/** What the command line would ask for. */
async function wished(more: JsonObject = {}): Promise<JsonObject> {
  const files = await found()
  return {
    name: 'recipes',
    files: treeFilesOf(files),
    text: readFileSync(join(root, pluginFile), 'utf8'),
    report: skillReport(files),
    folders: [],
    hosts: [],
    secrets: {},
    data: false,
    tiers: { scale: 0 },
    from: root,
    source: 'a test',
    replaces: null,
    ...more,
  }
}

async function execute(tool: string, args: JsonObject): Promise<ExecuteReply> {
  return executor.execute(await sealTestPermit(host, { tool, args }, executor.resolve), signal)
}

async function use(tool: string, args: JsonObject): Promise<ToolResult> {
  const reply = await execute(tool, args)
  if (reply.kind !== 'done') throw new Error(`${tool}: ${JSON.stringify(reply)}`)
  return reply.result
}

/** Why a call cannot even be asked for. */
async function refusal(tool: string, args: JsonObject): Promise<string> {
  const reply = await executor.resolve(tool, JSON.stringify(args))
  return reply.kind === 'resolved' ? '' : reply.reason
}

function entry(): InstalledServer {
  const kept = serverNamed(executor.extensions.current(), 'recipes')
  if (!kept) throw new Error('no plugin recipes')
  return kept
}

function callArgs(tool: string, input: JsonObject): JsonObject {
  const facts = serverToolFacts(executor.extensions.current()).find(({ name }) => name === `recipes__${tool}`)
  const inner = facts?.unwrap?.(input)
  if (inner?.kind !== 'one') throw new Error(`no tool ${tool}`)
  return inner.call.args
}

const call = (input: JsonObject = { amount: 2, by: 3 }) => use('call_server_tool', callArgs('scale', input))

/** With every difference, as the command line makes it. */
async function updated(
  more: { readonly rights?: string } & JsonObject,
  before: SkillFiles,
): Promise<JsonObject> {
  const { rights = '', ...rest } = more
  return wished({
    replaces: { launch: entry().launchHash, rights, changes: skillChanges(before, await found()) },
    ...rest,
  })
}

describe('a plugin', () => {
  it('is let in by one card with its tools, runs in the sandbox, and its answer is a stranger’s', async () => {
    expect(await use('add_plugin', await wished())).toMatchObject({ ok: true })
    expect(serverToolFacts(executor.extensions.current()).map(({ name }) => name)).toEqual(['recipes__scale'])
    expect(await call()).toMatchObject({
      ok: true,
      text: '6',
      label: { integrity: 'untrusted', confidentiality: 'private', sources: ['plugin recipes'] },
    })
    const wrong = await call({ amount: 2 })
    expect(wrong).toMatchObject({ ok: false })
    expect(wrong.text).toContain('Wrong arguments')
  })

  it.each([
    ['another text than its file', { text: '{}' }, 'not the one that its hash says'],
    ['another name than its own', { name: 'other' }, 'It calls itself recipes'],
    [
      'a host that it does not ask for',
      { hosts: [{ host: 'a.example', port: 443 }] },
      'does not ask for the host',
    ],
    ['a secret that it does not ask for', { secrets: { KEY: 'mine' } }, 'does not ask for a secret'],
    ['a folder of its own that it does not ask for', { data: true }, 'does not ask for a folder'],
    ['a tool without a tier', { tiers: {} }, 'Not each of its tools has a tier'],
    ['a tier of a tool that it has not', { tiers: { scale: 0, more: 0 } }, 'Not each of its tools'],
    [
      'a place where there is nothing',
      { replaces: { launch: '0'.repeat(64), rights: '', changes: '' } },
      'not as it was',
    ],
  ] as const)('is not asked for with %s', async (_what, more, reason) => {
    expect(await refusal('add_plugin', await wished(more as unknown as JsonObject))).toContain(reason)
    expect(await refusal('add_plugin', await wished())).toBe('')
  })

  it.each([
    ['a version of the api that is not ours', { ...manifest, api: 2 }, 'plugins of the api 1'],
    ['a main file that leads elsewhere', { ...manifest, main: '../other.ts' }, 'main: a path'],
    ['a main file that is not there', { ...manifest, main: 'src/other.ts' }, 'no file src/other.ts'],
    ['a key that nobody knows', { ...manifest, more: 1 }, 'nrecognized key'],
    ['two tools of one name', { ...manifest, tools: [scale, scale] }, 'one name'],
    ['invisible words', { ...manifest, description: 'Scales\u200b.' }, 'invisible'],
  ])('is refused with %s', async (_what, told, reason) => {
    describes(told)
    expect(await refusal('add_plugin', await wished())).toContain(reason)
  })

  it('is not let in with other files or another report than were shown', async () => {
    const shown = await wished()
    put('src/more.ts', 'export {}')
    expect(await use('add_plugin', shown)).toMatchObject({ ok: false })
    expect(await use('add_plugin', await wished({ report: ['nothing'] }))).toMatchObject({ ok: false })
    expect(executor.extensions.current().servers).toEqual([])
  })

  it.each([
    [
      'more than its manifest',
      `${code('return "1"').replace(/\]\n$/, '')}
      pluginTool({ name: 'more', description: 'More.', input: z.strictObject({}), tier: 0, example: {}, run: () => 'more' }),
    ]`,
    ],
    ['less than its manifest', 'export default []'],
    ['another description', code('return "1"').replace('Scale an amount', 'Send it all')],
    ['another schema', code('return "1"').replace('by: z.number()', 'by: z.number().optional()')],
  ])('is stopped whole when it lists %s', async (_what, text) => {
    put('src/plugin.ts', text)
    expect(await use('add_plugin', await wished())).toMatchObject({ ok: true })
    const args = callArgs('scale', { amount: 1, by: 1 })
    const refused = await use('call_server_tool', args)
    expect(refused).toMatchObject({ ok: false })
    expect(refused.text).toContain('lists other tools than its manifest')
    expect(serverToolFacts(executor.extensions.current())).toEqual([])
    expect(await refusal('call_server_tool', args)).toContain('stopped')
    const before = await found()
    put('src/plugin.ts', code('return String(amount * by)'))
    expect(await use('add_plugin', await updated({}, before))).toMatchObject({ ok: true })
    expect(await call()).toMatchObject({ ok: true, text: '6' })
  })

  it('sees its own files and folder, and nothing else', async () => {
    const look = `
      const { readdirSync, writeFileSync, existsSync } = await import('node:fs')
      const seen = ['/workspace', '/home', '/root', '/data', '/extension'].map((at) => at + ':' + existsSync(at))
      const write = (at) => { try { writeFileSync(at, 'x'); return 'written' } catch { return 'refused' } }
      const net = await fetch('http://1.1.1.1/').then(() => 'reached', () => 'no network')
      return JSON.stringify({ seen, own: write('/extension/x'), runner: write('/opt/plugin/x'), data: write('/data/x'),
        folder: context.dataFolder, environment: Object.keys(process.env), net })`
    put('src/plugin.ts', code(look))
    process.env['GATEWAY_SECRET'] = 'value-of-the-gateway'
    describes({ ...manifest, data: true })
    expect(await use('add_plugin', await wished({ data: true }))).toMatchObject({ ok: true })
    const seen = JSON.parse((await call()).text) as Record<string, unknown>
    expect(seen).toMatchObject({
      own: 'refused',
      runner: 'refused',
      data: 'written',
      folder: '/data',
      net: 'no network',
    })
    expect(seen['seen']).toContain('/workspace:false')
    expect(seen['environment']).not.toContain('GATEWAY_SECRET')
    expect(
      readdirSync(
        executor.extensions.current() &&
          join(dirname(host.options.replayFile), 'extensions', 'data', 'recipes'),
      ),
    ).toEqual(['x'])
    expect(await use('remove_server', { server: 'recipes', plugin: true })).toMatchObject({ ok: true })
    expect(readdirSync(join(dirname(host.options.replayFile), 'extensions', 'trees'))).toEqual([])
    expect(readdirSync(join(dirname(host.options.replayFile), 'extensions', 'data'))).toEqual([])
    expect(executor.extensions.current().servers).toEqual([])
  })

  it('changes by a card that says what it may do otherwise, and every other line', async () => {
    await use('add_plugin', await wished())
    const before = await found()
    const head = { ...manifest, version: '1.1.0', data: true }
    describes(head)
    const wider = (tier: Tier) => {
      const { tools: _, ...more } = head
      const launch = { folders: [], hosts: [], secrets: {}, data: true, manifest: PluginHead.parse(more) }
      const was = pluginRights(entry().launch as PluginLaunch, [{ name: 'scale', tier: 0 }])
      return lineChanges(was, pluginRights(launch, [{ name: 'scale', tier }]))
    }
    const rights = wider(0)
    expect(rights).toContain('+ Keeps files of its own')
    // Neither a right nor a tier nor a line is left out.
    for (const [more, reason] of [
      [{ data: true }, 'not what was shown'],
      [{ data: true, rights, tiers: { scale: 1 } }, 'not what was shown'],
    ] as const)
      expect(await refusal('add_plugin', await updated(more, before))).toContain(reason)
    const quiet = await updated({ data: true, rights }, before)
    const { replaces } = quiet as { replaces: JsonObject }
    expect(await use('add_plugin', { ...quiet, replaces: { ...replaces, changes: '' } })).toMatchObject({
      ok: false,
    })
    expect(await use('add_plugin', quiet)).toMatchObject({ ok: true })
    expect(entry().launch).toMatchObject({ data: true, manifest: { version: '1.1.0' } })
  })

  it('is paused, pinned and removed like a server, by its own name', async () => {
    await use('add_plugin', await wished())
    const before = await found()
    expect(await refusal('remove_server', { server: 'recipes' })).toContain('no server recipes')
    expect(await refusal('look_at_server', { server: 'recipes', launch: entry().launchHash })).toContain(
      'no server',
    )
    await use('switch_server', { server: 'recipes', paused: true, plugin: true })
    expect(serverToolFacts(executor.extensions.current())).toEqual([])
    await use('switch_server', { server: 'recipes', paused: false, plugin: true })
    await use('pin_server', { server: 'recipes', pinned: true, plugin: true })
    put('src/plugin.ts', code('return "other"'))
    expect(await refusal('add_plugin', await updated({}, before))).toContain('pinned')
    await use('pin_server', { server: 'recipes', pinned: false, plugin: true })
    expect(await use('add_plugin', await updated({}, before))).toMatchObject({ ok: true })
    expect(await call()).toMatchObject({ text: 'other' })
    const read = await use('read_plugin_file', { plugin: 'recipes', path: 'src/plugin.ts' })
    expect(read).toMatchObject({ ok: true, label: { integrity: 'untrusted' } })
  })
})
