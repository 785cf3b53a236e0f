/**
 * The sandbox on Linux: bubblewrap with an explicit, allow-listed tree. The workspace is the only thing of the
 * host's that can be written; home directories and the gateway's state are not mounted at all. Without
 * bubblewrap there is no sandbox, and there is no fallback to the host.
 */

import { spawn } from 'node:child_process'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { inheritedDescriptors } from './descriptors.ts'
import { hasLocalSockets, insteadOf } from './instead.ts'
import {
  checkedWords,
  environmentOf,
  firstExecutable,
  hostsText,
  largestFileBytes,
  leastMemoryBytes,
  mostOpenFiles,
  passwdText,
  type ResolvedSandboxPaths,
  resolveSandboxPaths,
  type SandboxPaths,
  sandboxNode,
  sandboxWorkspace,
  systemFiles,
  systemFolders,
  temporaryBytes,
  workingDirectory,
} from './layout.ts'
import { channelEnvironment, networkArgv, proxyEnvironment } from './network-program.ts'
import type { SandboxCommand, SandboxLayers, SandboxProbe, SandboxService } from './port.ts'
import { isSeccompArchitecture, seccompFilter } from './seccomp.ts'
import {
  sandboxChanges,
  sandboxJournal,
  sandboxSource,
  sandboxView,
  sealedFolders,
  stageArgv,
  stagePlan,
} from './stage.ts'
import { feed, type LaunchedProcess, sandboxFrom } from './supervise.ts'
import { findTaskLimit, type TaskLimit } from './task-limit.ts'
import { tryOut } from './trial.ts'

export { sandboxNode, sandboxWorkspace } from './layout.ts'

export interface BubblewrapOptions extends SandboxPaths {
  readonly bubblewrapPath?: string
  readonly prlimitPath?: string
}

/** Looks for every primitive and runs one command through all of them before it calls the sandbox available. */
export async function probeBubblewrap(options: BubblewrapOptions): Promise<SandboxProbe> {
  if (process.platform !== 'linux' || !isSeccompArchitecture(process.arch)) {
    const fix = 'Run on Linux on x64 or arm64.'
    return { kind: 'unavailable', reason: `no bubblewrap on ${process.platform} ${process.arch}`, fix }
  }
  const bubblewrap = await firstExecutable(options.bubblewrapPath, '/usr/bin/bwrap', '/usr/local/bin/bwrap')
  if (bubblewrap === null) {
    return { kind: 'unavailable', reason: 'bubblewrap is not installed', fix: 'apt-get install bubblewrap' }
  }
  const prlimit = await firstExecutable(options.prlimitPath, '/usr/bin/prlimit')
  if (prlimit === null) {
    return { kind: 'unavailable', reason: 'prlimit is not installed', fix: 'apt-get install util-linux' }
  }
  const isRoot = process.getuid?.() === 0
  const taskLimit = isRoot ? findTaskLimit() : null
  if (isRoot && taskLimit === null) {
    const reason =
      'as root the number of processes can only be bounded by a pids cgroup, and none can be made'
    const fix = 'Run the gateway as a normal user, or give it a writable cgroup.'
    return { kind: 'unavailable', reason, fix }
  }
  const place = await resolveSandboxPaths(options)
  if (place.kind === 'unavailable') return place
  const inherited = inheritedDescriptors()
  const filters = {
    plain: seccompFilter(process.arch),
    layered: seccompFilter(process.arch, { isLayered: true }),
    localSockets: seccompFilter(process.arch, { hasLocalSockets: true }),
  }
  const setup: BubblewrapSetup = { ...place, bubblewrap, prlimit, taskLimit, isRoot, filters, inherited }
  const sandbox = sandboxFrom('bubblewrap', (service, stdin) => launch(setup, service, stdin), true)
  return tryOut(
    sandbox,
    'Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone, AppArmor) for bwrap.',
  )
}

interface BubblewrapSetup extends ResolvedSandboxPaths {
  readonly bubblewrap: string
  readonly prlimit: string
  readonly taskLimit: TaskLimit | null
  readonly isRoot: boolean
  readonly filters: Readonly<Record<'plain' | 'layered' | 'localSockets', Buffer>>
  /** What this process inherited, which no child may. */
  readonly inherited: readonly number[]
}

