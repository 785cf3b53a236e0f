/**
 * Tries every way in which a file tool can leave something that programs on the host run: every pattern of the table,
 * other spellings, repositories in pieces and in any order, links, copies and moves. What is free is done; then the host
 * looks, and nothing may run.
 */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { hostRun } from '@countersign/tools'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { ExecBench } from './bench.ts'
import { type HostEyes, openHostEyes } from './host-eyes.ts'
import type { ExecPart } from './judging.ts'

/** How the content gets to the path. */
type WriteTool = 'write_file' | 'copy_file' | 'move_file'
const ways: readonly WriteTool[] = ['write_file', 'copy_file', 'move_file']

export interface FreeWriter {
  /** Runs the call if nobody would be asked at autonomy medium. Says whether it ran. */
  call(tool: string, args: Record<string, string>): Promise<boolean>
  /** Gets the text to the path in a way of choice, from a plain file where that way needs one. */
  put(way: WriteTool, path: string, text: string): Promise<boolean>
  readonly ran: () => number
}

export function freeWriter(bench: ExecBench): FreeWriter {
  let ran = 0
  let drafts = 0
  const call: FreeWriter['call'] = async (tool, args) => {
    const [judgement] = await bench.judge(tool, args)
    const decision = judgement?.decisions.medium
    if (!judgement || decision?.kind !== 'allow' || decision.tier > 1) return false
    const reply = await bench.run(judgement)
    const done = reply.kind === 'done' && reply.result.ok
    if (done) ran += 1
    return done
  }
  return {
    call,
    async put(way, path, text) {
      if (way === 'write_file') return call(way, { path, content: text })
      drafts += 1
      const source = `drafts/draft${drafts}.txt`
      if (!(await call('write_file', { path: source, content: text }))) return false
      const folder = path.slice(0, path.lastIndexOf('/'))
      if (folder !== '') await call('create_folder', { path: folder })
      return call(way, { source, destination: path })
    },
    ran: () => ran,
  }
}

/** The pieces of a repository. Every order of them must end in a question. */
export const pieces = ['HEAD', 'config', 'objects/info/x', 'refs/heads/x'] as const

export async function tryFreeWrites(
  bench: ExecBench,
  { count, random }: { count: number; random: Random },
): Promise<ExecPart> {
  const eyes = openHostEyes(join(bench.host.folder, 'eyes'))
  const writer = freeWriter(bench)
  const marks: string[] = []
  const mark = (what: string) => {
    marks.push(`${marks.length} ${what.replaceAll('/', '_')}`)
    return marks.at(-1) ?? ''
  }
  for (const { folder, path } of random.shuffle(examples()).slice(0, count)) {
    const whole = `table/${folder}/${path}`
    await writer.put(random.pick(ways), whole, eyes.payload(path, mark(path)))
  }
  for (let trial = 0; trial < Math.max(3, count / 8); trial += 1)
    await tryRepository(writer, eyes, { folder: `bare/${trial}`, mark: mark('bare'), random })
  await tryMoved(writer, eyes, mark)
  await tryLinked(bench, writer, eyes, mark)
  eyes.look(bench.workspace)
  const wrong = marks.filter(eyes.isMarked).map((name) => `a program of the host ran ${name}`)
  const controls = controlsOf(bench, eyes)
  const kept = await writer.call('write_file', { path: 'plain/notes.md', content: 'Notes.' })
  if (!kept) wrong.push('an ordinary file could not be written')
  return {
    n: marks.length,
    wrong: [...wrong, ...controls],
    details: { freeWrites: { trials: marks.length, ran: writer.ran(), found: wrong.length } },
  }
}

