import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ExecuteReply,
  type InstalledServer,
  type JsonObject,
  nothingGiven,
  type StdioLaunch,
  type Tier,
  type ToolResult,
} from '@countersign/contract'
import { readTree } from '@countersign/contract/node'
import { launchHash, serverNamed, serverToolFacts, toolDefinitionHash } from '@countersign/tools'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Executor, openExecutor } from '../executor.ts'
import {
  createTestHost,
  type PermitRequest,
  pressResolved,
  sealTestPermit,
  type TestHost,
} from '../testing/host.ts'
import { openVaultAt } from '../vault/vault-paths.ts'
import { copyPackage } from './testing/package-tree.ts'

let packages: string
const programs = new Map<string, string>()
let host: TestHost
let executor: Executor
const signal = new AbortController().signal

beforeAll(() => {
  packages = mkdtempSync(join(tmpdir(), 'packages-'))
  for (const name of ['everything', 'filesystem', 'memory']) {
    const program = copyPackage(`@modelcontextprotocol/server-${name}`, join(packages, name))
    programs.set(name, `/extension/${program}`)
  }
  mkdirSync(join(packages, 'odd'))
  const odd = join(dirname(fileURLToPath(import.meta.url)), 'testing', 'odd-server.cjs')
  cpSync(odd, join(packages, 'odd', 'server.cjs'))
  programs.set('odd', '/extension/server.cjs')
})
afterAll(() => rmSync(packages, { recursive: true, force: true }))

beforeEach(async () => {
  host = createTestHost()
  await open()
})
afterEach(async () => {
  await executor.close()
  host.remove()
})

async function open(): Promise<void> {
  executor = await openExecutor(host.options)
  executor.setWorld(host.world)
}

const wish = (more: Partial<PermitRequest> & Pick<PermitRequest, 'tool' | 'args'>): PermitRequest => more

async function execute(request: PermitRequest): Promise<ExecuteReply> {
  return executor.execute(await sealTestPermit(host, request, executor.resolve), signal)
}

async function use(tool: string, args: JsonObject): Promise<ToolResult> {
  const reply = await execute(wish({ tool, args }))
  if (reply.kind !== 'done') throw new Error(`${tool}: ${JSON.stringify(reply)}`)
  return reply.result
}

async function launchOf(
  name: string,
  more: Partial<StdioLaunch> & { words?: string[] } = {},
): Promise<StdioLaunch> {
  const found = await readTree(join(packages, name))
  if (found.kind !== 'tree') throw new Error(found.reason)
  const { words = [], ...launch } = more
  return {
    kind: 'stdio',
    argv: ['node', programs.get(name) ?? '', ...words],
    tree: found.sha256,
    package: null,
    ...nothingGiven,
    ...launch,
  }
}

function entry(name: string): InstalledServer {
  const found = serverNamed(executor.extensions.current(), name)
  if (!found) throw new Error(`no server ${name}`)
  return found
}

async function add(name: string, launch: StdioLaunch, replaces: string | null = null): Promise<ToolResult> {
  return use('add_server', {
    name,
    launch: launch as unknown as JsonObject,
    from: join(packages, name),
    replaces,
  })
}

async function look(name: string): Promise<ToolResult> {
  return use('look_at_server', { server: name, launch: entry(name).launchHash })
}

/** The tools that it offers and that are asked for, with these tiers. */
function acceptance(name: string, tiers: Readonly<Record<string, Tier>>): JsonObject {
  const server = entry(name)
  const tools = server.offered.flatMap((tool) => {
    const tier = tiers[tool.name]
    const before = server.tools.find(({ listed }) => listed.name === tool.name)
    return tier === undefined
      ? []
      : [
          {
            tool,
            tier,
            before: before ? { tool: before.listed, tier: before.tier, cases: [], undo: null } : null,
          },
        ]
  })
  return { server: name, tools: tools as unknown as JsonObject[] }
}

async function letIn(
  name: string,
  tiers: Readonly<Record<string, Tier>>,
  launch?: StdioLaunch,
): Promise<void> {
  expect(await add(name, launch ?? (await launchOf(name)))).toMatchObject({ ok: true })
  const looked = await look(name)
  expect(looked, looked.text).toMatchObject({ ok: true })
  expect(await use('accept_server_tools', acceptance(name, tiers))).toMatchObject({ ok: true })
}

