/** Lets a server of npm in, as an operator would, and uses it. For tests. */
import {
  type InstalledServer,
  type JsonObject,
  nothingGiven,
  type StdioLaunch,
  type ToolResult,
} from '@countersign/contract'
import { readTree } from '@countersign/contract/node'
import { serverNamed, serverToolFacts } from '@countersign/tools'
import { expect } from 'vitest'
import { type Executor, openExecutor } from '../../executor.ts'
import { sealTestPermit, type TestHost } from '../../testing/host.ts'

export interface RealServer {
  readonly name: string
  readonly words: readonly string[]
  readonly tool: string
  readonly args: JsonObject
  /** Of what it answers. */
  readonly says: string
  readonly launch?: Partial<StdioLaunch>
}

export interface RealServers {
  /** `program` is where its program lies in the folder. */
  add(server: RealServer, folder: string, program: string): Promise<void>
  look(name: string): Promise<void>
  accept(server: RealServer): Promise<void>
  call(server: RealServer): Promise<ToolResult>
  remove(name: string): Promise<void>
  entry(name: string): InstalledServer
  close(): Promise<void>
}

export async function openRealServers(host: TestHost): Promise<RealServers> {
  const executor = await openExecutor(host.options)
  executor.setWorld(host.world)
  const entry: RealServers['entry'] = (name) => {
    const found = serverNamed(executor.extensions.current(), name)
    if (!found) throw new Error(`no server ${name}`)
    return found
  }
  return {
    entry,
    add: (server, folder, program) => add(host, executor, server, folder, program),
    async look(name) {
      const args = { server: name, launch: entry(name).launchHash }
      const looked = await use(host, executor, 'look_at_server', args)
      expect(looked, looked.text).toMatchObject({ ok: true })
    },
    async accept({ name, tool }) {
      const { offered, tools } = entry(name)
      const listed = offered.find((each) => each.name === tool)
      const before = tools.find((each) => each.listed.name === tool)
      const was = before && { tool: before.listed, tier: before.tier, cases: [], undo: null }
      const args = { server: name, tools: [{ tool: listed, tier: 0, before: was ?? null }] } as unknown
      expect(await use(host, executor, 'accept_server_tools', args as JsonObject)).toMatchObject({ ok: true })
    },
    async call({ name, tool, args }) {
      const named = `${name}__${tool}`
      const facts = serverToolFacts(executor.extensions.current()).find((each) => each.name === named)
      const inner = facts?.unwrap?.(args)
      if (inner?.kind !== 'one') throw new Error(`no tool ${tool} of ${name}`)
      return use(host, executor, 'call_server_tool', inner.call.args)
    },
    async remove(name) {
      expect(await use(host, executor, 'remove_server', { server: name })).toMatchObject({ ok: true })
    },
    close: () => executor.close(),
  }
}

async function use(host: TestHost, executor: Executor, tool: string, args: JsonObject): Promise<ToolResult> {
  const permit = await sealTestPermit(host, { tool, args }, executor.resolve)
  const reply = await executor.execute(permit, new AbortController().signal)
  if (reply.kind !== 'done') throw new Error(`${tool}: ${JSON.stringify(reply)}`)
  return reply.result
}

async function add(
  host: TestHost,
  executor: Executor,
  { name, words, launch }: RealServer,
  folder: string,
  program: string,
): Promise<void> {
  const tree = await readTree(folder)
  if (tree.kind !== 'tree') throw new Error(tree.reason)
  const replaces = serverNamed(executor.extensions.current(), name)?.launchHash ?? null
  const whole: StdioLaunch = {
    kind: 'stdio',
    argv: ['node', `/extension/${program}`, ...words],
    tree: tree.sha256,
    package: null,
    ...nothingGiven,
    ...launch,
  }
  const args = { name, launch: whole as unknown as JsonObject, from: folder, replaces }
  const added = await use(host, executor, 'add_server', args)
  expect(added, added.text).toMatchObject({ ok: true })
}
