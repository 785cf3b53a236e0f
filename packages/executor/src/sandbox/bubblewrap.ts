/**
 * The sandbox on Linux: bubblewrap with an explicit, allow-listed tree. The workspace is the only thing of the
 * host's that can be written; home directories and the gateway's state are not mounted at all. Without
 * bubblewrap there is no sandbox, and there is no fallback to the host.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access, realpath } from 'node:fs/promises'
import { isAbsolute, join, normalize, relative, sep } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type {
  Sandbox,
  SandboxCommand,
  SandboxProbe,
  SandboxProcess,
  SandboxResult,
  SandboxService,
} from './port.ts'
import { isSeccompArchitecture, seccompFilter } from './seccomp.ts'
import { findTaskLimit, type TaskGroup, type TaskLimit } from './task-limit.ts'

export interface BubblewrapOptions {
  /** Absolute path of the directory that appears as `/workspace`. */
  readonly workspace: string
  /** Absolute host paths that must stay invisible even where they lie inside the workspace. */
  readonly hidden: readonly string[]
  readonly bubblewrapPath?: string
  readonly prlimitPath?: string
  /** The Node.js binary that appears as `/opt/node/bin/node`. */
  readonly nodePath?: string
}

export const sandboxWorkspace = '/workspace'
export const sandboxNode = '/opt/node/bin/node'

/** V8 reserves 512 MiB of writable address space that counts as data, so less than this stops Node at its start. */
export const leastMemoryBytes = 768 * 1024 * 1024

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
  const taskLimit = isRoot ? await findTaskLimit() : null
  if (isRoot && taskLimit === null) {
    const reason =
      'as root the number of processes can only be bounded by a pids cgroup, and none can be made'
    return {
      kind: 'unavailable',
      reason,
      fix: 'Run the gateway as a normal user, or give it a writable cgroup.',
    }
  }
  let workspace: string
  try {
    workspace = await realpath(options.workspace)
  } catch (error) {
    const fix = `Create ${options.workspace}.`
    return { kind: 'unavailable', reason: `no workspace: ${messageOf(error)}`, fix }
  }
  const hidden = await Promise.all(options.hidden.map((path) => realpath(path).catch(() => path)))
  if (workspace === '/' || hidden.includes(workspace)) {
    const fix = 'Choose a directory of its own for the workspace.'
    return { kind: 'unavailable', reason: `${workspace} would expose what must stay hidden`, fix }
  }
  const sandbox = createBubblewrap({
    bubblewrap,
    prlimit,
    taskLimit,
    isRoot,
    workspace,
    covered: coveredPaths(workspace, hidden),
    node: await realpath(options.nodePath ?? process.execPath),
    filter: seccompFilter(process.arch),
  })
  return tryOut(sandbox)
}

interface Setup {
  readonly bubblewrap: string
  readonly prlimit: string
  readonly taskLimit: TaskLimit | null
  readonly isRoot: boolean
  readonly workspace: string
  readonly covered: readonly string[]
  readonly node: string
  readonly filter: Buffer
}

interface Launched {
  readonly child: ChildProcess
  /** What bubblewrap says of itself; it names an exit code only when the command really ran. */
  readonly status: () => string
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
}

function createBubblewrap(setup: Setup): Sandbox {
  return {
    name: 'bubblewrap',
    run: (command, signal) => run(setup, command, signal),
    start: (service) => start(setup, service),
  }
}

async function tryOut(sandbox: Sandbox): Promise<SandboxProbe> {
  const fix =
    'Allow unprivileged user namespaces (sysctl kernel.unprivileged_userns_clone, AppArmor) for bwrap.'
  try {
    const result = await sandbox.run(
      {
        argv: ['/usr/bin/true'],
        cwd: '',
        env: {},
        profile: 'read-only',
        timeoutMs: 10_000,
        maxOutputBytes: 4_096,
        maxMemoryBytes: leastMemoryBytes,
        maxProcesses: 16,
      },
      new AbortController().signal,
    )
    if (result.kind === 'exited' && result.code === 0) return { kind: 'available', sandbox }
    return { kind: 'unavailable', reason: `a trial command did not end well: ${result.stderr.trim()}`, fix }
  } catch (error) {
    return { kind: 'unavailable', reason: messageOf(error), fix }
  }
}