function callArgs(name: string, tool: string, input: JsonObject = {}): JsonObject {
  const qualified = `${name}__${tool.replaceAll(/[^a-z0-9]+/g, '_')}`
  const found = serverToolFacts(executor.extensions.current()).find((each) => each.name === qualified)
  if (!found?.unwrap) throw new Error(`no tool ${tool} of ${name}`)
  const inner = found.unwrap(input)
  if (inner.kind !== 'one') throw new Error('one call')
  return inner.call.args
}

const call = (name: string, tool: string, input: JsonObject = {}) =>
  use('call_server_tool', callArgs(name, tool, input))

describe('a server in the sandbox', () => {
  it('is let in, looked at, accepted and used, and its answer is a stranger’s', async () => {
    await letIn('everything', { echo: 0, 'get-sum': 1 }, await launchOf('everything', { words: ['stdio'] }))
    expect(serverToolFacts(executor.extensions.current()).map(({ name }) => name)).toEqual([
      'everything__echo',
      'everything__get_sum',
    ])
    const result = await call('everything', 'echo', { message: 'hello' })
    expect(result).toMatchObject({
      ok: true,
      text: 'Echo: hello',
      label: { integrity: 'untrusted', confidentiality: 'private', sources: ['server everything'] },
    })
    expect((await call('everything', 'get-sum', { a: 2, b: 3 })).text).toContain('5')
    expect(entry('everything').offered.map(({ name }) => name)).toContain('get-env')
    // What it was not accepted for is no tool, whatever it lists.
    expect(() => callArgs('everything', 'get-env')).toThrow('no tool')
  })

  it('gives its resources and prompts as tools of its own', async () => {
    const tiers = {
      'mcp:list_resources': 0,
      'mcp:read_resource': 0,
      'mcp:list_prompts': 0,
      'mcp:get_prompt': 0,
    } as const
    await letIn('everything', tiers, await launchOf('everything', { words: ['stdio'] }))
    const listed = await call('everything', 'mcp_list_resources')
    const [uri = ''] = /\S+:\/\/\S+/.exec(listed.text) ?? []
    expect(uri).not.toBe('')
    expect(await call('everything', 'mcp_read_resource', { uri })).toMatchObject({ ok: true })
    expect((await call('everything', 'mcp_list_prompts')).text).toContain('simple-prompt')
    const prompt = await call('everything', 'mcp_get_prompt', { name: 'simple-prompt' })
    expect(prompt.text).toMatch(/^\[user\]/)
    expect(await call('everything', 'mcp_get_prompt', { name: 'no such prompt' })).toMatchObject({
      ok: false,
    })
  })

  it('sees of secrets and the environment what was named for it, and nothing else', async () => {
    await executor.close()
    const vault = {
      file: join(host.folder, 'vault.age'),
      key: join(host.folder, 'vault-key'),
      record: join(host.folder, 'vault-record'),
      account: 'test',
      wanted: 'file',
    } as const
    host = { ...host, options: { ...host.options, vault } }
    const kept = await openVaultAt(vault)
    const pins = {
      description: '',
      destinations: [{ scheme: 'https', host: 'api.example.com', port: 443 }],
      tools: [],
    } as const
    await kept.put('everything_token', { value: 'value-of-the-token', ...structuredClone(pins) } as never)
    await kept.put('other_token', { value: 'value-of-another', ...structuredClone(pins) } as never)
    process.env['GATEWAY_SECRET'] = 'value-of-the-gateway'
    await open()
    const launch = await launchOf('everything', {
      words: ['stdio'],
      environment: { COLOUR: 'green' },
      hosts: [{ host: 'api.example.com', port: 443 }],
      secrets: { API_TOKEN: 'everything_token' },
    })
    await letIn('everything', { 'get-env': 0 }, launch)
    const result = await call('everything', 'get-env')
    // It was annotated as harmless, and prints all that it has.
    expect(entry('everything').tools[0]?.listed.annotations).toMatchObject({ readOnlyHint: true })
    const seen = JSON.parse(result.text) as Record<string, string>
    expect(seen['COLOUR']).toBe('green')
    expect(seen['API_TOKEN']).toBe('‹secret:everything_token›')
    expect(JSON.stringify(seen)).not.toMatch(/value-of/)
    expect(
      Object.keys(seen)
        .filter(
          (name) =>
            !/^(PATH|HOME|TMPDIR|LANG|PWD|SHLVL|_|GIT_|PY|MYPY|RUFF|npm_config_|NODE_USE|https?_proxy)/i.test(
              name,
            ),
        )
        .toSorted(),
    ).toEqual(['API_TOKEN', 'COLOUR'])
    delete process.env['GATEWAY_SECRET']
  })

  it('is given no secret that is not kept for every host that was named for it', async () => {
    const launch = await launchOf('everything', {
      words: ['stdio'],
      hosts: [{ host: 'evil.example.com', port: 443 }],
      secrets: { API_TOKEN: 'everything_token' },
    })
    await add('everything', launch)
    await expect(look('everything')).rejects.toThrow('There is no secret everything_token')
    const without = { ...launch, hosts: [] } as unknown as JsonObject
    await expect(use('add_server', { name: 'second', launch: without })).rejects.toThrow('Name its hosts')
  })

  it('sees the folders that were named for it, as they were named', async () => {
    for (const name of ['read', 'write', 'closed']) {
      mkdirSync(join(host.workspace, name))
      writeFileSync(join(host.workspace, name, 'a.txt'), name)
    }
    const launch = await launchOf('filesystem', {
      words: ['/workspace/read', '/workspace/write'],
      folders: [
        { path: 'read', write: false },
        { path: 'write', write: true },
      ],
    })
    await letIn('filesystem', { read_text_file: 0, write_file: 1, list_directory: 0 }, launch)
    expect((await call('filesystem', 'read_text_file', { path: '/workspace/read/a.txt' })).text).toBe('read')
    expect(
      await call('filesystem', 'write_file', { path: '/workspace/write/a.txt', content: 'new' }),
    ).toMatchObject({ ok: true })
    expect(readFileSync(join(host.workspace, 'write', 'a.txt'), 'utf8')).toBe('new')
    const refused = await call('filesystem', 'write_file', { path: '/workspace/read/a.txt', content: 'new' })
    expect(refused).toMatchObject({ ok: false })
    expect(readFileSync(join(host.workspace, 'read', 'a.txt'), 'utf8')).toBe('read')
    expect(await call('filesystem', 'read_text_file', { path: '/workspace/closed/a.txt' })).toMatchObject({
      ok: false,
    })
    expect(await call('filesystem', 'read_text_file', { path: '/etc/hostname' })).toMatchObject({ ok: false })
  })

  it('keeps what it keeps until it is removed, and then nothing is left', async () => {
    const launch = await launchOf('memory', {
      data: true,
      environment: { MEMORY_FILE_PATH: '/data/memory.jsonl' },
    })
    await letIn('memory', { create_entities: 1, read_graph: 0 }, launch)
    const entities = [{ name: 'Ada', entityType: 'person', observations: ['writes programs'] }]
    expect(await call('memory', 'create_entities', { entities })).toMatchObject({ ok: true })
    await executor.close()
    await open()
    expect((await call('memory', 'read_graph')).text).toContain('writes programs')
    const args = callArgs('memory', 'read_graph')
    const permit = await sealTestPermit(host, wish({ tool: 'call_server_tool', args }), executor.resolve)
    expect(await use('remove_server', { server: 'memory' })).toMatchObject({ ok: true })
    expect(await executor.execute(permit, signal)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('There is no server memory'),
    })
    const folder = join(dirname(host.options.replayFile), 'extensions')
    expect(readdirSync(join(folder, 'trees'))).toEqual([])
    expect(existsSync(join(folder, 'data', 'memory'))).toBe(false)
    expect(JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'))).toEqual({
      v: 1,
      servers: [],
      skills: [],
      proposals: [],
    })
  })

  it('stops a tool whose definition changed until the difference is accepted', async () => {
    await letIn('odd', { fine: 0, hang: 0 })
    expect((await call('odd', 'fine')).text).toBe('fine 1')
    const args = callArgs('odd', 'fine')
    const before = entry('odd')
    const updated = await launchOf('odd', { environment: { ODD_VERSION: '2' } })
    await add('odd', updated, before.launchHash)
    // Nothing is known of its new words before it is asked; the first call asks it.
    const stopped = await call('odd', 'fine')
    expect(stopped).toMatchObject({ ok: false, text: expect.stringContaining('in other words') })
    expect(entry('odd').offered.map(({ name }) => name)).toContain('fine')
    expect(() => callArgs('odd', 'fine')).toThrow('no tool')
    await expect(use('call_server_tool', args)).rejects.toThrow('in other words')
    const facts = host.catalogue.find('accept_server_tools')
    const parsed = facts?.parse(acceptance('odd', { fine: 0 }))
    const accept = parsed?.kind === 'args' ? parsed.args : {}
    const preview = facts?.preview(accept)
    expect(preview?.kind === 'code' ? preview.code : '').toContain(
      '| - description: Says fine, version 1.\n| + description: Says fine, version 2.',
    )
    await use('accept_server_tools', accept)
    expect((await call('odd', 'fine')).text).toBe('fine 2')
  })

  it('is paused and resumed', async () => {
    await letIn('odd', { fine: 0 })
    const args = callArgs('odd', 'fine')
    await use('switch_server', { server: 'odd', paused: true })
    expect(serverToolFacts(executor.extensions.current())).toEqual([])
    await expect(use('call_server_tool', args)).rejects.toThrow('is paused')
    await use('switch_server', { server: 'odd', paused: false })
    expect((await use('call_server_tool', args)).text).toBe('fine 1')
  })

  it('stays as it is while it is pinned, and is paused all the same', async () => {
    await letIn('odd', { fine: 0 })
    await use('pin_server', { server: 'odd', pinned: true })
    expect(entry('odd').pinned).toBe(true)
    const other = await launchOf('odd', { environment: { ODD_START: 'other' } })
    await expect(add('odd', other, entry('odd').launchHash)).rejects.toThrow('is pinned')
    await use('switch_server', { server: 'odd', paused: true })
    await use('switch_server', { server: 'odd', paused: false })
    expect(entry('odd').pinned).toBe(true)
    await use('pin_server', { server: 'odd', pinned: false })
    expect(entry('odd')).not.toHaveProperty('pinned')
    expect(await add('odd', other, entry('odd').launchHash)).toMatchObject({ ok: true })
  })

  it('is started again when it has died, and tells why it could not start', async () => {
    await letIn('odd', { die: 0, fine: 0, garbage: 0, stderr: 0 })
    expect(await call('odd', 'die')).toMatchObject({
      ok: false,
      text: expect.stringContaining('gave no answer'),
    })
    expect((await call('odd', 'fine')).text).toBe('fine 1')
    expect((await call('odd', 'garbage')).text).toBe('after garbage')
    expect((await call('odd', 'stderr')).text).toBe('after noise')
    await add('odd', await launchOf('odd', { environment: { ODD_START: 'die' } }), entry('odd').launchHash)
    expect(await look('odd')).toMatchObject({
      ok: false,
      text: expect.stringContaining('I cannot start without a token.'),
    })
  })

  it.each(['flood', 'endless'])('is cut when it says too much (%s)', async (tool) => {
    await letIn('odd', { [tool]: 0, fine: 0 })
    const result = await call('odd', tool)
    expect(result.ok).toBe(false)
    expect(result.text.length).toBeLessThan(1000)
    expect(result.text).toMatch(/more than is listened to|without end/)
    expect((await call('odd', 'fine')).text).toBe('fine 1')
  })
})

