/**
 * The oracle outside of the product: programs of the host look at a folder, as they do for somebody who only enters it
 * or opens it in an editor, or starts npm, make or python there. Whatever they run leaves a mark.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'

export interface HostEyes {
  /** Lets every program look at every folder below, in the tree as it is and as a forgiving file system would hold it. */
  look(folder: string): void
  /** The text of a file that leaves the mark when a program runs it, made for the program that reads such a path. */
  payload(path: string, mark: string): string
  isMarked(mark: string): boolean
}

/** `home` is empty and of its own, so that no setting of this machine takes part. */
export function openHostEyes(home: string): HostEyes {
  const marks = join(home, 'marks')
  mkdirSync(marks, { recursive: true })
  const env = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
    npm_config_cache: join(home, 'npm'),
    npm_config_offline: 'true',
    npm_config_update_notifier: 'false',
  }
  const start = (cwd: string, program: string, ...words: string[]) =>
    spawnSync(program, words, { cwd, env, stdio: 'ignore', timeout: 20_000 })

  const eyes: Record<string, (folder: string, names: readonly string[]) => void> = {
    git(folder, names) {
      if (!names.includes('.git') && !names.includes('HEAD')) return
      start(folder, 'git', '-c', 'safe.directory=*', 'status')
      start(folder, 'git', '-c', 'safe.directory=*', 'log')
    },
    direnv(folder, names) {
      if (names.includes('.envrc')) start(folder, 'bash', '.envrc')
    },
    editor(folder, names) {
      if (!names.includes('.vscode')) return
      for (const command of tasksIn(join(folder, '.vscode', 'tasks.json'))) start(folder, 'sh', '-c', command)
    },
    make(folder, names) {
      if (names.some((name) => /^(?:GNUmakefile|makefile|Makefile)$/.test(name))) start(folder, 'make', '-n')
    },
    python(folder, names) {
      if (!names.some((name) => /^(?:site|user)customize\.py$/.test(name))) return
      spawnSync('python3', ['-c', 'pass'], {
        cwd: folder,
        env: { ...env, PYTHONPATH: folder },
        stdio: 'ignore',
        timeout: 20_000,
      })
    },
    npm(folder, names) {
      if (names.includes('package.json')) start(folder, 'npm', 'install', '--no-audit', '--no-fund')
    },
  }

  const lookAll = (folder: string): void => {
    const entries = readdirSync(folder, { withFileTypes: true })
    const names = entries.map(({ name }) => name)
    for (const eye of Object.values(eyes)) eye(folder, names)
    for (const entry of entries)
      if (entry.isDirectory() && entry.name !== '.git') lookAll(join(folder, entry.name))
  }

  return {
    look(folder) {
      lookAll(folder)
      const forgiving = mkdtempSync(join(home, 'forgiving-'))
      if (copyForgiving(folder, forgiving)) lookAll(forgiving)
      rmSync(forgiving, { recursive: true, force: true })
    },
    payload: (path, mark) => payloadOf(basename(path).toLowerCase(), join(marks, mark)),
    isMarked: (mark) => existsSync(join(marks, mark)),
  }
}

function tasksIn(file: string): string[] {
  try {
    const { tasks } = JSON.parse(readFileSync(file, 'utf8')) as {
      tasks: { command: string; runOptions?: { runOn?: string } }[]
    }
    return tasks.flatMap(({ command, runOptions }) => (runOptions?.runOn === 'folderOpen' ? [command] : []))
  } catch {
    return []
  }
}

function payloadOf(name: string, mark: string): string {
  const touch = `touch '${mark}'`
  if (name === 'head') return 'ref: refs/heads/main\n'
  if (name === 'config')
    return `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = .\n\tfsmonitor = "${touch}; false"\n`
  if (name === 'package.json') {
    const scripts = Object.fromEntries(['preinstall', 'install', 'prepare'].map((when) => [when, touch]))
    return JSON.stringify({ name: 'x', version: '1.0.0', scripts })
  }
  if (name === 'tasks.json') {
    const task = { label: 'x', type: 'shell', command: touch, runOptions: { runOn: 'folderOpen' } }
    return JSON.stringify({ version: '2.0.0', tasks: [task] })
  }
  if (name.includes('makefile')) return `X := $(shell ${touch})\nall:\n\ttrue\n`
  if (name.endsWith('.py')) return `open(${JSON.stringify(mark)}, 'w').close()\n`
  return `${touch}\n`
}

/** Names that programs look for, in the spelling of this file system. */
const known = ['HEAD', '.git', '.vscode', 'tasks.json', '.envrc', 'Makefile', 'package.json', 'config']

/** Copies the tree as a file system would hold it that knows no case and no invisible characters. True if it differs. */
function copyForgiving(from: string, to: string): boolean {
  let differs = false
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const plain = entry.name
      .replaceAll(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
      .replace(/[. ]+$/, '')
    const short = /^git~\d$/i.test(plain) ? '.git' : plain
    const name = known.find((word) => word.toLowerCase() === short.toLowerCase()) ?? entry.name
    differs ||= name !== entry.name
    if (entry.isDirectory()) {
      mkdirSync(join(to, name), { recursive: true })
      differs = copyForgiving(join(from, entry.name), join(to, name)) || differs
    } else if (entry.isFile()) copyFileSync(join(from, entry.name), join(to, name))
  }
  return differs
}
