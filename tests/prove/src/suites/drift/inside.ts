/**
 * Owns the changes that are made while a permit is under way: at every millisecond after it was sent, when its nonce is
 * flushed, when its bytes are being sealed, and back and forth all the time. Content that was not sealed never runs,
 * never leaves and never takes the place of what was sealed; the call is refused, ends honestly, or ends as changed.
 */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  type FSWatcher,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  watch,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import type { ExecuteReply } from '@countersign/contract'
import { openExecutor } from '../../../../../packages/executor/src/executor.ts'
import { openReplayStore } from '../../../../../packages/executor/src/replay-store.ts'
import {
  createTestHost,
  type PermitRequest,
  sealTestPermit,
  withChanges,
} from '../../../../../packages/executor/src/testing/host.ts'
import { filterSaying, makeFilteredRepository } from './filtered-repository.ts'

export interface InsideResult {
  readonly trials: number
  readonly ends: Record<string, number>
  readonly wrong: readonly string[]
}

/** What stands in every changed content, wherever it would show. */
const canary = 'not-sealed'
const lastDelayMs = 60

export async function changeInside(n: number, log: (line: string) => void): Promise<InsideResult> {
  const bench = await openBench()
  const ends: Record<string, number> = { refused: 0, honest: 0, changed: 0, control: 0 }
  const wrong: string[] = []
  const names = Object.keys(kinds)
  try {
    for (const name of names) {
      const end = await attempt(name, bench, { kind: 'never' })
      if (end === 'honest') ends['control'] = (ends['control'] ?? 0) + 1
      else wrong.push(`${name}: the control ended as ${end}`)
    }
    for (let trial = 0; trial < n; trial += 1) {
      const name = names[trial % names.length] ?? ''
      const moment = momentOf(Math.floor(trial / names.length))
      const end = await attempt(name, bench, moment)
      if (end in ends) ends[end] = (ends[end] ?? 0) + 1
      else wrong.push(`${name}, ${textOf(moment)}: ${end}`)
      if (trial % 100 === 99) log(`${trial + 1} changes inside, ${wrong.length} wrong`)
    }
  } finally {
    await bench.close()
  }
  return { trials: n + names.length, ends, wrong }
}

type Moment =
  | { readonly kind: 'never' | 'begun' | 'sealing' | 'sealed' }
  | { readonly kind: 'after' | 'flicker'; readonly ms: number }

/** A prime step visits every millisecond early, so that a small run sees the whole window too. */
function momentOf(round: number): Moment {
  const events = ['sealed', 'begun', 'sealing'] as const
  const place = round % (lastDelayMs + events.length + 2)
  const event = events[place - 1]
  if (event) return { kind: event }
  const ms = (round * 37) % (lastDelayMs + 1)
  return place === 0 ? { kind: 'flicker', ms: ms % 20 } : { kind: 'after', ms }
}

function textOf(moment: Moment): string {
  return 'ms' in moment ? `${moment.kind} ${moment.ms} ms` : moment.kind
}

interface Inside {
  readonly wish: PermitRequest
  /** Puts other content in place of what was sealed, and back. */
  change(): void
  restore(): void
  /** Whether the honest effect is there. */
  isDone(reply: ExecuteReply): boolean
  /** Whether changed content ran, left or arrived. */
  isWrong(reply: ExecuteReply): boolean
}

async function attempt(name: string, bench: Bench, moment: Moment): Promise<string> {
  const trial = kinds[name]?.(bench)
  if (!trial) throw new Error(`no kind ${name}`)
  const permit = await sealTestPermit(bench.host, trial.wish, bench.executor.resolve)
  let isChanged = false
  const change = () => {
    if (!isChanged) trial.change()
    isChanged = true
  }
  const flicker = () => {
    if (!isChanged) return change()
    isChanged = false
    trial.restore()
  }
  const stop = bench.at(moment, change, flicker)
  try {
    const ended = await bench.executor.execute(permit, new AbortController().signal)
    stop()
    const reply = await withChanges(bench.host, permit, ended, bench.executor)
    if (trial.isWrong(reply)) return 'CHANGED CONTENT WAS USED'
    if (reply.kind !== 'done') return reply.kind
    if (trial.isDone(reply)) return 'honest'
    return reply.result.ok ? 'NEITHER DONE NOR TOLD' : 'changed'
  } finally {
    stop()
  }
}

