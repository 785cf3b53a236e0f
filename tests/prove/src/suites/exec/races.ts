/**
 * Tries what happens between the list of a program's changes and their taking over: somebody else changes the workspace, or
 * what is held. Whoever came in between keeps what they have, nothing of the program is there, and nothing is written
 * through what was put in the way.
 */
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import type { ExecBench } from './bench.ts'
import type { ExecPart } from './judging.ts'
import { differences, linkAway, openViewScene, snapshot, type ViewScene } from './views.ts'

interface Race {
  readonly name: string
  /** Done by somebody else, in the folder of the trial. */
  act(root: string, scene: ViewScene): void
  /** What they did does not concern the program, so that its changes are taken over. */
  readonly isElsewhere?: true
}

/** It changes, removes, makes and turns, each in another place. */
const program = (folder: string) =>
  `cd ${folder}; echo program > keep/a.txt; rm keep/b.txt; mkdir made; echo program > made/new.md; rm -r keep/sub; echo program > keep/sub`

const races: readonly Race[] = [
  { name: 'elsewhere', act: (root) => writeFileSync(join(root, 'other.txt'), 'mine'), isElsewhere: true },
  { name: 'saved', act: (root) => writeFileSync(join(root, 'keep/a.txt'), 'saved meanwhile') },
  { name: 'added to', act: (root) => appendFileSync(join(root, 'keep/b.txt'), 'more') },
  { name: 'another mode', act: (root) => chmodSync(join(root, 'keep/a.txt'), 0o600) },
  { name: 'gone', act: (root) => unlinkSync(join(root, 'keep/a.txt')) },
  {
    name: 'a link out',
    act: (root, { beside }) => linkAway(join(root, 'keep/a.txt'), join(beside, 'canary.txt')),
  },
  { name: 'a folder out', act: (root, { beside }) => linkAway(join(root, 'keep'), beside) },
  {
    name: 'a folder exchanged',
    act(root) {
      renameSync(join(root, 'keep'), join(root, 'mine'))
      symlinkSync('mine', join(root, 'keep'))
    },
  },
  {
    name: 'a folder instead',
    act(root) {
      unlinkSync(join(root, 'keep/a.txt'))
      mkdirSync(join(root, 'keep/a.txt'))
    },
  },
  { name: 'a new file in what goes', act: (root) => writeFileSync(join(root, 'keep/sub/mine.txt'), 'mine') },
  {
    name: 'the name taken',
    act(root) {
      mkdirSync(join(root, 'made'))
      writeFileSync(join(root, 'made/new.md'), 'mine')
    },
  },
  { name: 'the name taken by a link', act: (root, { beside }) => symlinkSync(beside, join(root, 'made')) },
]

export async function tryRaces(
  bench: ExecBench,
  { count, random }: { count: number; random: Random },
): Promise<ExecPart> {
  const scene = openViewScene(bench)
  const outside = snapshot(scene.beside)
  const figures = { races: 0, taken: 0, refused: 0, swapped: 0 }
  // Before what is held is looked at again, and between that and the taking over.
  const all = races.flatMap((race) => [false, true].map((isLate) => ({ race, isLate })))
  for (let at = 0; at < count; at += all.length)
    for (const { race, isLate } of random.shuffle(all).slice(0, count - at)) {
      const blame = (problem: string) =>
        scene.wrong.push(`a race, ${race.name}${isLate ? ' at the last moment' : ''}: ${problem}`)
      const name = scene.folder()
      const root = join(bench.workspace, name)
      const { take, held } = await scene.program(program(name))
      if (!held) blame('nothing was held')
      let theirs = snapshot(root)
      const act = () => {
        race.act(root, scene)
        theirs = snapshot(root)
      }
      if (!isLate) act()
      const reply = await take(isLate ? act : undefined)
      const isTaken = reply.kind === 'done' && reply.result.ok
      figures.races += 1
      figures[isTaken ? 'taken' : 'refused'] += 1
      if (isTaken !== (race.isElsewhere === true)) blame(`it was ${isTaken ? '' : 'not '}taken over`)
      if (!isTaken)
        for (const path of differences(theirs, snapshot(root))) blame(`${path} is not as they left it`)
      for (const path of differences(outside, snapshot(scene.beside))) blame(`${path} is different outside`)
      rmSync(root, { recursive: true, force: true })
    }
  await trySwapped(scene)
  figures.swapped += 1
  return { n: figures.races + figures.swapped, wrong: scene.wrong, details: { races: figures } }
}

/** Other bytes are put where what is held lies. */
async function trySwapped(scene: ViewScene): Promise<void> {
  const name = scene.folder()
  const { take, held } = await scene.program(`cd ${name}; echo shown > swapped.txt`)
  const folder = join(scene.bench.host.options.replayFile, '../held', held?.changes ?? '', 'changes', name)
  if (!existsSync(folder)) {
    scene.wrong.push(
      `a race: what is held is not found in ${readdirSync(join(folder, '../../..')).join(', ')}`,
    )
    return
  }
  writeFileSync(join(folder, 'swapped.txt'), 'other\n')
  const reply = await take()
  if (reply.kind === 'done' && reply.result.ok)
    scene.wrong.push('a race: other bytes than those shown were taken over')
  if (existsSync(join(scene.bench.workspace, name, 'swapped.txt')))
    scene.wrong.push('a race: other bytes than those shown are in the workspace')
}
