/** Servers of npm as they are: used, killed while nobody looks, started again, and updated to one that says other things. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { InstalledServer, JsonObject, StdioLaunch, ToolResult } from '@countersign/contract'
import { readTree } from '@countersign/contract/node'
import { serverNamed, serverToolFacts } from '@countersign/tools'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Executor, openExecutor } from '../executor.ts'
import { createTestHost, sealTestPermit, type TestHost } from '../testing/host.ts'
import { copyPackage } from './testing/package-tree.ts'

interface RealServer {
  readonly name: string
  readonly words: readonly string[]
  readonly tool: string
  readonly args: JsonObject
  /** Of what it answers. */
  readonly says: string
  readonly launch?: Partial<StdioLaunch>
}

const real: readonly RealServer[] = [
  { name: 'everything', words: ['stdio'], tool: 'echo', args: { message: 'hello' }, says: 'Echo: hello' },
  {
    name: 'filesystem',
    words: ['/workspace/notes'],
    tool: 'read_text_file',
    args: { path: '/workspace/notes/a.txt' },
    says: 'what is written',
    launch: { folders: [{ path: 'notes', write: false }] },
  },
  {
    name: 'memory',
    words: [],
    tool: 'read_graph',
    args: {},
    says: 'entities',
    launch: { data: true, environment: { MEMORY_FILE_PATH: '/data/memory.jsonl' } },
  },
]

let packages: string
let host: TestHost
let executor: Executor

beforeAll(async () => {
  packages = mkdtempSync(join(tmpdir(), 'real-servers-'))
  host = createTestHost()
  mkdirSync(join(host.workspace, 'notes'))
  writeFileSync(join(host.workspace, 'notes', 'a.txt'), 'what is written')
  executor = await openExecutor(host.options)
  executor.setWorld(host.world)
})
afterAll(async () => {
  await executor?.close()
  host?.remove()
  rmSync(packages, { recursive: true, force: true })
})

async function use(tool: string, args: JsonObject): Promise<ToolResult> {
  const permit = await sealTestPermit(host, { tool, args }, executor.resolve)
  const reply = await executor.execute(permit, new AbortController().signal)
  if (reply.kind !== 'done') throw new Error(`${tool}: ${JSON.stringify(reply)}`)
  return reply.result
}

function entry(name: string): InstalledServer {
  const found = serverNamed(executor.extensions.current(), name)
  if (!found) throw new Error(`no server ${name}`)
  return found
}

async function add({ name, words, launch }: RealServer, folder: string, program: string): Promise<void> {
  const tree = await readTree(folder)
  if (tree.kind !== 'tree') throw new Error(tree.reason)
  const replaces = serverNamed(executor.extensions.current(), name)?.launchHash ?? null
  const whole: StdioLaunch = {
    kind: 'stdio',
    argv: ['node', `/extension/${program}`, ...words],
    tree: tree.sha256,
    package: null,
    environment: {},
    folders: [],
    hosts: [],
    secrets: {},
    data: false,
    ...launch,
  }
  const added = await use('add_server', {
    name,
    launch: whole as unknown as JsonObject,
    from: folder,
    replaces,
  })
  expect(added, added.text).toMatchObject({ ok: true })
}

async function accept({ name, tool }: RealServer): Promise<void> {
  const { offered, tools } = entry(name)
  const listed = offered.find((each) => each.name === tool)
  const before = tools.find((each) => each.listed.name === tool)
  const was = before && { tool: before.listed, tier: before.tier, cases: [], undo: null }
  const args = { server: name, tools: [{ tool: listed, tier: 0, before: was ?? null }] }
  expect(await use('accept_server_tools', args as unknown as JsonObject)).toMatchObject({ ok: true })
}

async function call({ name, tool, args }: RealServer): Promise<ToolResult> {
  const facts = serverToolFacts(executor.extensions.current()).find(
    (each) => each.name === `${name}__${tool}`,
  )
  const inner = facts?.unwrap?.(args)
  if (inner?.kind !== 'one') throw new Error(`no tool ${tool} of ${name}`)
  return use('call_server_tool', inner.call.args)
}

/** Processes of this test, however deep, that run this program in a sandbox. */
function runningPids(program: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => isOurs(pid) && commandOf(pid).includes(`/extension/${program}`) && isNode(pid))
}

function isOurs(pid: number): boolean {
  for (let at = pid; at > 1; at = parentOf(at)) if (at === process.pid) return true
  return false
}

function parentOf(pid: number): number {
  const stat = readIfThere(`/proc/${pid}/stat`)
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? 0)
}

const commandOf = (pid: number): readonly string[] => readIfThere(`/proc/${pid}/cmdline`).split('\0')

function isNode(pid: number): boolean {
  try {
    return readlinkSync(`/proc/${pid}/exe`).endsWith('/node')
  } catch {
    return false
  }
}

/** Nothing of a process that has ended meanwhile. */
function readIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** The same package with other words for the tool, as a newer version could have them. */
function reworded(folder: string, { name, tool }: RealServer): string {
  const other = `${folder}-reworded`
  cpSync(folder, other, { recursive: true })
  const own = join(other, 'node_modules', '@modelcontextprotocol', `server-${name}`, 'dist')
  const said = entry(name).tools.find(({ listed }) => listed.name === tool)?.listed.description ?? ''
  const words = said.slice(0, 20)
  const holding = readdirSync(own, { recursive: true, encoding: 'utf8' })
    .map((path) => join(own, path))
    .filter((path) => path.endsWith('.js') && readFileSync(path, 'utf8').includes(words))
  expect(holding, words).not.toEqual([])
  for (const path of holding)
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(words, `Newly: ${words}`))
  return other
}

describe.each(real)('server-$name in the sandbox', (server) => {
  const { name, tool, says } = server
  let folder: string
  let program: string

  it('is let in, looked at, accepted and used', async () => {
    folder = join(packages, name)
    program = copyPackage(`@modelcontextprotocol/server-${name}`, folder)
    expect(existsSync(join(folder, program))).toBe(true)
    await add(server, folder, program)
    const looked = await use('look_at_server', { server: name, launch: entry(name).launchHash })
    expect(looked, looked.text).toMatchObject({ ok: true })
    await accept(server)
    expect((await call(server)).text).toContain(says)
  })

  it('is started again after somebody killed it', async () => {
    const before = runningPids(program)
    expect(before).not.toEqual([])
    for (const pid of before) process.kill(pid, 'SIGKILL')
    // A call that comes before its end is noticed is told that nobody answered, and the next one starts it.
    await expect.poll(async () => (await call(server)).text).toContain(says)
    const after = runningPids(program)
    expect(after).not.toEqual([])
    expect(after.filter((pid) => before.includes(pid))).toEqual([])
  })

  it('stops after an update that says other things, until the difference is accepted', async () => {
    await add(server, reworded(folder, server), program)
    expect(await call(server)).toMatchObject({ ok: false, text: expect.stringContaining('in other words') })
    await expect(call(server)).rejects.toThrow('no tool')
    await accept(server)
    expect((await call(server)).text).toContain(says)
    expect(entry(name).tools.find(({ listed }) => listed.name === tool)?.listed.description).toMatch(
      /^Newly: /,
    )
  })

  it('is gone with its process when it is removed', async () => {
    expect(await use('remove_server', { server: name })).toMatchObject({ ok: true })
    expect(runningPids(program)).toEqual([])
  })
})
