/**
 * The strong sandbox: a container of podman's from an empty tree, without an image and without a registry. As root its
 * processes are another, unprivileged user to the host, and the workspace is mapped to that user. Memory and processes
 * are bounded as a whole by a cgroup. There is no fallback from it, and none to it.
 */

import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { access, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
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
import type { SandboxCommand, SandboxMount, SandboxProbe, SandboxService } from './port.ts'
import { isSeccompArchitecture, type SeccompArchitecture, seccompProfile } from './seccomp.ts'
import { type LaunchedProcess, sandboxFrom } from './supervise.ts'
import { tryOut } from './trial.ts'

export interface PodmanOptions extends SandboxPaths {
  /** A folder of the executor's own, for the empty tree and the system-call filter. */
  readonly folder: string
  readonly podmanPath?: string
}

/** Prepares the tree and runs one command through everything before it calls the sandbox available. */
export async function probePodman(options: PodmanOptions): Promise<SandboxProbe> {
  if (process.platform !== 'linux' || !isSeccompArchitecture(process.arch)) {
    const fix = 'Run on Linux on x64 or arm64.'
    return { kind: 'unavailable', reason: `no podman on ${process.platform} ${process.arch}`, fix }
  }
  const podman = await firstExecutable(options.podmanPath, '/usr/bin/podman', '/usr/local/bin/podman')
  if (podman === null) {
    return { kind: 'unavailable', reason: 'podman is not installed', fix: 'apt-get install podman' }
  }
  const place = await resolveSandboxPaths(options)
  if (place.kind === 'unavailable') return place
  const isRoot = process.getuid?.() === 0
  const mounted = await findMounted()
  const uid = isRoot ? 1000 : (process.getuid?.() ?? 1000)
  try {
    prepareTree({ folder: options.folder, isRoot, mounted, uid }, process.arch)
  } catch (error) {
    const reason = `the folder ${options.folder} cannot be prepared: ${messageOf(error)}`
    return { kind: 'unavailable', reason, fix: 'Make it writable for the executor.' }
  }
  const hasSystemd = await isThere('/run/systemd/system')
  const setup: PodmanSetup = {
    ...place,
    folder: options.folder,
    mounted,
    uid,
    isRoot,
    command: [
      ...(isRoot && isHybrid() ? withoutUnified : []),
      podman,
      ...(hasSystemd ? [] : ['--cgroup-manager=cgroupfs']),
    ],
  }
  const sandbox = sandboxFrom('podman', (service, stdin) => launch(setup, service, stdin))
  return tryOut(sandbox, 'Run `podman run --rm --network none` by hand to see what the host does not allow.')
}

interface PodmanSetup extends ResolvedSandboxPaths {
  readonly folder: string
  readonly mounted: readonly Mount[]
  readonly uid: number
  readonly isRoot: boolean
  /** podman and what comes before it. */
  readonly command: readonly string[]
}

interface Mount {
  readonly path: string
  readonly isFolder: boolean
}

/** The shell that stands as the first process, so that a signal ends the command as it would anywhere else. */
const overheadTasks = 1
const firstProcess = 'unset HOSTNAME container; "$@"; exit $?'

/** The only descriptor that podman is told to hand on. */
const fdChannel = 3

/** User ids that nobody has: what runs in the container is nobody to the host. */
const firstUserId = 2_000_000_000
const userIds = 65_536

function launch(
  setup: PodmanSetup,
  service: SandboxService | SandboxCommand,
  stdin: 'ignore' | 'pipe',
): LaunchedProcess {
  const isNetworked = service.profile === 'network'
  if (isNetworked && !('network' in service && service.network)) {
    throw new TypeError('the profile network needs a network')
  }
  if (hasLocalSockets(service)) throw new TypeError('local sockets need bubblewrap')
  const words = checkedWords(service.argv)
  const instead = insteadOf(service)
  const workdir = instead ? '/' : workingDirectory(service.cwd)
  for (const mount of instead ?? []) makePlace(treeOf(setup), mount)
  const environment = environmentOf(service.env)
  const runFolder = mkdtempSync(join(setup.folder, 'run-'))
  const pidFile = join(runFolder, 'pid')
  const environmentFile = join(runFolder, 'environment')
  const first = { PWD: workdir, ...(isNetworked ? channelEnvironment(fdChannel) : environment) }
  try {
    writeFileSync(environmentFile, environmentText(first), { mode: 0o600 })
  } catch (error) {
    rmSync(runFolder, { recursive: true, force: true })
    throw error
  }
  const [file = '', ...rest] = [
    ...setup.command,
    'run',
    '--name',
    `countersign-${randomBytes(8).toString('hex')}`,
    '--pidfile',
    pidFile,
    '--env-file',
    environmentFile,
    '--workdir',
    workdir,
    ...(stdin === 'pipe' ? ['--interactive'] : []),
    ...(isNetworked ? ['--preserve-fds', '1'] : []),
    ...confinement(setup, service),
    ...mounts(setup, service),
    '--rootfs',
    treeOf(setup),
    '/bin/sh',
    '-c',
    firstProcess,
    'sh',
    ...(isNetworked ? networkArgv(sandboxNode) : words),
  ]
  const child = spawn(file, rest, {
    cwd: '/',
    env: hostEnvironment(setup.isRoot),
    stdio: [stdin, 'pipe', 'pipe', ...(isNetworked ? ['ipc' as const] : [])],
  })
  let hasEnded = false
  let hasBegun = false
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal }))
  }).finally(() => {
    hasEnded = true
    hasBegun = containerPid(pidFile) !== null
    rmSync(runFolder, { recursive: true, force: true })
  })
  const kill = async (): Promise<void> => {
    const givingUp = performance.now() + startingMs
    while (!hasEnded) {
      const pid = containerPid(pidFile)
      // Not a child of podman's: ending podman would leave it running. And one that is ended between its creation and
      // its start leaves podman waiting forever, with a lock that everyone else needs.
      if (pid !== null && isStarted(pid)) killQuietly(pid)
      else if (performance.now() > givingUp) killTree(child.pid)
      await sleep(20)
    }
  }
  const limited = ['/usr/bin/prlimit', '--core=0', '--', ...words]
  const networked = isNetworked ? { argv: limited, env: { ...environment, ...proxyEnvironment } } : null
  return { child, networked, ended, kill: () => void kill(), hasBegun: () => hasBegun }
}

