/**
 * Owns how a server is started in the sandbox: its files, the folders and hosts that were named for it, its environment with
 * the secrets that were named for it, and nothing else. Refuses a folder that leads out of the workspace or is a link.
 */
import { mkdir, realpath, stat } from 'node:fs/promises'
import { resolve, sep } from 'node:path'
import type { PluginLaunch, StdioLaunch } from '@countersign/contract'
import { sandboxEnvironment } from '../confinement.ts'
import { defaultProxyLimits, openEgressProxy, type ProxyLimits } from '../egress/proxy.ts'
import type { AddressPolicy } from '../egress/resolve-checked.ts'
import { sandboxNode, sandboxWorkspace } from '../sandbox/layout.ts'
import type { SandboxCommand, SandboxMount, SandboxNetwork, SandboxStreams } from '../sandbox/port.ts'
import type { Extensions } from './extensions.ts'
import { pluginRunner } from './plugin-runner.ts'
import { channelLimits, serverLimits } from './server-limits.ts'

export const sandboxExtension = '/extension'
export const sandboxData = '/data'

export interface ServerPlaces {
  /** The real path of the workspace. */
  readonly root: string
  /** The product's own folders, by their real paths. No server sees them. */
  readonly closed: readonly string[]
  readonly policy: AddressPolicy
  readonly extensions: Pick<Extensions, 'current' | 'trees' | 'dataFolder'>
}

export interface ServerStart {
  readonly name: string
  readonly launch: StdioLaunch | PluginLaunch
  /** By the variable. */
  readonly secrets: Readonly<Record<string, string>>
  readonly talk: (streams: SandboxStreams) => Promise<void>
  readonly signal: AbortSignal
  /** Of what goes over the network; those of a server where it is left out. */
  readonly carries?: Pick<ProxyLimits, 'maxBytes' | 'idleMs'>
}

/** Rejects with words for a person. */
export async function serverCommand(start: ServerStart, places: ServerPlaces): Promise<SandboxCommand> {
  const { launch, secrets, talk } = start
  const { hosts } = launch
  const { argv, environment, mounts } = programOf(launch)
  return {
    argv,
    cwd: '.',
    env: { ...sandboxEnvironment, ...environment, ...secrets },
    ...(hosts.length === 0
      ? { profile: 'read-only' }
      : { profile: 'network', network: networkFor(start, places) }),
    instead: [...mounts, ...(await mountsFor(start, places))],
    ...(launch.kind === 'stdio' && launch.sockets ? { localSockets: true } : {}),
    talk,
    timeoutMs: serverLimits.lifeMs,
    maxOutputBytes: serverLimits.maxStderrBytes,
    maxMemoryBytes: serverLimits.maxMemoryBytes,
    maxProcesses: serverLimits.maxProcesses,
  }
}

/** The channel of a plugin has the hosts and nothing else of what was given to it: its credential comes over the line. */
export async function pluginChannelCommand(
  start: Omit<ServerStart, 'launch' | 'secrets' | 'carries'> & { readonly launch: PluginLaunch },
  places: ServerPlaces,
): Promise<SandboxCommand> {
  const launch: PluginLaunch = { ...start.launch, folders: [], secrets: {}, data: false }
  const { maxNetworkBytes: maxBytes, idleMs, lifeMs } = channelLimits
  const command = await serverCommand(
    { ...start, launch, secrets: {}, carries: { maxBytes, idleMs } },
    places,
  )
  return { ...command, argv: [...command.argv, '--channel'], timeoutMs: lifeMs }
}

/** A plugin is loaded by our own runner, which nothing in it can be put in the place of. */
function programOf(
  launch: StdioLaunch | PluginLaunch,
): Pick<StdioLaunch, 'argv' | 'environment'> & { readonly mounts: readonly SandboxMount[] } {
  if (launch.kind === 'stdio') return { argv: launch.argv, environment: launch.environment, mounts: [] }
  const { program, mounts } = pluginRunner()
  return {
    argv: [sandboxNode, program, `${sandboxExtension}/${launch.manifest.main}`],
    environment: launch.data ? { PLUGIN_DATA: sandboxData } : {},
    mounts,
  }
}

async function mountsFor(
  { name, launch }: Pick<ServerStart, 'name' | 'launch'>,
  { root, closed, extensions }: ServerPlaces,
): Promise<SandboxMount[]> {
  const mounts: SandboxMount[] = []
  if (launch.tree !== null) {
    const tree = await extensions.trees.folder(launch.tree)
    if (tree.kind === 'refused') throw new Error(tree.reason)
    mounts.push({ from: tree.path, at: sandboxExtension })
  }
  if (launch.data) {
    const folder = extensions.dataFolder(name)
    await mkdir(folder, { recursive: true, mode: 0o700 })
    mounts.push({ from: folder, at: sandboxData, write: true })
  }
  for (const { path, write } of launch.folders.toSorted(
    (left, right) => left.path.length - right.path.length,
  )) {
    const named = resolve(root, path)
    const from = await realpath(named).catch(() => undefined)
    if (from === undefined) throw new Error(`The folder ${path} is not in the workspace. Make it first.`)
    if (named !== root && !named.startsWith(root + sep))
      throw new Error(`The folder ${path} leads out of the workspace.`)
    // A link would give it another folder than the one that was named for it, inside of the workspace too.
    if (from !== named) throw new Error(`The folder ${path} leads through a link. Name the folder itself.`)
    if (!(await stat(from)).isDirectory()) throw new Error(`${path} is not a folder.`)
    if (closed.some((own) => isShown(own, from, root)))
      throw new Error(`In the folder ${path} are files of Countersign itself. Name a folder without them.`)
    mounts.push({ from, at: from.replace(root, sandboxWorkspace), write })
  }
  return mounts
}

/** The workspace may lie in the home of the product; what is closed in the workspace is meant. */
function isShown(own: string, folder: string, root: string): boolean {
  const holds = (outer: string, inner: string) => inner === outer || inner.startsWith(outer + sep)
  return holds(folder, own) || (holds(own, folder) && holds(root, own))
}

function networkFor({ launch, signal, carries }: ServerStart, { policy }: ServerPlaces): SandboxNetwork {
  const named = new Set(launch.hosts.map(({ host, port }) => `${host}:${port}`))
  const { maxNetworkBytes, maxConnections } = serverLimits
  return (server) =>
    openEgressProxy({
      allow: (host, port) => named.has(`${host}:${port}`),
      policy,
      listen: { server },
      limits: { ...defaultProxyLimits, maxBytes: maxNetworkBytes, maxConnections, ...carries },
      signal,
    })
}
