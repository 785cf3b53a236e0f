/**
 * Tries programs that play with their layer, and what happens while it is taken over. Seen from outside: before anything
 * is taken over nothing is different; afterwards the workspace differs by what the list said and by nothing else; beside
 * the workspace nothing is ever different.
 */
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { sha256Hex } from '@countersign/contract/node'
import type { HeldFile, HeldSet } from '@countersign/tools'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { ExecBench, HeldProgram } from './bench.ts'
import type { ExecPart } from './judging.ts'
import { viewTricks } from './view-tricks.ts'

export interface ViewScene {
  readonly bench: ExecBench
  /** Outside the workspace, with a file that nobody may touch. */
  readonly beside: string
  readonly wrong: string[]
  /** A folder of its own in the workspace, with things to play with. Gives its name. */
  folder(): string
  /** Runs the script over a view. */
  program(script: string, run?: Parameters<ExecBench['hold']>[1]): Promise<HeldProgram>
}

export function openViewScene(bench: ExecBench): ViewScene {
  const beside = mkdtempSync(join(bench.host.folder, 'beside-'))
  const wrong: string[] = []
  writeFileSync(join(beside, 'canary.txt'), 'beside')
  return {
    bench,
    beside,
    wrong,
    folder() {
      const root = mkdtempSync(join(bench.workspace, 'view-'))
      mkdirSync(join(root, 'keep/sub'), { recursive: true })
      for (const file of ['keep/a.txt', 'keep/b.txt', 'keep/sub/c.txt'])
        writeFileSync(join(root, file), `mine ${file.at(-5)}`)
      return basename(root)
    },
    async program(script, run) {
      const [judgement] = await bench.judge('execute_shell', { command: script })
      if (!judgement) throw new Error('a program was not judged')
      return bench.hold(judgement, run)
    },
  }
}

export async function tryViews(
  bench: ExecBench,
  { count, random }: { count: number; random: Random },
): Promise<ExecPart> {
  const scene = openViewScene(bench)
  const figures = { programs: 0, held: 0, taken: 0, left: 0 }
  const outside = snapshot(scene.beside)
  // Each alone, then two or three after the other.
  const rounds = Array.from({ length: count }, (_, index) =>
    index < viewTricks.length
      ? viewTricks.slice(index, index + 1)
      : random.shuffle(viewTricks).slice(0, 2 + random.below(2)),
  )
  for (const tricks of random.shuffle(rounds)) {
    const name = scene.folder()
    const said = tricks.map((trick) => trick.name).join(', ')
    const scripts = tricks.map(({ script }) => `( ${script}\n)`).join('\n')
    const before = snapshot(bench.workspace)
    const program = await scene.program(
      `cd ${name}; T=${name}; BESIDE=${scene.beside}; export T BESIDE\n${scripts}\ntrue`,
    )
    const looked = snapshot(bench.workspace)
    const blame = (problem: string) => scene.wrong.push(`a view, ${said}: ${problem}`)
    figures.programs += 1
    for (const path of differences(before, looked)) blame(`${path} is different before it was taken over`)
    if (program.held) {
      figures.held += 1
      const reply = await program.take()
      const isTaken = reply.kind === 'done' && reply.result.ok
      if (isTaken) figures.taken += 1
      const after = snapshot(bench.workspace)
      for (const problem of isTaken ? unlisted(program.held, before, after) : differences(before, after))
        blame(problem)
    } else figures.left += 1
    for (const path of differences(outside, snapshot(scene.beside))) blame(`${path} is different outside`)
    removeAll(join(bench.workspace, name))
  }
  if (figures.taken === 0) scene.wrong.push('a view: nothing was ever taken over')
  return { n: figures.programs, wrong: scene.wrong, details: { views: figures } }
}

/** By path, what is there: the bytes of names as characters, so that none is lost. */
export type FolderSnapshot = ReadonlyMap<string, string>