describe('the executor', () => {
  it('counts a call for less where an argument holds it to what was accepted for less, and takes it back', async () => {
    await add('odd', await launchOf('odd'))
    await look('odd')
    const { offered } = entry('odd')
    const cases = [{ argument: 'domain', values: ['light', 'lamp'], tier: 1 }]
    const tools = offered
      .filter(({ name }) => name === 'fine' || name === 'list')
      .map((tool) => ({ tool, tier: 4, cases, undo: tool.name === 'fine' ? 'list' : 'fine' }))
    await use('accept_server_tools', { server: 'odd', tools } as unknown as JsonObject)
    const tierWith = async (input: JsonObject) => {
      const args = callArgs('odd', 'fine', input)
      const seen = await executor.resolve('call_server_tool', JSON.stringify({ ...args, secrets: [] }))
      const [resource] = seen.kind === 'resolved' ? seen.resolution.resources : []
      return resource?.type === 'server-tool' ? resource.tier : seen
    }
    expect(await tierWith({ domain: 'light' })).toBe(1)
    expect(await tierWith({ domain: ['lamp', 'light'] })).toBe(1)
    for (const domain of ['lock', ['light', 'lock'], [], '', null, { light: true }, 'LIGHT'])
      expect(await tierWith({ domain }), JSON.stringify(domain)).toBe(4)
    expect(await tierWith({ name: 'front door' })).toBe(4)
    const done = await call('odd', 'fine', { domain: 'light' })
    expect(JSON.parse(done.undo?.args ?? '{}')).toMatchObject({
      server: 'odd',
      tool: 'list',
      input: { domain: 'light' },
    })
    expect(await use(done.undo?.tool ?? '', JSON.parse(done.undo?.args ?? '{}') as JsonObject)).toMatchObject(
      { ok: true },
    )
  })

  it('refuses what was not accepted so', async () => {
    await letIn('odd', { fine: 2, hang: 0 })
    const args = callArgs('odd', 'fine')
    const { launchHash: launch } = entry('odd')
    const definition = args['definition'] as string
    const seen = await executor.resolve(
      'call_server_tool',
      JSON.stringify({ definition, input: {}, secrets: [], server: 'odd', tool: 'fine' }),
    )
    if (seen.kind !== 'resolved') throw new Error(seen.reason)
    const resolved = (more: JsonObject, change?: PermitRequest['change'], tier: Tier = 2) =>
      executor.execute(
        pressResolved(
          host,
          { tool: 'call_server_tool', args: { ...args, ...more }, tier, ...(change ? { change } : {}) },
          seen.resolution,
        ),
        signal,
      )
    const otherListed = { ...entry('odd').tools[0]!.listed, description: 'Other words.' }
    const refusals: [string, Promise<ExecuteReply>][] = [
      ['another definition', resolved({ definition: toolDefinitionHash(otherListed) })],
      ['a tool that was not accepted', resolved({ tool: 'die' })],
      ['the definition of another tool', resolved({ tool: 'hang' })],
      ['a server of another name', resolved({ server: 'even' })],
      ['secrets that it is not given', resolved({ secrets: ['other_token'] })],
      [
        'a tier below the accepted one',
        resolved({}, (subject) => ({ ...subject, tier: 1, decision: 'allow', approval: null, grant: null })),
      ],
      [
        'another way to start it',
        resolved({}, (subject) => ({
          ...subject,
          resources: [
            {
              ...(seen.resolution.resources[0] as object),
              launch: launchHash({ ...entry('odd').launch, argv: ['sh'] } as StdioLaunch),
            } as never,
          ],
        })),
      ],
      [
        'another accepted tier in the permit',
        resolved({}, (subject) => ({
          ...subject,
          resources: [{ ...(seen.resolution.resources[0] as object), tier: 0 } as never],
        })),
      ],
    ]
    for (const [what, reply] of refusals) expect(await reply, what).toMatchObject({ kind: 'refused' })
    expect(launch).toBe(launchHash(entry('odd').launch))
    expect(await resolved({})).toMatchObject({ kind: 'done', result: { text: 'fine 1' } })
  })

  it('refuses to let in what only the gateway sealed', async () => {
    const launch = (await launchOf('odd')) as unknown as JsonObject
    const request = wish({
      tool: 'add_server',
      args: { name: 'odd', launch, from: join(packages, 'odd') },
      sealBy: 'gateway',
    })
    expect(await execute(request)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining('device'),
    })
    expect(executor.extensions.current().servers).toEqual([])
  })

  it('refuses files that are not those of the accepted tree, before and after they are kept', async () => {
    const launch = await launchOf('odd')
    const other = { ...launch, tree: '0'.repeat(64) }
    expect(await add('odd', other)).toMatchObject({
      ok: false,
      text: expect.stringContaining('was approved'),
    })
    expect(executor.extensions.current().servers).toEqual([])
    await letIn('odd', { fine: 0 }, launch)
    const kept = join(
      dirname(host.options.replayFile),
      'extensions',
      'trees',
      launch.tree ?? '',
      'files',
      'server.cjs',
    )
    const text = readFileSync(kept, 'utf8')
    rmSync(kept)
    writeFileSync(kept, text.replace('fine ${version}', 'evil'))
    await executor.close()
    await open()
    expect(await call('odd', 'fine')).toMatchObject({ ok: false, text: expect.stringContaining('damaged') })
  })

  it('refuses a diff that is not what was accepted before', async () => {
    await letIn('odd', { fine: 0 })
    const tool = entry('odd').tools[0]!.listed
    const args = { server: 'odd', tools: [{ tool, tier: 4, before: null }] } as unknown as JsonObject
    await expect(use('accept_server_tools', args)).rejects.toThrow('not as the call says')
  })
})
