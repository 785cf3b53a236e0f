/**
 * What the sandbox adds to bare bubblewrap: `/usr/bin/true` through the port, against `bwrap` with the same mounts and
 * namespaces, without filter, limits, task group and the descriptors that keep values out of process lists. One of
 * each in turn, in one run, since the machine is never quiet. As root the sandbox also joins a task group, for which
 * the kernel waits some milliseconds; a normal user needs none, and there the goal is against bubblewrap that joins one
 * too. The other profile and the other sandbox are told, and have no goal.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import {
  findTaskLimit,
  probeBubblewrap,
  probePodman,
  type Sandbox,
  type SandboxCommand,
  type SandboxProbe,
  sandboxNode,
  sandboxWorkspace,
  systemFiles,
  systemFolders,
  type TaskLimit,
  temporaryBytes,
} from '@countersign/executor/sandbox'
import type { BenchOptions, BenchResult } from '../bench.ts'
import { median, rounded, timed } from '../sample.ts'

export async function measureSandbox({ small, note }: BenchOptions): Promise<BenchResult> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-sandbox-'))
  const workspace = join(folder, 'workspace')
  mkdirSync(workspace)
  try {
    const sandbox = available(await probeBubblewrap({ workspace, hidden: [] }))
    const argv = bareArgv(workspace)
    const rounds = small ? 40 : 150
    const limit = process.getuid?.() === 0 ? findTaskLimit() : null
    const pairs: { ours: number; bare: number; grouped: number }[] = []
    for (let round = 0; round < rounds + 5; round += 1) {
      const bare = await timed(() => bareRun(argv, null))
      const ours = await timed(() => sandboxed(sandbox, {}))
      const grouped = limit === null ? bare : await timed(() => bareRun(argv, limit))
      if (round >= 5) pairs.push({ ours, bare, grouped })
    }
    const ours = median(pairs.map((pair) => pair.ours))
    const bare = median(pairs.map((pair) => pair.bare))
    const ratio = median(pairs.map((pair) => pair.ours / pair.bare))
    const groupedRatio = median(pairs.map((pair) => pair.ours / pair.grouped))
    note(`tools: sandbox ${rounded(ours)} ms, bare ${rounded(bare)} ms, ratio ${rounded(ratio)}`)
    const network: Partial<SandboxCommand> = {
      profile: 'network',
      network: async (listener) => ({ close: async () => void listener.close() }),
    }
    const networkMs = await medianOf(small ? 5 : 20, () => sandboxed(sandbox, network))
    const podman = await probePodman({ workspace, hidden: [], folder: join(folder, 'podman') })
    const podmanMs =
      podman.kind === 'available' ? await medianOf(small ? 3 : 10, () => sandboxed(podman.sandbox, {})) : null
    return {
      figures: {
        sandboxMs: rounded(ours),
        bareBubblewrapMs: rounded(bare),
        sandboxRatio: rounded(ratio),
        ...(limit === null ? {} : { sandboxRatioInATaskGroup: rounded(groupedRatio) }),
        isRoot: process.getuid?.() === 0,
        networkMs: rounded(networkMs),
        podmanMs: podmanMs === null ? null : rounded(podmanMs),
      },
      goals: [
        {
          name: limit === null ? 'sandboxRatio' : 'sandboxRatioInATaskGroup',
          value: groupedRatio,
          kind: 'ratio',
          limit: { atMost: 1.5 },
        },
      ],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function medianOf(count: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let index = 0; index < count; index += 1) times.push(await timed(work))
  return median(times)
}

async function sandboxed(sandbox: Sandbox, changes: Partial<SandboxCommand>): Promise<void> {
  const result = await sandbox.run(
    {
      argv: ['/usr/bin/true'],
      cwd: '',
      env: {},
      profile: 'workspace-write',
      timeoutMs: 20_000,
      maxOutputBytes: 1_000,
      maxMemoryBytes: 1024 ** 3,
      maxProcesses: 32,
      ...changes,
    },
    new AbortController().signal,
  )
  if (result.kind !== 'exited' || result.code !== 0) throw new Error(`the command failed: ${result.stderr}`)
}

function bareArgv(workspace: string): string[] {
  const temporary = ['--size', String(temporaryBytes), '--perms', '1777', '--tmpfs']
  const groups: readonly (readonly string[])[] = [
    ['--unshare-all', '--unshare-user', '--disable-userns', '--die-with-parent', '--new-session'],
    ['--uid', '1000', '--gid', '1000', '--hostname', 'sandbox', '--ro-bind', '/usr', '/usr'],
    systemFolders.flatMap((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    systemFiles.filter((path) => existsSync(path)).flatMap((path) => ['--ro-bind', path, path]),
    ['--ro-bind', '/etc/passwd', '/etc/passwd', '--ro-bind', '/etc/hosts', '/etc/hosts'],
    ['--ro-bind', realpathSync(process.execPath), sandboxNode, '--bind', workspace, sandboxWorkspace],
    ['--dev', '/dev', ...temporary, '/dev/shm', '--remount-ro', '/dev', ...temporary, '/tmp'],
    ['--proc', '/proc', '--remount-ro', '/proc', '--remount-ro', '/', '--chdir', sandboxWorkspace],
    ['--clearenv', '/usr/bin/true'],
  ]
  return groups.flat()
}

function bareRun(argv: readonly string[], limit: TaskLimit | null): Promise<void> {
  return new Promise((resolve, reject) => {
    const group = limit?.open(64) ?? null
    // It waits for its arguments, and is in the group before it starts anything.
    const words = group === null ? argv : ['--args', '3', '/usr/bin/true']
    const child = spawn('/usr/bin/bwrap', words, { env: {}, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] })
    child.once('error', reject)
    child.once('close', (code) => {
      void group?.remove()
      if (code === 0) resolve()
      else reject(new Error(`bwrap ended with ${code}`))
    })
    const feed = child.stdio[3] as Writable
    if (group === null) feed.end()
    else group.join(child.pid ?? 0).then(() => feed.end(argv.slice(0, -1).join('\0')), reject)
  })
}

function available(probe: SandboxProbe): Sandbox {
  if (probe.kind === 'unavailable') throw new Error(`${probe.reason}. ${probe.fix}`)
  return probe.sandbox
}
