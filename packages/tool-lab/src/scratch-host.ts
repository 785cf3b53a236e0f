/**
 * A host for one trial: an executor with its sandbox, keys of its own, and an empty workspace, all in a temporary
 * folder that goes with it. A tool is run here only with a permit, as everywhere.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { cp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import type { ExecuteReply, Resolution, ResolveReply, ToolFacts, ToolResult } from '@countersign/contract'
import {
  establishHost,
  executorKeyPath,
  gatewayKeyPath,
  homePaths,
  ownFolders,
  readKey,
  sha256Hex,
} from '@countersign/contract/node'
import {
  type Executor,
  type ExecutorOptions,
  makePermit,
  openExecutor,
  type PermitMaker,
} from '@countersign/executor/workbench'
import { createCatalogue, type ToolDefinition } from '@countersign/tools'

export interface ScratchOptions {
  readonly tools: readonly ToolDefinition[]
  /** Local places that the tools may reach. */
  readonly open?: readonly { readonly host: string; readonly port: number }[]
  /** The folder to make its own folder in. */
  readonly parent?: string | undefined
}

/** How a call ended that was looked at and, if that went well, run. */
export type CallEnd =
  | { readonly kind: 'impossible'; readonly reason: string; readonly fix: string | null }
  | { readonly kind: 'refused'; readonly reason: string; readonly resolution: Resolution }
  | { readonly kind: 'done'; readonly resolution: Resolution; readonly result: ToolResult }

export interface ScratchHost {
  readonly workspace: string
  readonly sandbox: Executor['sandbox']
  facts(tool: string): ToolFacts | undefined
  inspect(tool: string, args: string): Promise<ResolveReply>
  call(tool: string, args: string, signal: AbortSignal): Promise<CallEnd>
  /** Carries what the channel of a plugin says. */
  readonly channel: Executor['channel']
  /** The hash of how a plugin was let in. */
  launchOf(plugin: string): string
  /** Empties the workspace and fills it anew. */
  furnish(initialFiles: InitialFiles): Promise<void>
  close(): Promise<void>
}

export interface InitialFiles {
  readonly files?: Readonly<Record<string, string>>
  /** A folder whose content is copied. */
  readonly from?: string | undefined
}

export async function openScratchHost(scratch: ScratchOptions): Promise<ScratchHost> {
  const { tools, open = [], parent = tmpdir() } = scratch
  const folder = mkdtempSync(join(parent, 'countersign-lab-'))
  const clear = () => rmSync(folder, { recursive: true, force: true })
  // A trial that is broken off leaves no keys behind.
  process.once('exit', clear)
  const paths = homePaths({ COUNTERSIGN_HOME: folder }, process.platform)
  const identity = establishHost(paths, 'trial', new Date())
  mkdirSync(paths.workspace, { recursive: true })
  const catalogue = createCatalogue(tools)
  const options: ExecutorOptions = {
    trustFile: paths.trust,
    keyFile: executorKeyPath(paths),
    replayFile: join(paths.executor, 'replay.db'),
    workspace: paths.workspace,
    own: ownFolders(paths),
    egress: { allowPrivate: [...open], ports: [] },
  }
  const executor = await openExecutor(options, { catalogue })
  const world = { policy: sha256Hex('trial'), epoch: 1 }
  executor.setWorld(world)
  const permitMaker: PermitMaker = { identity, gatewayKey: readKey(gatewayKeyPath(paths)), world }
  return {
    workspace: paths.workspace,
    sandbox: executor.sandbox,
    facts: (tool) => catalogue.find(tool),
    inspect: executor.resolve,
    async call(tool, args, signal) {
      const facts = catalogue.find(tool)
      if (!facts) return { kind: 'impossible', reason: `There is no tool ${tool}.`, fix: null }
      const reply = await executor.resolve(tool, args)
      if (reply.kind !== 'resolved')
        return {
          kind: 'impossible',
          reason: reply.reason,
          fix: reply.kind === 'unavailable' ? reply.fix : null,
        }
      const { resolution } = reply
      const permit = permitFor(permitMaker, facts, args, resolution)
      if ('reason' in permit) return { kind: 'impossible', reason: permit.reason, fix: null }
      return calledOf(await executor.execute(permit, signal), resolution)
    },
    channel: executor.channel,
    launchOf: (plugin) =>
      executor.extensions.current().servers.find(({ name }) => name === plugin)?.launchHash ?? '',
    furnish: (initialFiles) => furnish(paths.workspace, initialFiles),
    async close() {
      await executor.close()
      process.off('exit', clear)
      clear()
    },
  }
}

/** A tool that is still being written may say what fits on no card. */
function permitFor(...of: Parameters<typeof makePermit>): ReturnType<typeof makePermit> | { reason: string } {
  try {
    return makePermit(...of)
  } catch (error) {
    return { reason: `Its card cannot be built: ${error instanceof Error ? error.message : String(error)}.` }
  }
}

function calledOf(reply: ExecuteReply, resolution: Resolution): CallEnd {
  switch (reply.kind) {
    case 'done':
      return { kind: 'done', resolution, result: reply.result }
    case 'refused':
      return { kind: 'refused', reason: reply.reason, resolution }
    case 'unknown':
      return { kind: 'refused', reason: 'its end is not known', resolution }
  }
}

async function furnish(root: string, { files = {}, from }: InitialFiles): Promise<void> {
  // The folder itself stays: the sandbox holds on to it.
  for (const name of readdirSync(root)) rmSync(join(root, name), { recursive: true, force: true })
  if (from !== undefined) await cp(from, root, { recursive: true, verbatimSymlinks: true })
  for (const [path, text] of Object.entries(files)) {
    const target = join(root, path)
    if (relative(root, target).startsWith('..')) throw new TypeError(`${path} leads out of the workspace.`)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, text)
  }
}
