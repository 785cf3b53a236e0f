import { cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type InstalledServer, nothingGiven, type StdioLaunch } from '@countersign/contract'
import { readTree } from '@countersign/contract/node'
import { launchHash, type ServerCall, toolDefinitionHash } from '@countersign/tools'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createEgress, defaultEgressLimits } from '../egress/egress.ts'
import { noSecrets } from '../egress/secret-source.ts'
import { probeBubblewrap } from '../sandbox/bubblewrap.ts'
import type { Sandbox } from '../sandbox/port.ts'
import { type Extensions, openExtensions } from './extensions.ts'
import type { ServerWaits } from './server-connection.ts'
import { createServers, type Servers } from './servers.ts'

let root: string
let sandbox: Sandbox | undefined
let extensions: Extensions
let servers: Servers | undefined
let server: InstalledServer
const never = new AbortController().signal
const places = { allowPrivate: [], ports: [] }
/** For servers that answer. */
const patient = { startMs: 60_000, silentMs: 60_000, callMs: 60_000 }
const waits = { startMs: 20_000, silentMs: 700, callMs: 2_000 }

beforeEach(async () => {
  sandbox = undefined
  root = realpathSync(mkdtempSync(join(tmpdir(), 'waits-')))
  mkdirSync(join(root, 'workspace'))
  mkdirSync(join(root, 'odd'))
  const odd = join(dirname(fileURLToPath(import.meta.url)), 'testing', 'odd-server.cjs')
  cpSync(odd, join(root, 'odd', 'server.cjs'))
  extensions = await openExtensions(join(root, 'extensions'))
  const found = await readTree(join(root, 'odd'))
  if (found.kind !== 'tree') throw new Error(found.reason)
  await extensions.holding(async () => {
    await extensions.trees.keepFolder(join(root, 'odd'), found.sha256)
    server = serverWith(found.sha256, {})
    await extensions.change((before) => ({ ...before, servers: [server] }))
  })
})
afterEach(async () => {
  await servers?.close()
  rmSync(root, { recursive: true, force: true })
})

function serverWith(tree: string, environment: Record<string, string>): InstalledServer {
  const launch: StdioLaunch = {
    kind: 'stdio',
    argv: ['node', '/extension/server.cjs'],
    tree,
    package: null,
    ...nothingGiven,
    environment,
  }
  const common = { tools: [], offered: [], gone: [], listedAt: null, paused: false, addedAt: '' }
  return { name: 'odd', launch, launchHash: launchHash(launch), ...common }
}

async function sandboxHere(): Promise<Sandbox> {
  const probe = await probeBubblewrap({ workspace: join(root, 'workspace'), hidden: [] })
  if (probe.kind !== 'available') throw new Error(probe.reason)
  sandbox = probe.sandbox
  return sandbox
}

async function started(more: { idleMs?: number; waits?: ServerWaits } = {}): Promise<Servers> {
  servers = createServers({
    root: join(root, 'workspace'),
    closed: [],
    policy: places,
    extensions,
    sandbox: sandbox ?? (await sandboxHere()),
    egress: createEgress({ allow: places, limits: defaultEgressLimits }),
    now: () => new Date(),
    waits,
    ...more,
  })
  return servers
}

async function call(tool: string, signal = never): ReturnType<Servers['call']> {
  const listed = await servers?.list(server, { secrets: noSecrets }, signal)
  const found = listed?.tools.find(({ name }) => name === tool)
  const wish: ServerCall = {
    server: 'odd',
    tool,
    definition: found ? toolDefinitionHash(found) : '',
    input: {},
    signal,
  }
  return servers?.call(server, wish, { secrets: noSecrets }) ?? { kind: 'failed', reason: '' }
}

it('gives up on a server that hangs, stops it, and starts it again', async () => {
  const runs = vi.spyOn(await sandboxHere(), 'run')
  const many = await started()
  expect(await call('hang')).toMatchObject({ kind: 'silent', reason: expect.stringContaining('timed out') })
  // Looking takes no wait of a call, so that it says on a busy machine too that another process answers.
  expect(await many.list(server, { secrets: noSecrets }, never)).toMatchObject({ kind: 'listed' })
  expect(runs).toHaveBeenCalledTimes(2)
})

it('gives up on a server that only ever tells of its progress', async () => {
  const runs = vi.spyOn(await sandboxHere(), 'run')
  const many = await started()
  expect(await call('drip')).toMatchObject({ kind: 'silent' })
  expect(await many.list(server, { secrets: noSecrets }, never)).toMatchObject({ kind: 'listed' })
  expect(runs).toHaveBeenCalledTimes(2)
})

it('ends a call that is cancelled', async () => {
  await started({ waits: patient })
  await call('fine')
  const stop = new AbortController()
  const hanging = call('hang', stop.signal)
  setTimeout(() => stop.abort(), 100)
  expect(['silent', 'failed']).toContain((await hanging).kind)
  expect(await call('fine')).toMatchObject({ kind: 'answered' })
})

it('answers several calls at once from one process, which is stopped when it is idle', async () => {
  const runs = vi.spyOn(await sandboxHere(), 'run')
  const many = await started({ idleMs: 300, waits: patient })
  const answers = await Promise.all(Array.from({ length: 5 }, () => call('fine')))
  expect(answers.map((answer) => (answer.kind === 'answered' ? answer.text : answer))).toEqual(
    Array.from({ length: 5 }, () => 'fine 1'),
  )
  expect(runs).toHaveBeenCalledTimes(1)
  expect(many.running()).toBe(1)
  await vi.waitFor(() => expect(many.running()).toBe(0), { timeout: 20_000 })
  expect(await call('fine')).toMatchObject({ kind: 'answered' })
})

it('stops when its entry is gone', async () => {
  const many = await started({ waits: patient })
  await call('fine')
  expect(many.running()).toBe(1)
  await extensions.change((before) => ({ ...before, servers: [] }))
  expect(many.running()).toBe(0)
})