export function snapshot(root: string): FolderSnapshot {
  const seen = new Map<string, string>()
  const walk = (folder: string) => {
    const names = readdirSync(Buffer.from(join(root, '.') + (folder && `/${folder}`), 'latin1'), 'latin1')
    for (const name of names) {
      const path = folder === '' ? name : `${folder}/${name}`
      const at = Buffer.from(`${root}/${path}`, 'latin1')
      const found = lstatSync(at)
      const mode = (found.mode & 0o7777).toString(8)
      if (found.isDirectory()) {
        seen.set(path, `folder ${mode}`)
        walk(path)
      } else if (found.isSymbolicLink()) seen.set(path, `link ${readlinkSync(at, 'latin1')}`)
      else if (found.isFile()) seen.set(path, `file ${mode} ${sha256Hex(readFileSync(at))}`)
      else seen.set(path, 'neither file, folder nor link')
    }
  }
  walk('')
  return seen
}

export function differences(before: FolderSnapshot, after: FolderSnapshot): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (path) => before.get(path) !== after.get(path),
  )
}

const textOf = (path: string) => Buffer.from(path, 'latin1').toString('utf8')

/** What differs and was not listed, what was listed and does not differ so, and what nothing may ever be. */
function unlisted(held: HeldSet, before: FolderSnapshot, after: FolderSnapshot): string[] {
  const listed = new Map(held.files.map((file) => [file.path, file]))
  const changed = differences(before, after)
  // A folder that is made for what is in it is told by that, and of too many only the number.
  const untold = changed.filter((path) => {
    const isMade = !before.has(path) && after.get(path)?.startsWith('folder') === true
    const isFilled = isMade && changed.some((other) => other.startsWith(`${path}/`))
    return !listed.has(textOf(path)) && !isFilled
  })
  const odd = changed.flatMap((path) => {
    const now = after.get(path) ?? ''
    const file = listed.get(textOf(path))
    if (now.startsWith('neither')) return [`${path} is ${now}`]
    if (/^(file|folder) [1-7]\d{3}/.test(now) && now !== before.get(path))
      return [`${path} has the mode ${now}`]
    return file ? misTold(file, before.get(path), now) : []
  })
  return [
    ...(untold.length > held.more ? untold.map((path) => `${path} is different and was not listed`) : []),
    ...odd,
  ]
}

function misTold(file: HeldFile, before: string | undefined, now: string): string[] {
  const wrong = (what: string) => [`${file.path} was listed ${what}, and became ${now || 'nothing'}`]
  if ((file.change === 'removed') !== (now === '')) return wrong(`as ${file.change}`)
  if ((file.change === 'made') !== (before === undefined)) return wrong(`as ${file.change}`)
  if (now === '') return []
  if (!now.startsWith(file.kind)) return wrong(`as a ${file.kind}`)
  if (now.startsWith('link') && file.target !== textOf(now.slice('link '.length)))
    return wrong(`with the target ${file.target}`)
  const runs = (text: string | undefined) =>
    text?.startsWith('file ') === true && /[1357]/.test(text.split(' ')[1] ?? '')
  if (file.runs !== (runs(now) && !runs(before))) return wrong(file.runs ? 'as a program' : 'as no program')
  // Of a file that was there the text is what changed in it.
  if (
    file.text !== null &&
    file.change === 'made' &&
    now.startsWith('file') &&
    sha256Hex(file.text) !== now.split(' ')[2]
  )
    return wrong('with another text')
  return []
}

/** Also what a program left without permission to look into. */
export function removeAll(path: string): void {
  const open = (folder: string) => {
    chmodSync(folder, 0o700)
    for (const entry of readdirSync(folder, { withFileTypes: true }))
      if (entry.isDirectory()) open(join(folder, entry.name))
  }
  open(path)
  rmSync(path, { recursive: true, force: true })
}

/** For whoever looks from outside: a folder in place of which a link leads away. */
export function linkAway(path: string, target: string): void {
  rmSync(path, { recursive: true, force: true })
  symlinkSync(target, path)
}