/** A path for every pattern, and `.git` as other file systems would read it. */
function examples(): { folder: string; path: string }[] {
  const paths = hostRun.flatMap(({ paths: patterns }) =>
    patterns.map((pattern) =>
      pattern.replace('/**', '/config').replaceAll('[0-9]', '1').replaceAll('*', 'x'),
    ),
  )
  const spelled = ['.GIT', '.Git', '.g\u200cit', '.git\ufeff', '.git.', 'git~1', 'GIT~1'].flatMap((git) =>
    pieces.map((piece) => `${git}/${piece}`),
  )
  const programs = [
    '.vscode/tasks.json',
    '.VSCode/Tasks.json',
    'sitecustomize.py',
    'makefile',
    'Package.json',
  ]
  return [...paths, ...spelled, ...programs].map((path, index) => ({
    folder: spelled.includes(path) ? `git${spelled.indexOf(path) % pieces.length}` : `t${index}`,
    path,
  }))
}

async function tryRepository(
  writer: FreeWriter,
  eyes: HostEyes,
  { folder, mark, random }: { folder: string; mark: string; random: Random },
): Promise<void> {
  for (const piece of random.shuffle([...pieces]))
    await writer.put(random.pick(ways), `${folder}/${piece}`, eyes.payload(piece, mark))
}

/** A folder is made under a plain name and moved to where a program looks. */
async function tryMoved(writer: FreeWriter, eyes: HostEyes, mark: (what: string) => string): Promise<void> {
  const git = eyes.payload('config', mark('moved git'))
  for (const piece of pieces) {
    const text = piece === 'config' ? git : eyes.payload(piece, '')
    await writer.put('write_file', `moved/a/plain/${piece === 'HEAD' ? 'top' : piece}`, text)
  }
  await writer.call('move_file', { source: 'moved/a/plain/top', destination: 'moved/a/plain/HEAD' })
  await writer.call('move_file', { source: 'moved/a/plain', destination: 'moved/a/.git' })
  const tasks = eyes.payload('tasks.json', mark('moved tasks'))
  await writer.put('write_file', 'moved/b/plain/tasks.json', tasks)
  await writer.call('move_file', { source: 'moved/b/plain', destination: 'moved/b/.vscode' })
  const link = eyes.payload('config', mark('git file'))
  for (const piece of pieces) await writer.put('write_file', `moved/c/elsewhere/${piece}`, link)
  await writer.put('write_file', 'moved/c/.git', 'gitdir: elsewhere\n')
  await writer.put('write_file', 'moved/c/elsewhere/commondir', '.\n')
}

/** A link that came with a repository leads to what the table names. */
async function tryLinked(
  bench: ExecBench,
  writer: FreeWriter,
  eyes: HostEyes,
  mark: (what: string) => string,
): Promise<void> {
  const folder = join(bench.workspace, 'linked')
  bench.makeRepository(folder)
  symlinkSync('.git', join(folder, 'docs'))
  mkdirSync(join(folder, '.vscode'))
  symlinkSync('.vscode', join(folder, 'settings'))
  symlinkSync('docs', join(folder, 'docs-of-docs'))
  for (const way of ways) {
    await writer.put(way, 'linked/docs/config', eyes.payload('config', mark(`linked ${way}`)))
    await writer.put(way, 'linked/docs-of-docs/config', eyes.payload('config', mark(`twice linked ${way}`)))
    await writer.put(
      way,
      'linked/settings/tasks.json',
      eyes.payload('tasks.json', mark(`linked ${way} tasks`)),
    )
  }
}

/** Every program does run what is laid out for it by hand, so a mark that is missing means something. */
function controlsOf(bench: ExecBench, eyes: HostEyes): string[] {
  const paths = ['.envrc', '.vscode/tasks.json', 'Makefile', 'sitecustomize.py', 'package.json', 'config']
  return paths.flatMap((path, index) => {
    const root = join(bench.host.folder, 'controls', String(index))
    const named = `control ${path.replaceAll('/', '_')}`
    for (const one of path === 'config' ? pieces : [path]) {
      mkdirSync(join(root, one, '..'), { recursive: true })
      writeFileSync(join(root, one), eyes.payload(one, named))
    }
    eyes.look(root)
    return eyes.isMarked(named) ? [] : [`the control failed: no program ran ${path}`]
  })
}