async function run(setup: Setup, command: SandboxCommand, signal: AbortSignal): Promise<SandboxResult> {
  const startedAt = performance.now()
  const elapsed = (): number => performance.now() - startedAt
  if (signal.aborted) return { kind: 'cancelled', stdout: '', stderr: '', durationMs: elapsed() }
  const group = (await setup.taskLimit?.open(command.maxProcesses + overheadTasks)) ?? null
  try {
    const launched = launch(setup, command, group, command.stdin === undefined ? 'ignore' : 'pipe')
    const output = collect(launched.child, command.maxOutputBytes)
    let stopped: 'timeout' | 'cancelled' | null = null
    const stop = (kind: 'timeout' | 'cancelled'): void => {
      stopped ??= kind
      launched.child.kill('SIGKILL')
    }
    const timer = setTimeout(() => stop('timeout'), command.timeoutMs)
    const onAbort = (): void => stop('cancelled')
    signal.addEventListener('abort', onAbort, { once: true })
    if (signal.aborted) onAbort()
    if (command.stdin !== undefined) feed(launched.child.stdin, command.stdin)
    const { code, signal: died } = await launched.ended
    clearTimeout(timer)
    signal.removeEventListener('abort', onAbort)
    const { stdout, stderr, truncated } = output()
    if (stopped !== null) return { kind: stopped, stdout, stderr, durationMs: elapsed() }
    if (died === null && !launched.status().includes('"exit-code"')) {
      throw new Error(`bubblewrap could not start the command: ${stderr.trim()}`)
    }
    return { kind: 'exited', code, signal: died, stdout, stderr, truncated, durationMs: elapsed() }
  } finally {
    await group?.remove()
  }
}

/** A service is our own program, so as root it goes without a task group: it starts nothing. */
function start(setup: Setup, service: SandboxService): SandboxProcess {
  const { child, ended } = launch(setup, service, null, 'pipe')
  const { stdin, stdout, stderr } = child
  if (stdin === null || stdout === null || stderr === null)
    throw new Error('a sandbox service needs its streams')
  return {
    stdin,
    stdout,
    stderr,
    ended: ended.then(
      () => undefined,
      () => undefined,
    ),
    kill: () => void child.kill('SIGKILL'),
  }
}

/** bubblewrap itself and the init process it leaves in the new namespace. */
const overheadTasks = 3

const joinAndRun = 'echo $$ > "$0" && exec "$@"'

/** Descriptors that carry setup data, so that no value of the environment shows in a process list. */
const fdArguments = 3
const fdFilter = 4
const fdPasswd = 5
const fdHosts = 6
const fdStatus = 7

function launch(
  setup: Setup,
  service: SandboxService,
  group: TaskGroup | null,
  stdin: 'ignore' | 'pipe',
): Launched {
  const argv = [
    setup.bubblewrap,
    '--args',
    String(fdArguments),
    '--',
    ...limits(setup, service),
    ...service.argv,
  ]
  const [file = '', ...rest] = group === null ? argv : ['/bin/sh', '-c', joinAndRun, group.joinFile, ...argv]
  if (service.argv.length === 0 || service.argv.some((word) => word.includes('\0'))) {
    throw new TypeError('a sandboxed command needs at least one word and no NUL byte')
  }
  const uid = setup.isRoot ? 1000 : (process.getuid?.() ?? 1000)
  const plan = mountPlan(setup, service, uid)
  // The host side gets an empty environment: a variable such as LD_PRELOAD must not act outside the sandbox.
  const child = spawn(file, rest, {
    cwd: '/',
    env: {},
    stdio: [stdin, 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe', 'pipe'],
  })
  // The types know five streams; there are as many as were asked for.
  const streams: readonly unknown[] = child.stdio
  feed(streams[fdArguments], plan.join('\0'))
  feed(streams[fdFilter], setup.filter)
  feed(streams[fdPasswd], `agent:x:${uid}:${uid}::${sandboxHome}:/bin/sh\n`)
  feed(streams[fdHosts], '127.0.0.1 localhost\n::1 localhost\n')
  let status = ''
  const statusStream = streams[fdStatus] as Readable
  statusStream.on('data', (chunk: Buffer) => {
    status += chunk.toString('utf8')
  })
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  })
  return { child, status: () => status, ended }
}

const sandboxHome = '/tmp'

const systemFiles = [
  '/etc/alternatives',
  '/etc/ld.so.cache',
  '/etc/ld.so.conf',
  '/etc/ld.so.conf.d',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
]