const kinds: Record<string, (bench: Bench) => Inside> = {
  'script renamed into place': (bench) => scripted(bench, 'sh', (script) => `bash ${script}`, swapped),
  'script written in place': (bench) =>
    scripted(
      bench,
      'sh',
      (script) => `bash ${script}`,
      (path, text) => writeFileSync(path, text),
    ),
  'program of the workspace': (bench) => scripted(bench, 'sh', (script) => `./${script}`, swapped),
  'program of an interpreter': (bench) => scripted(bench, 'py', (script) => `python3 ${script}`, swapped),
  'folder exchanged': (bench) => inFolder(bench, (path) => path),
  'link turned': (bench) =>
    inFolder(bench, (path) => {
      renameSync(join(bench.host.workspace, path), join(bench.host.workspace, `${path}.real`))
      symlinkSync(`${path}.real`, join(bench.host.workspace, path))
      return path
    }),
  'data that a command reads': (bench) => {
    const { name, path } = fileOf(bench, 'sealed\n')
    return {
      wish: { tool: 'execute_shell', args: { command: `cat ${name}` } },
      change: () => swapped(path, `${canary}\n`),
      restore: () => swapped(path, 'sealed\n'),
      isDone: (reply) => JSON.stringify(reply).includes('sealed\\n'),
      isWrong: (reply) => JSON.stringify(reply).includes(canary),
    }
  },
  'file that is read': (bench) => {
    const { name, path } = fileOf(bench, 'sealed')
    return {
      wish: { tool: 'read_file', args: { path: name } },
      change: () => swapped(path, canary),
      restore: () => swapped(path, 'sealed'),
      isDone: (reply) => reply.kind === 'done' && reply.result.ok,
      isWrong: (reply) => JSON.stringify(reply).includes(canary),
    }
  },
  'file that is copied': (bench) => {
    const { name, path } = fileOf(bench, 'sealed')
    return arriving(path, `${path}.copy`, {
      tool: 'copy_file',
      args: { source: name, destination: `${name}.copy` },
    })
  },
  'file that is moved': (bench) => {
    const { name, path } = fileOf(bench, 'sealed')
    return arriving(path, `${path}.moved`, {
      tool: 'move_file',
      args: { source: name, destination: `${name}.moved` },
    })
  },
  'settings of git, looking': (bench) => {
    const { path, repository } = repositoryOf(bench)
    return {
      ...configured(repository),
      wish: { tool: 'git_status', args: { path } },
      isDone: (reply) => reply.kind === 'done' && reply.result.ok,
      isWrong: (reply) => JSON.stringify(reply).includes(canary),
    }
  },
  'settings of git, writing': (bench) => {
    const { path, repository } = repositoryOf(bench)
    return {
      ...configured(repository),
      wish: { tool: 'git_add', args: { path, files: ['notes.txt'] } },
      isDone: (reply) => reply.kind === 'done' && reply.result.ok,
      isWrong: (reply) => JSON.stringify(reply).includes(canary),
    }
  },
  'settings of git from elsewhere': (bench) => {
    const { path, repository } = repositoryOf(bench)
    const common = join(repository, '.git', 'commondir')
    const elsewhere = join(repository, 'elsewhere')
    execFileSync('cp', ['-r', join(repository, '.git'), elsewhere])
    writeFileSync(join(elsewhere, 'config'), evilSettings)
    return {
      wish: { tool: 'git_status', args: { path } },
      change: () => swapped(common, '../elsewhere\n'),
      restore: () => rmSync(common, { force: true }),
      isDone: (reply) => reply.kind === 'done' && reply.result.ok,
      isWrong: (reply) => JSON.stringify(reply).includes(canary),
    }
  },
}

function swapped(path: string, text: string): void {
  writeFileSync(`${path}.new`, text, { mode: 0o755 })
  renameSync(`${path}.new`, path)
}

function fileOf({ host, fresh }: Bench, content: string): { name: string; path: string } {
  const name = fresh()
  const path = join(host.workspace, name)
  writeFileSync(path, content)
  return { name, path }
}

/** Says what is written into a mark, for each language. */
const programs = {
  sh: (mark: string, word: string) => `#!/bin/bash\necho ${word} > ${mark}\n`,
  py: (mark: string, word: string) => `open("${mark}", "w").write("${word}")\n`,
} as const

function scripted(
  bench: Bench,
  language: keyof typeof programs,
  commandFor: (script: string) => string,
  put: (path: string, text: string) => void,
): Inside {
  const script = `${bench.fresh()}.${language}`
  const path = join(bench.host.workspace, script)
  return marking(bench, commandFor(script), (mark) => {
    swapped(path, programs[language](mark, 'sealed'))
    return {
      change: () => put(path, programs[language](mark, canary)),
      restore: () => put(path, programs[language](mark, 'sealed')),
    }
  })
}

