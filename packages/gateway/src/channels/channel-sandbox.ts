/**
 * Owns what the process of a channel can see of this computer: its code, what looking up names needs, and the network. With
 * bubblewrap it has a tree and processes of its own; Node's permissions hold in addition, and alone where there is none.
 */
import { existsSync, readlinkSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface ChannelCommand {
  readonly program: string
  readonly words: readonly string[]
}

const bubblewrapPaths = ['/usr/bin/bwrap', '/usr/local/bin/bwrap']
const systemFolders = ['bin', 'sbin', 'lib', 'lib64'] as const
/** For names of hosts, and for who signs certificates. */
const networkFiles = ['resolv.conf', 'hosts', 'nsswitch.conf', 'ssl', 'ca-certificates', 'gai.conf']
const mostMemoryMb = 160
/** It waits for most of its life: less memory is worth more there than quick code. */
const smallMemory = [
  '--max-semi-space-size=1',
  '--optimize-for-size',
  // WebAssembly is not compiled a second time.
  '--liftoff-only',
  '--v8-pool-size=1',
]

export function channelCommand(
  mainPath: string,
  kind: string,
  bubblewrap = bubblewrapPaths.find((path) => existsSync(path)) ?? null,
): ChannelCommand {
  const main = realpathSync(mainPath)
  const folders = codeFolders(main)
  const node = [
    '--permission',
    ...folders.map((folder) => `--allow-fs-read=${folder}`),
    `--max-old-space-size=${mostMemoryMb}`,
    ...smallMemory,
    '--no-warnings',
    main,
    kind,
  ]
  if (bubblewrap === null) return { program: process.execPath, words: node }
  const program = realpathSync(process.execPath)
  return { program: bubblewrap, words: [...treeOf([...folders, program]), program, ...node] }
}

/** The package that it is in, and the packages that Node finds from there. */
function codeFolders(main: string): string[] {
  let root = dirname(main)
  while (!existsSync(join(root, 'package.json')) && root !== dirname(root)) root = dirname(root)
  const above: string[] = []
  for (let folder = dirname(root); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'node_modules'))) above.push(join(folder, 'node_modules'))
  return [root, ...above]
}

const own = '--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try'
const bounds = '--die-with-parent --new-session --clearenv --cap-drop ALL --uid 1000 --gid 1000'
/** Memory that is free is given back. */
const allocator = '--setenv MALLOC_ARENA_MAX 1 --setenv MALLOC_TRIM_THRESHOLD_ 65536'
const system = '--ro-bind /usr /usr --proc /proc --dev /dev --tmpfs /tmp'

function treeOf(folders: readonly string[]): string[] {
  return [
    ...`${own} ${bounds} ${allocator} ${system}`.split(' '),
    ...systemFolders.flatMap(systemFolder),
    ...networkFiles.flatMap((name) => ['--ro-bind-try', `/etc/${name}`, `/etc/${name}`]),
    ...folders.flatMap((folder) => ['--ro-bind', folder, folder]),
    '--',
  ]
}

/** Where it is a link into /usr it is one inside too. */
function systemFolder(name: string): string[] {
  const path = `/${name}`
  if (!existsSync(path)) return []
  try {
    return ['--symlink', readlinkSync(path), path]
  } catch {
    return ['--ro-bind', path, path]
  }
}
