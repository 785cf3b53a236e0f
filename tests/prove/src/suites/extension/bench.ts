/** Owns the executor under trial with its vault, what must not get out of it, and how a hostile server is let in and used. */
import { randomBytes } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type AskOperator,
  type HttpLaunch,
  type InstalledServer,
  type JsonObject,
  kindOf,
  type ListedTool,
  nothingGiven,
  type StdioLaunch,
  type Tier,
  type ToolResult,
} from '@countersign/contract'
import { readTree } from '@countersign/contract/node'
import {
  proposalNamed,
  qualifiedToolName,
  serverNamed,
  serverToolFacts,
  skillNamed,
} from '@countersign/tools'
import { type Executor, openExecutor } from '../../../../../packages/executor/src/executor.ts'
import type { ServerWaits } from '../../../../../packages/executor/src/extensions/server-connection.ts'
import {
  createTestHost,
  sealTestPermit,
  type TestHost,
} from '../../../../../packages/executor/src/testing/host.ts'
import { openVaultAt } from '../../../../../packages/executor/src/vault/vault-paths.ts'
import { type FarServer, openFarServer } from './far-server.ts'
import type { Plan } from './plan.ts'
import { openTrap, type Trap } from './trap.ts'

export type Told =
  | { readonly kind: 'done'; readonly result: ToolResult }
  /** Before anything of it was run. */
  | { readonly kind: 'refused'; readonly reason: string }

/** Texts that nobody but their owner may see. */
export interface Canaries {
  /** In a file of the host, in a folder of the workspace that no server is given, and in the environment of the executor. */
  readonly hidden: string
  readonly hostFile: string
  readonly privateFile: string
  /** The value of a secret that no server is given. */
  readonly kept: string
  /** The value of a secret that some servers are given. */
  readonly given: string
}

export const givenSecret = 'given_token'
export const keptSecret = 'kept_token'
export const farSecret = 'far_token'

export interface ExtensionBench {
  readonly host: TestHost
  readonly canaries: Canaries
  readonly far: FarServer
  /** May be reached as far as the configuration goes; no server names it. */
  readonly trap: Trap
  executor(): Executor
  /** Closes the executor, and opens it on what is on the disk then. */
  reopen(between?: () => void): Promise<void>
  /** The same where it was closed and could not be opened. */
  recover(between: () => void): Promise<void>
  nextName(): string
  /** How many names were given. */
  upcoming(): number
  /** Removes every server and skill whose name was given since then, whatever became of it. */
  clear(since: number): Promise<void>
  /** A folder outside of everything, for the files of a server. */
  folder(): string
  /** The files of a program that follows the plan. */
  program(plan: Plan): string
  launch(folder: string, more?: Partial<StdioLaunch>): Promise<StdioLaunch>
  /** Without an operator nobody can be asked for a server. */
  ask(tool: string, args: JsonObject, operator?: AskOperator): Promise<Told>
  add(name: string, launch: StdioLaunch | HttpLaunch, from: string | null): Promise<Told>
  look(name: string): Promise<Told>
  accept(name: string, tiers: Readonly<Record<string, Tier>>): Promise<Told>
  /** Adds, looks and accepts. Throws where it does not come so far. */
  letIn(
    name: string,
    plan: Plan,
    options?: { readonly tiers?: Readonly<Record<string, Tier>>; readonly launch?: Partial<StdioLaunch> },
  ): Promise<void>
  entry(name: string): InstalledServer
  /** What a call of an agent becomes; nothing where the tool is not offered. */
  argsOf(name: string, tool: string, input?: JsonObject): JsonObject | undefined
  call(name: string, tool: string, input?: JsonObject, operator?: AskOperator): Promise<Told>
  /** What a program wrote down, read on the host. */
  written(name: string, file: 'heard' | 'replies' | 'poured'): string
  /** How often the program was asked for this. */
  heard(name: string, tool: string): number
  /** The folder of everything that was let in. */
  readonly kept: string
  close(): Promise<void>
}