function mountPlan(setup: Setup, service: SandboxService, uid: number): string[] {
  const temporary = ['--size', String(64 * 1024 * 1024), '--perms', '1777', '--tmpfs']
  const plan = [
    '--unshare-all',
    '--unshare-user',
    '--disable-userns',
    '--uid',
    String(uid),
    '--gid',
    String(uid),
  ]
  plan.push('--die-with-parent', '--new-session', '--cap-drop', 'ALL', '--hostname', 'sandbox')
  plan.push('--seccomp', String(fdFilter), '--json-status-fd', String(fdStatus))
  plan.push('--ro-bind', '/usr', '/usr')
  for (const name of ['bin', 'sbin', 'lib', 'lib64']) plan.push('--symlink', `usr/${name}`, `/${name}`)
  for (const path of systemFiles) plan.push('--ro-bind-try', path, path)
  plan.push(
    '--ro-bind-data',
    String(fdPasswd),
    '/etc/passwd',
    '--ro-bind-data',
    String(fdHosts),
    '/etc/hosts',
  )
  plan.push('--ro-bind', setup.node, sandboxNode)
  plan.push(service.profile === 'workspace-write' ? '--bind' : '--ro-bind', setup.workspace, sandboxWorkspace)
  for (const path of setup.covered) {
    plan.push('--perms', '0700', '--tmpfs', join(sandboxWorkspace, path))
    plan.push('--remount-ro', join(sandboxWorkspace, path))
  }
  plan.push('--dev', '/dev', ...temporary, '/dev/shm', '--remount-ro', '/dev', ...temporary, '/tmp')
  // To root's user id, capabilities or not, the kernel's settings are writable files of its own.
  plan.push('--proc', '/proc', '--remount-ro', '/proc', '--remount-ro', '/')
  plan.push('--chdir', workingDirectory(service.cwd), '--clearenv')
  for (const [name, value] of Object.entries({ ...defaultEnvironment, ...service.env })) {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0')) {
      throw new TypeError(`not an environment variable: ${JSON.stringify(name)}`)
    }
    plan.push('--setenv', name, value)
  }
  return plan
}

const defaultEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin:/opt/node/bin',
  HOME: sandboxHome,
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
}

/** RLIMIT_AS would stop Node, which reserves far more address space than it uses; RLIMIT_DATA counts what is used. */
function limits(setup: Setup, service: SandboxService & { readonly timeoutMs?: number }): string[] {
  const { maxMemoryBytes, maxProcesses, timeoutMs } = service
  return [
    setup.prlimit,
    `--data=${Math.max(maxMemoryBytes, leastMemoryBytes)}`,
    `--nproc=${maxProcesses}`,
    `--fsize=${2 * 1024 ** 3}`,
    '--nofile=1024',
    '--core=0',
    ...(timeoutMs === undefined ? [] : [`--cpu=${Math.ceil(timeoutMs / 1000) + 1}`]),
    '--',
  ]
}

function workingDirectory(cwd: string): string {
  const path = normalize(cwd === '' ? '.' : cwd)
  if (isAbsolute(path) || path === '..' || path.startsWith(`..${sep}`) || path.includes('\0')) {
    throw new TypeError(`a working directory lies inside the workspace: ${JSON.stringify(cwd)}`)
  }
  return join(sandboxWorkspace, path)
}

function coveredPaths(workspace: string, hidden: readonly string[]): string[] {
  return hidden
    .map((path) => relative(workspace, path))
    .filter((path) => path !== '..' && !path.startsWith(`..${sep}`) && !isAbsolute(path))
}

async function firstExecutable(chosen: string | undefined, ...usual: string[]): Promise<string | null> {
  for (const path of chosen === undefined ? usual : [chosen]) {
    const isThere = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) return path
  }
  return null
}

/** A command may end without reading its input; that is its own affair and not a failure of the sandbox. */
function feed(stream: unknown, data: string | Buffer): void {
  const writable = stream as Writable
  writable.on('error', () => writable.destroy())
  writable.end(data)
}

function collect(
  child: ChildProcess,
  maxBytes: number,
): () => { stdout: string; stderr: string; truncated: boolean } {
  let left = maxBytes
  let truncated = false
  const keep = (stream: Readable | null): Buffer[] => {
    const kept: Buffer[] = []
    stream?.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, left)
      left -= part.length
      if (part.length > 0) kept.push(part)
      if (part.length < chunk.length) truncated = true
    })
    return kept
  }
  const stdout = keep(child.stdout)
  const stderr = keep(child.stderr)
  return () => ({ stdout: textOf(stdout), stderr: textOf(stderr), truncated })
}

/** Streaming mode leaves out a character that the cap has cut in two. */
function textOf(chunks: readonly Buffer[]): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks), { stream: true })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
