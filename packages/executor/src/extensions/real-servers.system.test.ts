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
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestHost, type TestHost } from '../testing/host.ts'
import { copyPackage } from './testing/package-tree.ts'
import { openRealServers, type RealServer, type RealServers } from './testing/real-servers.ts'

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
let servers: RealServers

beforeAll(async () => {
  packages = mkdtempSync(join(tmpdir(), 'real-servers-'))
  host = createTestHost()
  mkdirSync(join(host.workspace, 'notes'))
  writeFileSync(join(host.workspace, 'notes', 'a.txt'), 'what is written')
  servers = await openRealServers(host)
})
afterAll(async () => {
  await servers?.close()
  host?.remove()
  rmSync(packages, { recursive: true, force: true })
})

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
  const said = servers.entry(name).tools.find(({ listed }) => listed.name === tool)?.listed.description ?? ''
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
    await servers.add(server, folder, program)
    await servers.look(name)
    await servers.accept(server)
    expect((await servers.call(server)).text).toContain(says)
  })

  it('is started again after somebody killed it', async () => {
    const before = runningPids(program)
    expect(before).not.toEqual([])
    for (const pid of before) process.kill(pid, 'SIGKILL')
    // A call that comes before its end is noticed is told that nobody answered, and the next one starts it.
    await expect.poll(async () => (await servers.call(server)).text).toContain(says)
    const after = runningPids(program)
    expect(after).not.toEqual([])
    expect(after.filter((pid) => before.includes(pid))).toEqual([])
  })

  it('stops after an update that says other things, until the difference is accepted', async () => {
    await servers.add(server, reworded(folder, server), program)
    expect(await servers.call(server)).toMatchObject({
      ok: false,
      text: expect.stringContaining('in other words'),
    })
    await expect(servers.call(server)).rejects.toThrow('no tool')
    await servers.accept(server)
    expect((await servers.call(server)).text).toContain(says)
    expect(servers.entry(name).tools.find(({ listed }) => listed.name === tool)?.listed.description).toMatch(
      /^Newly: /,
    )
  })

  it('is gone with its process when it is removed', async () => {
    await servers.remove(name)
    expect(runningPids(program)).toEqual([])
  })
})