type PodmanLimits = Pick<SandboxCommand, 'maxMemoryBytes' | 'maxProcesses'> &
  Partial<Pick<SandboxCommand, 'timeoutMs'>>

function confinement(
  setup: PodmanSetup,
  { maxMemoryBytes, maxProcesses, timeoutMs }: PodmanLimits,
): string[] {
  const memory = Math.max(maxMemoryBytes, leastMemoryBytes)
  const limit = (name: string, value: number): string[] => ['--ulimit', `${name}=${value}:${value}`]
  const seconds = timeoutMs === undefined ? null : Math.ceil(timeoutMs / 1000) + 1
  return [
    '--rm',
    '--pull=never',
    '--network=none',
    '--read-only',
    '--read-only-tmpfs=false',
    '--cap-drop=all',
    '--security-opt=no-new-privileges',
    `--security-opt=seccomp=${filterOf(setup.folder)}`,
    '--security-opt=mask=/sys:/run',
    '--ipc=private',
    '--uts=private',
    '--cgroupns=private',
    '--pid=private',
    '--hostname=sandbox',
    '--systemd=false',
    '--no-hosts',
    '--passwd=false',
    '--unsetenv-all',
    '--log-driver=none',
    '--sig-proxy=false',
    `--memory=${memory}`,
    `--memory-swap=${memory}`,
    `--pids-limit=${maxProcesses + overheadTasks}`,
    `--shm-size=${temporaryBytes}`,
    ...limit('data', memory),
    ...limit('nproc', maxProcesses + overheadTasks),
    ...limit('fsize', largestFileBytes),
    ...limit('nofile', mostOpenFiles),
    ...limit('core', 0),
    // Should this process die, the container's own monitor still ends it.
    ...(seconds === null ? [] : [...limit('cpu', seconds), `--timeout=${seconds + 4}`]),
    ...(setup.isRoot
      ? [
          `--uidmap=0:${firstUserId}:${userIds}`,
          `--gidmap=0:${firstUserId}:${userIds}`,
          `--user=${setup.uid}:${setup.uid}`,
        ]
      : ['--userns=keep-id']),
  ]
}

function mounts(setup: PodmanSetup, service: SandboxService | SandboxCommand): string[] {
  const readOnly = (from: string, to: string): string[] => ['--volume', `${from}:${to}:ro,rprivate`]
  const mode = service.profile === 'read-only' ? 'ro' : 'rw'
  const outer = firstUserId + setup.uid
  // Files of ours belong to the user inside, who is nobody outside.
  const mapping = setup.isRoot ? `,idmap=uids=0-${outer}-1;gids=0-${outer}-1` : ''
  const instead = insteadOf(service)
  return [
    ...readOnly('/usr', '/usr'),
    ...setup.mounted.flatMap(({ path }) => readOnly(path, path)),
    ...readOnly(setup.node, sandboxNode),
    ...(instead
      ? instead.flatMap(({ from, at, write }) =>
          write ? ['--volume', `${from}:${at}:rw,rprivate${mapping}`] : readOnly(from, at),
        )
      : [
          '--volume',
          `${setup.workspace}:${sandboxWorkspace}:${mode},rprivate${mapping}`,
          ...setup.covered.flatMap((path) => ['--security-opt', `mask=${join(sandboxWorkspace, path)}`]),
        ]),
    '--tmpfs',
    `/tmp:rw,nosuid,nodev,size=${temporaryBytes},mode=1777`,
  ]
}

