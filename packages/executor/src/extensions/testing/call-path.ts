/** One server of an npm package, called in three ways: by the bare client, by our conversation with it, and by a permit. For benches. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type JsonObject, nothingGiven, type StdioLaunch } from '@countersign/contract'
import { readTree } from '@countersign/contract/node'
import { serverNamed, serverToolFacts } from '@countersign/tools'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { createEgress, defaultEgressLimits } from '../../egress/egress.ts'
import { noSecrets } from '../../egress/secret-source.ts'
import { openExecutor } from '../../executor.ts'
import { probeBubblewrap } from '../../sandbox/bubblewrap.ts'
import { createTestHost, sealTestPermit } from '../../testing/host.ts'
import { openExtensions } from '../extensions.ts'
import { createServers } from '../servers.ts'
import { copyPackage } from './package-tree.ts'

export interface CallPath {
  /** The reference client, over pipes to a process without a sandbox. */
  bare(message: string): Promise<string>
  /** Through the executor's conversation with the same program in its sandbox. */
  ours(message: string): Promise<string>
  /** The same with a permit: sealed, verified, recorded before and after. */
  permitted(message: string): Promise<string>
  close(): Promise<void>
}

const name = 'everything'
const signal = new AbortController().signal
const nobody = { allowPrivate: [], ports: [] }

export async function openCallPath(): Promise<CallPath> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'call-path-')))
  const files = join(folder, 'files')
  const program = copyPackage('@modelcontextprotocol/server-everything', files)
  const bare = await openBare(join(files, program))
  const host = createTestHost()
  const executor = await openExecutor(host.options)
  executor.setWorld(host.world)
  const use = async (tool: string, args: JsonObject) => {
    const permit = await sealTestPermit(host, { tool, args }, executor.resolve)
    const reply = await executor.execute(permit, signal)
    if (reply.kind !== 'done' || !reply.result.ok) throw new Error(`${tool}: ${JSON.stringify(reply)}`)
    return reply.result.text
  }
  const found = await readTree(files)
  if (found.kind !== 'tree') throw new Error(found.reason)
  const launch = launchOf(`/extension/${program}`, found.sha256)
  await use('add_server', { name, launch: launch as unknown as JsonObject, from: files })
  await use('look_at_server', { server: name, launch: entry().launchHash })
  const echo = entry().offered.filter((tool) => tool.name === 'echo')
  await use('accept_server_tools', {
    server: name,
    tools: echo.map((tool) => ({ tool, tier: 0 })) as unknown as JsonObject[],
  })
  const [facts] = serverToolFacts(executor.extensions.current())
  const [accepted] = entry().tools
  if (!facts?.unwrap || !accepted) throw new Error('echo was not accepted')
  const ours = await openOurs(join(folder, 'ours'), files, executor.extensions.current())

  function entry() {
    const server = serverNamed(executor.extensions.current(), name)
    if (!server) throw new Error('the server was not let in')
    return server
  }

  return {
    bare: (message) => bare.call(message),
    async ours(message) {
      const { definition } = accepted
      const call = { server: name, tool: 'echo', definition, input: { message }, signal }
      const answer = await ours.servers.call(entry(), call, { secrets: noSecrets })
      if (answer.kind !== 'answered') throw new Error(answer.reason)
      return answer.text
    },
    async permitted(message) {
      const inner = facts.unwrap?.({ message })
      if (inner?.kind !== 'one') throw new Error('one call is expected')
      return use('call_server_tool', inner.call.args)
    },
    async close() {
      await bare.close()
      await ours.servers.close()
      await executor.close()
      host.remove()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function openBare(program: string) {
  const client = new Client({ name: 'bare', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program], stderr: 'ignore' }),
  )
  await client.listTools()
  return {
    async call(message: string): Promise<string> {
      const { content } = await client.callTool({ name: 'echo', arguments: { message } })
      const [block] = content
      return block?.type === 'text' ? block.text : ''
    },
    close: () => client.close(),
  }
}

/** Servers as the executor has them, without its door. */
async function openOurs(
  folder: string,
  files: string,
  installed: ReturnType<Awaited<ReturnType<typeof openExtensions>>['current']>,
) {
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace, { recursive: true })
  const probe = await probeBubblewrap({ workspace, hidden: [] })
  if (probe.kind !== 'available') throw new Error(probe.reason)
  const extensions = await openExtensions(join(folder, 'extensions'))
  await extensions.holding(async () => {
    const [server] = installed.servers
    const tree = server?.launch.kind === 'stdio' ? server.launch.tree : null
    if (tree !== null) await extensions.trees.keepFolder(files, tree)
    await extensions.change(() => installed)
  })
  const egress = createEgress({ allow: nobody, limits: defaultEgressLimits })
  const servers = createServers({
    root: workspace,
    closed: [],
    policy: nobody,
    extensions,
    sandbox: probe.sandbox,
    egress,
    now: () => new Date(),
  })
  return { servers }
}

function launchOf(program: string, tree: string): StdioLaunch {
  return {
    kind: 'stdio',
    argv: ['node', program],
    tree,
    package: null,
    ...nothingGiven,
  }
}