/** The folder of the script is exchanged as a whole. */
function inFolder(bench: Bench, made: (path: string) => string): Inside {
  const name = bench.fresh()
  const at = (path: string) => join(bench.host.workspace, path)
  return marking(bench, `bash ${name}/job.sh`, (mark) => {
    for (const [folder, word] of [
      [name, 'sealed'],
      [`${name}.other`, canary],
    ] as const) {
      mkdirSync(at(folder))
      writeFileSync(join(at(folder), 'job.sh'), programs.sh(mark, word))
    }
    made(name)
    const exchange = () => {
      renameSync(at(name), at(`${name}.aside`))
      renameSync(at(`${name}.other`), at(name))
      renameSync(at(`${name}.aside`), at(`${name}.other`))
    }
    return { change: exchange, restore: exchange }
  })
}

function marking(
  { host, fresh }: Bench,
  command: string,
  world: (mark: string) => Pick<Inside, 'change' | 'restore'>,
): Inside {
  const mark = fresh()
  const written = () =>
    existsSync(join(host.workspace, mark)) ? readFileSync(join(host.workspace, mark), 'utf8') : ''
  return {
    ...world(mark),
    wish: { tool: 'execute_shell', args: { command } },
    isDone: () => written().includes('sealed') && !written().includes(canary),
    isWrong: () => written().includes(canary),
  }
}

function arriving(path: string, to: string, wish: PermitRequest): Inside {
  const arrived = () => (existsSync(to) ? readFileSync(to, 'utf8') : '')
  return {
    wish,
    change: () => swapped(path, canary),
    restore: () => swapped(path, 'sealed'),
    isDone: () => arrived() === 'sealed',
    isWrong: () => arrived() === canary,
  }
}

const evilSettings = `[core]\n\trepositoryformatversion = 0\n${filterSaying(canary)}`

function repositoryOf({ host, fresh }: Bench): { path: string; repository: string } {
  const path = fresh()
  const repository = join(host.workspace, path)
  makeFilteredRepository(repository)
  return { path, repository }
}

function configured(repository: string): Pick<Inside, 'change' | 'restore'> {
  const path = join(repository, '.git', 'config')
  const before = readFileSync(path, 'utf8')
  return { change: () => swapped(path, evilSettings), restore: () => swapped(path, before) }
}

interface Bench {
  readonly host: ReturnType<typeof createTestHost>
  readonly executor: Awaited<ReturnType<typeof openExecutor>>
  readonly fresh: () => string
  /** Arranges the change; gives what takes the arrangement back. */
  at(moment: Moment, change: () => void, flicker: () => void): () => void
  close(): Promise<void>
}

async function openBench(): Promise<Bench> {
  const host = createTestHost()
  let onBegun: () => void = () => undefined
  const store = openReplayStore({ path: host.options.replayFile, now: () => new Date() })
  const executor = await openExecutor(host.options, {
    replay: {
      ...store,
      async begin(use) {
        const begun = await store.begin(use)
        onBegun()
        return begun
      },
    },
  })
  executor.setWorld(host.world)
  const folders = foldersOf(dirname(host.options.replayFile))
  let count = 0
  return {
    host,
    executor,
    fresh: () => `f${count++}`,
    at(moment, change, flicker) {
      switch (moment.kind) {
        case 'never':
          return () => undefined
        case 'after': {
          const timer = setTimeout(change, moment.ms)
          return () => clearTimeout(timer)
        }
        case 'flicker': {
          let timer: NodeJS.Timeout = setTimeout(() => (timer = setInterval(flicker, 1)), moment.ms)
          return () => clearInterval(timer)
        }
        case 'begun':
          onBegun = change
          return () => (onBegun = () => undefined)
        case 'sealing':
        case 'sealed':
          return whenFolder(folders, moment.kind, change)
      }
    },
    async close() {
      await executor.close()
      host.remove()
    },
  }
}

function foldersOf(folder: string): string {
  const sealing = join(folder, 'sealed')
  const [own = ''] = readdirSync(sealing)
  const folders = join(sealing, own, 'calls')
  mkdirSync(folders, { recursive: true })
  return folders
}

/** `sealing`: as soon as the room is there. `sealed`: as soon as the copies in it are being made. */
function whenFolder(folders: string, kind: 'sealing' | 'sealed', change: () => void): () => void {
  const watchers: FSWatcher[] = []
  const stop = () => {
    for (const watcher of watchers.splice(0)) watcher.close()
  }
  watchers.push(
    watch(folders, (_, name) => {
      if (name === null || !existsSync(join(folders, name))) return
      if (kind === 'sealing') return change()
      try {
        watchers.push(watch(join(folders, name, 'files'), () => setTimeout(change, 2)))
      } catch {
        // The room is gone or not yet whole; another event comes.
      }
    }),
  )
  return stop
}