/** The tree is read-only inside, so that what is mounted needs its place beforehand. */
function makePlace(tree: string, { from, at }: SandboxMount): void {
  const place = join(tree, at)
  mkdirSync(dirname(place), { recursive: true, mode: 0o755 })
  if (statSync(from).isDirectory()) mkdirSync(place, { recursive: true, mode: 0o755 })
  else writeFileSync(place, '', { mode: 0o644 })
}

/** As root the container's user is another one, who must be able to get there; the tree holds nothing to hide. */
function treeOf({ folder, isRoot }: Pick<PodmanSetup, 'folder' | 'isRoot'>): string {
  return isRoot ? '/run/countersign-sandbox' : join(folder, 'tree')
}

function filterOf(folder: string): string {
  return join(folder, 'seccomp.json')
}

/** Nothing but places to mount at: the tree holds no program of its own. */
function prepareTree(
  { folder, isRoot, mounted, uid }: Pick<PodmanSetup, 'folder' | 'isRoot' | 'mounted' | 'uid'>,
  architecture: SeccompArchitecture,
): void {
  const tree = treeOf({ folder, isRoot })
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const makeFolder = (path: string): void =>
    void mkdirSync(join(tree, path), { recursive: true, mode: 0o755 })
  const makeFile = (path: string, text: string): void => {
    makeFolder(dirname(path))
    writeFileSync(join(tree, path), text, { mode: 0o644 })
  }
  for (const name of ['usr', 'proc', 'dev', 'sys', 'run', 'tmp', 'etc', 'workspace']) makeFolder(name)
  for (const name of systemFolders) {
    if (!isLink(join(tree, name))) symlinkSync(`usr/${name}`, join(tree, name))
  }
  for (const { path, isFolder } of mounted) {
    if (isFolder) makeFolder(path)
    else makeFile(path, '')
  }
  makeFile(sandboxNode, '')
  // podman lays its own over these two.
  for (const path of ['etc/hostname', 'run/.containerenv']) makeFile(path, '')
  makeFile('etc/passwd', passwdText(uid))
  makeFile('etc/hosts', hostsText)
  writeFileSync(filterOf(folder), seccompProfile(architecture))
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

async function findMounted(): Promise<Mount[]> {
  const found: Mount[] = []
  for (const path of systemFiles) {
    const seen = await stat(path).catch(() => null)
    if (seen !== null) found.push({ path, isFolder: seen.isDirectory() })
  }
  return found
}

/**
 * With both kinds of cgroups mounted, and a controller in the new kind, crun refuses to work. In a mount namespace
 * of its own it sees the old kind alone, which has all that is needed here.
 */
const withoutUnified = [
  '/usr/bin/unshare',
  '--mount',
  '--propagation=private',
  '/bin/sh',
  '-c',
  'umount /sys/fs/cgroup/unified && exec "$@"',
  'sh',
]

function isHybrid(): boolean {
  try {
    return readFileSync('/sys/fs/cgroup/unified/cgroup.controllers', 'utf8').trim() !== ''
  } catch {
    return false
  }
}

/** podman as a normal user needs its own folders; nothing else of this environment is its business. */
function hostEnvironment(isRoot: boolean): NodeJS.ProcessEnv {
  const path = { PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' }
  if (isRoot) return path
  const { homedir, uid } = userInfo()
  return { ...path, HOME: homedir, XDG_RUNTIME_DIR: `/run/user/${uid}` }
}

/** One line for each; podman has no other way that keeps values out of a process list. */
function environmentText(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => {
      if (/[\r\n]/.test(value) || value.length > mostValueLength) {
        throw new TypeError(
          `podman takes no value of more than one line or ${mostValueLength} characters: ${name}`,
        )
      }
      return `${name}=${value}\n`
    })
    .join('')
}

const mostValueLength = 32_768

function containerPid(pidFile: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10)
    return pid > 1 ? pid : null
  } catch {
    return null
  }
}

const startingMs = 10_000

function isStarted(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(firstProcess)
  } catch {
    return false
  }
}

function killTree(pid: number | undefined): void {
  if (pid === undefined) return
  let children: string[] = []
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  } catch {
    // Gone already, and its children are no longer its own.
  }
  killQuietly(pid)
  for (const child of children) killTree(Number(child))
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Gone already, which is what was wanted.
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