const program = join(dirname(fileURLToPath(import.meta.url)), 'hostile-server.cjs')
const signal = new AbortController().signal

export async function openBench(serverWaits?: ServerWaits): Promise<ExtensionBench> {
  const trap = await openTrap()
  const far = await openFarServer()
  const made = createTestHost({
    allowPrivate: [trap.port, far.port].map((port) => ({ host: '127.0.0.1', port })),
    ports: [],
  })
  const vault = {
    file: join(made.folder, 'vault.age'),
    key: join(made.folder, 'vault-key'),
    record: join(made.folder, 'vault-record'),
    account: 'test',
    wanted: 'file',
  } as const
  const host: TestHost = { ...made, options: { ...made.options, vault } }
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'prove-extension-')))
  const canaries = layCanaries(host, scratch)
  await fillVault(vault, canaries, far.port)
  const seams = serverWaits ? { serverWaits } : {}
  const open = async () => {
    const opened = await openExecutor(host.options, seams)
    opened.setWorld(host.world)
    if (opened.sandbox.kind === 'unavailable') throw new Error(opened.sandbox.reason)
    return opened
  }
  let executor = await open()
  let names = 0
  let folders = 0
  const kept = join(dirname(host.options.replayFile), 'extensions')

  const bench: ExtensionBench = {
    host,
    canaries,
    far,
    trap,
    kept,
    executor: () => executor,
    async reopen(between) {
      await executor.close()
      between?.()
      executor = await open()
    },
    async recover(between) {
      between()
      executor = await open()
    },
    nextName() {
      names += 1
      return `s${names}`
    },
    upcoming: () => names,
    async clear(since) {
      for (let at = since + 1; at <= names; at += 1) {
        const now = executor.extensions.current()
        const entry = serverNamed(now, `s${at}`)
        const words = entry && kindOf(entry) === 'plugin' ? { plugin: true } : {}
        if (entry) await bench.ask('remove_server', { server: `s${at}`, ...words })
        if (proposalNamed(now, `s${at}`)) await bench.ask('remove_proposed_skill', { name: `s${at}` })
        if (skillNamed(now, `s${at}`)) await bench.ask('remove_skill', { name: `s${at}` })
      }
    },
    folder() {
      folders += 1
      const path = join(scratch, `files-${folders}`)
      mkdirSync(path)
      return path
    },
    program(plan) {
      const folder = bench.folder()
      cpSync(program, join(folder, 'server.cjs'))
      writeFileSync(join(folder, 'plan.json'), JSON.stringify({ does: {}, ...plan }))
      return folder
    },
    async launch(folder, more = {}) {
      const found = await readTree(folder)
      if (found.kind !== 'tree') throw new Error(found.reason)
      return { ...bareLaunch, tree: found.sha256, ...more }
    },
    async ask(tool, args, operator) {
      try {
        const permit = await sealTestPermit(host, { tool, args }, executor.resolve)
        const reply = await executor.execute(permit, signal, undefined, operator)
        return reply.kind === 'done' ? reply : { kind: 'refused', reason: JSON.stringify(reply) }
      } catch (error) {
        return { kind: 'refused', reason: error instanceof Error ? error.message : String(error) }
      }
    },
    add: (name, launch, from) => {
      const before = serverNamed(executor.extensions.current(), name)
      const args = { name, launch, from, replaces: before?.launchHash ?? null }
      return bench.ask('add_server', args as unknown as JsonObject)
    },
    look: (name) => bench.ask('look_at_server', { server: name, launch: bench.entry(name).launchHash }),
    accept: (name, tiers) =>
      bench.ask('accept_server_tools', acceptance(bench.entry(name), Object.entries(tiers))),
    async letIn(name, plan, { tiers, launch } = {}) {
      const folder = bench.program(plan)
      const all = plan.tools.map(({ name: each }) => [typeof each === 'string' ? each : '', 0] as const)
      expectOk(await bench.add(name, await bench.launch(folder, { data: true, ...launch }), folder))
      expectOk(await bench.look(name))
      expectOk(await bench.accept(name, tiers ?? Object.fromEntries(all)))
    },
    entry(name) {
      const found = serverNamed(executor.extensions.current(), name)
      if (!found) throw new Error(`no server ${name}`)
      return found
    },
    argsOf(name, tool, input = {}) {
      const facts = serverToolFacts(executor.extensions.current())
      const found = facts.find((each) => each.name === qualifiedToolName(name, tool))
      const inner = found?.unwrap?.(input)
      return inner?.kind === 'one' ? inner.call.args : undefined
    },
    async call(name, tool, input, operator) {
      const args = bench.argsOf(name, tool, input)
      return args
        ? bench.ask('call_server_tool', args, operator)
        : { kind: 'refused', reason: `There is no tool ${tool}.` }
    },
    written(name, file) {
      const path = join(kept, 'data', name, file)
      return existsSync(path) ? readFileSync(path, 'utf8') : ''
    },
    heard: (name, tool) =>
      bench
        .written(name, 'heard')
        .split('\n')
        .filter((line) => line.includes('"tools/call"') && line.includes(`"name":${JSON.stringify(tool)}`))
        .length,
    async close() {
      await executor.close()
      host.remove()
      rmSync(scratch, { recursive: true, force: true })
      await Promise.all([far.close(), trap.close()])
    },
  }
  return bench
}