/** bubblewrap itself and the init process it leaves in the new namespace; with layers, one bubblewrap more. */
const overheadTasks = 5

/** Descriptors that carry setup data, so that no value of the environment shows in a process list. */
const fdArguments = 3
const fdFilter = 4
const fdPasswd = 5
const fdHosts = 6
const fdStatus = 7
const fdChannel = 8

function launch(
  setup: BubblewrapSetup,
  service: SandboxService | SandboxCommand,
  stdin: 'ignore' | 'pipe',
): LaunchedProcess {
  const isNetworked = service.profile === 'network'
  if (isNetworked && !('network' in service && service.network)) {
    throw new TypeError('the profile network needs a network')
  }
  const limited = [...limits(setup, service), ...checkedWords(service.argv)]
  const environment = environmentOf(service.env)
  const uid = setup.isRoot ? 1000 : (process.getuid?.() ?? 1000)
  const plan = mountPlan(setup, service, uid, isNetworked ? channelEnvironment(fdChannel) : environment)
  const inner = isNetworked ? networkArgv(sandboxNode) : limited
  const layers = layersOf(service)
  const stage = layers ? stagePlan(layers, setup.workspace) : []
  const stdio: ('ignore' | 'pipe' | 'ipc')[] = [stdin, 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe']
  if (isNetworked) stdio.push('ipc')
  // Read to its end and closed by the outer bubblewrap, so the command does not have it.
  const fdStage = layers ? stdio.push('pipe') - 1 : null
  const [file = '', ...rest] = [
    ...closingArgv(setup.inherited, stdio.length),
    ...(layers
      ? [setup.bubblewrap, '--args', String(fdStage), '--', ...stageArgv(layers, service.profile)]
      : []),
    setup.bubblewrap,
    '--args',
    String(fdArguments),
    '--',
    ...inner,
  ]
  const group = setup.taskLimit?.open(service.maxProcesses + overheadTasks) ?? null
  // The host side gets an empty environment: a variable such as LD_PRELOAD must not act outside the sandbox.
  const child = spawn(file, rest, { cwd: '/', env: {}, stdio })
  const kill = (): void => void child.kill('SIGKILL')
  let problem: Error | null = null
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => {
      if (problem === null) resolve({ code, signal })
      else reject(problem)
    })
  }).finally(() => void group?.remove())
  // The types know five streams; there are as many as were asked for.
  const streams: readonly unknown[] = child.stdio
  let status = ''
  const statusStream = streams[fdStatus] as Readable
  statusStream.on('data', (chunk: Buffer) => {
    status += chunk.toString('utf8')
  })
  feed(streams[fdFilter], setup.filters[filterOf(service)])
  feed(streams[fdPasswd], passwdText(uid))
  feed(streams[fdHosts], hostsText)
  // bubblewrap starts nothing before it has read its arguments, so nothing is outside the group.
  const joined = group === null || child.pid === undefined ? Promise.resolve() : group.join(child.pid)
  joined.then(
    () => {
      if (fdStage !== null) feed(streams[fdStage], stage.join('\0'))
      feed(streams[fdArguments], plan.join('\0'))
    },
    (error: unknown) => {
      problem = error instanceof Error ? error : new Error(String(error))
      kill()
    },
  )
  const networked = isNetworked ? { argv: limited, env: { ...environment, ...proxyEnvironment } } : null
  // It names an exit code only when the command really ran.
  const hasBegun: LaunchedProcess['hasBegun'] = ({ signal }) =>
    signal !== null || status.includes('"exit-code"')
  return { child, networked, ended, kill, hasBegun }
}

