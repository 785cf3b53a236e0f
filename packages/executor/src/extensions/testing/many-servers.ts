/** Puts servers where the executor keeps what was let in, as if an operator had accepted every tool of each. For benches. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type InstalledServer, type ListedTool, nothingGiven, type StdioLaunch } from '@countersign/contract'
import { readTree } from '@countersign/contract/node'
import { launchHash, toolDefinitionHash } from '@countersign/tools'
import { openExtensions } from '../extensions.ts'

export interface ManyServers {
  readonly servers: number
  /** Of each. */
  readonly tools: number
}

/** In the folder of an executor that does not run. Their tools only look. */
export async function keepManyServers(
  executorFolder: string,
  { servers, tools }: ManyServers,
): Promise<void> {
  const listed = Array.from({ length: tools }, (_, at) => toolAt(at))
  const files = mkdtempSync(join(tmpdir(), 'many-servers-'))
  try {
    writeFileSync(join(files, 'server.cjs'), programOf(listed))
    const tree = await readTree(files)
    if (tree.kind === 'refused') throw new Error(tree.reason)
    const folder = join(executorFolder, 'extensions')
    mkdirSync(dirname(folder), { recursive: true })
    const extensions = await openExtensions(folder)
    await extensions.holding(async () => {
      await extensions.trees.keepFolder(files, tree.sha256)
      const entries = Array.from({ length: servers }, (_, at) => entryOf(`many-${at}`, tree.sha256, listed))
      await extensions.change((now) => ({ ...now, servers: entries }))
    })
  } finally {
    rmSync(files, { recursive: true, force: true })
  }
}

function toolAt(at: number): ListedTool {
  return {
    name: `look_at_${at}`,
    title: null,
    description: `Looks at the thing with the number ${at}, and says in a few words how it is, where it stands and since when.`,
    input: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'The name of the thing' },
        since: { type: 'string', description: 'A day, as 2026-11-19' },
      },
    },
    output: null,
    annotations: {},
  }
}

function entryOf(name: string, tree: string, listed: readonly ListedTool[]): InstalledServer {
  const launch: StdioLaunch = {
    kind: 'stdio',
    argv: ['node', '/extension/server.cjs'],
    tree,
    package: null,
    ...nothingGiven,
  }
  const at = '2026-11-19T00:00:00.000Z'
  return {
    name,
    launch,
    launchHash: launchHash(launch),
    tools: listed.map((each) => ({
      listed: each,
      definition: toolDefinitionHash(each),
      tier: 0,
      cases: [],
      undo: null,
    })),
    offered: [],
    gone: [],
    listedAt: at,
    paused: false,
    addedAt: at,
  }
}

/** Speaks the protocol by hand, so that its files are one. */
function programOf(listed: readonly ListedTool[]): string {
  const tools = listed.map(({ name, description, input }) => ({ name, description, inputSchema: input }))
  return `const tools = ${JSON.stringify(tools)}
const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n')
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (id === undefined) return
  if (method === 'initialize')
    return say({ id, result: { protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'many', version: '1' } } })
  if (method === 'tools/list') return say({ id, result: { tools } })
  if (method === 'tools/call') return say({ id, result: { content: [{ type: 'text', text: 'well' }] } })
  say({ id, error: { code: -32601, message: 'no' } })
})
`
}