const bareLaunch: StdioLaunch = {
  kind: 'stdio',
  argv: ['node', '/extension/server.cjs'],
  tree: null,
  package: null,
  ...nothingGiven,
}

export function isOk(told: Told): boolean {
  return told.kind === 'done' && told.result.ok
}

export function textOf(told: Told): string {
  return told.kind === 'done' ? told.result.text : told.reason
}

function expectOk(told: Told): void {
  if (!isOk(told)) throw new Error(`It was not let in: ${textOf(told)}`)
}

/** What the operator would accept: what it offers now, with these tiers, beside what was accepted before. */
export function acceptance(server: InstalledServer, tiers: readonly (readonly [string, Tier])[]): JsonObject {
  const tools = tiers.map(([name, tier]) => {
    const offered = server.offered.find((each) => each.name === name)
    const before = server.tools.find(({ listed }) => listed.name === name)
    const tool: ListedTool | undefined = offered ?? before?.listed
    if (!tool) throw new Error(`${server.name} does not offer ${name}`)
    const was = before && { tool: before.listed, tier: before.tier, cases: before.cases, undo: before.undo }
    return { tool, tier, before: was ?? null }
  })
  return { server: server.name, tools } as unknown as JsonObject
}

function layCanaries(host: TestHost, scratch: string): Canaries {
  const word = () => `canary-${randomBytes(12).toString('hex')}`
  const [hidden, kept, given] = [word(), word(), word()] as [string, string, string]
  const hostFile = join(scratch, 'host-secret.txt')
  const privateFile = join(host.workspace, 'private', 'diary.txt')
  mkdirSync(dirname(privateFile))
  writeFileSync(hostFile, hidden)
  writeFileSync(privateFile, hidden)
  // The executor has none of its own; a test has, and hands it down where nothing stops it.
  process.env['PROVE_EXTENSION_CANARY'] = hidden
  return { hidden, kept, given, hostFile, privateFile }
}

async function fillVault(
  place: Parameters<typeof openVaultAt>[0],
  { kept, given }: Canaries,
  farPort: number,
): Promise<void> {
  const vault = await openVaultAt(place)
  const put = (name: string, value: string, scheme: 'http' | 'https') =>
    vault.put(name, {
      value,
      description: '',
      destinations: [{ scheme, host: '127.0.0.1', port: farPort }],
      tools: [],
    } as never)
  await put(keptSecret, kept, 'https')
  await put(givenSecret, given, 'https')
  await put(farSecret, given, 'http')
}