function mountPlan(
  setup: BubblewrapSetup,
  service: SandboxService | SandboxCommand,
  uid: number,
  environment: Readonly<Record<string, string>>,
): string[] {
  const temporary = ['--size', String(temporaryBytes), '--perms', '1777', '--tmpfs']
  const plan = ['--unshare-all', '--unshare-user', '--disable-userns']
  plan.push('--uid', String(uid), '--gid', String(uid))
  plan.push('--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--hostname', 'sandbox')
  plan.push('--seccomp', String(fdFilter), '--json-status-fd', String(fdStatus))
  const layers = layersOf(service)
  const isSealed = layers !== undefined && layers.workspace !== 'taking-over'
  plan.push('--ro-bind', isSealed ? join(layers.sealedFolder, sealedFolders.usrView) : '/usr', '/usr')
  for (const name of systemFolders) plan.push('--symlink', `usr/${name}`, `/${name}`)
  for (const path of systemFiles) plan.push('--ro-bind-try', path, path)
  plan.push('--ro-bind-data', String(fdPasswd), '/etc/passwd')
  plan.push('--ro-bind-data', String(fdHosts), '/etc/hosts')
  plan.push('--ro-bind', layers?.node ?? setup.node, sandboxNode)
  const instead = insteadOf(service)
  if (instead) for (const { from, at, write } of instead) plan.push(write ? '--bind' : '--ro-bind', from, at)
  else plan.push(...workspaceMounts(setup, service))
  const mounts = 'mounts' in service ? (service.mounts ?? []) : []
  for (const { from, at } of mounts) plan.push('--ro-bind', from, at)
  if (layers?.workspace === 'taking-over') {
    plan.push('--ro-bind', join(layers.sealedFolder, sealedFolders.changes), sandboxChanges)
    plan.push('--ro-bind', join(layers.sealedFolder, sealedFolders.view), sandboxView)
  }
  const kept = 'kept' in service ? service.kept : undefined
  if (kept) plan.push('--bind', kept.journal, sandboxJournal)
  if (kept?.source) plan.push('--ro-bind', kept.source, sandboxSource)
  plan.push('--dev', '/dev', ...temporary, '/dev/shm', '--remount-ro', '/dev', ...temporary, '/tmp')
  // To root's user id, capabilities or not, the kernel's settings are writable files of its own.
  plan.push('--proc', '/proc', '--remount-ro', '/proc', '--remount-ro', '/')
  plan.push('--chdir', instead ? '/' : workingDirectory(service.cwd), '--clearenv')
  for (const [name, value] of Object.entries(environment)) plan.push('--setenv', name, value)
  return plan
}

function workspaceMounts(setup: BubblewrapSetup, service: SandboxService | SandboxCommand): string[] {
  const layers = layersOf(service)
  const workspace =
    layers?.workspace === 'sealed' ? join(layers.sealedFolder, sealedFolders.view) : setup.workspace
  return [
    service.profile === 'read-only' ? '--ro-bind' : '--bind',
    workspace,
    sandboxWorkspace,
    ...setup.covered.flatMap((path) => {
      const at = join(sandboxWorkspace, path)
      return ['--perms', '0700', '--tmpfs', at, '--remount-ro', at]
    }),
  ]
}

function filterOf(service: SandboxService | SandboxCommand): keyof BubblewrapSetup['filters'] {
  if (hasLocalSockets(service)) return 'localSockets'
  return layersOf(service)?.workspace === 'sealed' ? 'layered' : 'plain'
}

function layersOf(service: SandboxService | SandboxCommand): SandboxLayers | undefined {
  return 'layers' in service ? service.layers : undefined
}

type BubblewrapLimits = Pick<SandboxCommand, 'maxMemoryBytes' | 'maxProcesses'> &
  Partial<Pick<SandboxCommand, 'timeoutMs'>>

/** RLIMIT_AS would stop Node, which reserves far more address space than it uses; RLIMIT_DATA counts what is used. */
function limits(setup: BubblewrapSetup, service: BubblewrapLimits): string[] {
  const { maxMemoryBytes, maxProcesses, timeoutMs } = service
  return [
    setup.prlimit,
    `--data=${Math.max(maxMemoryBytes, leastMemoryBytes)}`,
    `--nproc=${maxProcesses}`,
    `--fsize=${largestFileBytes}`,
    `--nofile=${mostOpenFiles}`,
    '--core=0',
    ...(timeoutMs === undefined ? [] : [`--cpu=${Math.ceil(timeoutMs / 1000) + 1}`]),
    '--',
  ]
}

/** Below `first` every descriptor is taken by a stream of ours. Only bash can name one with two digits. */
function closingArgv(inherited: readonly number[], first: number): string[] {
  const open = inherited.filter((descriptor) => descriptor >= first)
  if (open.length === 0) return []
  // Without its start-up files: with a socket as its input bash would read those of the operator, outside the sandbox.
  return ['/bin/bash', '--norc', '-c', `exec ${open.map((fd) => `${fd}>&-`).join(' ')}; exec "$@"`, 'bash']
}
