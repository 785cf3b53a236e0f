/**
 * Tries programs that change more than anybody can look at: paths, bytes, and sets that wait for a decision. What is too much
 * is not taken over, the card says how much it does not show, and no run keeps another from working.
 */
import { randomUUIDv7 } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { idFrom } from '@countersign/contract'
import { heldBounds } from '../../../../../packages/executor/src/sealed/held-changes.ts'
import { takeOverBounds } from '../../../../../packages/executor/src/sealed/path-change.ts'
import type { ExecBench } from './bench.ts'
import type { ExecPart } from './judging.ts'
import { differences, openViewScene, snapshot, type ViewScene } from './views.ts'

export async function tryFloods(
  bench: ExecBench,
  { isLarge, isSmall }: { isLarge: boolean; isSmall: boolean },
): Promise<ExecPart> {
  const scene = openViewScene(bench)
  const before = snapshot(bench.workspace)
  await tryBytes(scene)
  await tryShown(scene)
  if (isLarge) await tryPaths(scene)
  const sets = isSmall ? 0 : await trySets(scene, isLarge ? heldBounds.mostSets + 4 : 0)
  for (const path of differences(before, snapshot(bench.workspace)))
    if (!path.startsWith('view')) scene.wrong.push(`a flood: ${path} is different`)
  return { n: 3 + sets, wrong: scene.wrong, details: { floods: { sets, isLarge } } }
}

/** Files that take no space count by their size. None is larger than a program may make one. */
async function tryBytes(scene: ViewScene): Promise<void> {
  const [files, size] = [64, takeOverBounds.mostBytes / 64 + 1]
  const { held } = await scene.program(
    `cd ${scene.folder()}; for i in $(seq ${files}); do truncate -s ${size} big$i || rm -f big$i; done`,
  )
  if (held) scene.wrong.push(`a flood: ${held.bytes} bytes are held, more than may be taken over`)
}

async function tryPaths(scene: ViewScene): Promise<void> {
  const { held } = await scene.program(
    `cd ${scene.folder()}; mkdir m; cd m; seq ${takeOverBounds.mostChanges + 1} | xargs touch`,
  )
  if (held) scene.wrong.push('a flood: more paths are held than may be taken over')
}

async function tryShown(scene: ViewScene): Promise<void> {
  const count = heldBounds.mostShown + 77
  const { held } = await scene.program(
    `cd ${scene.folder()}; seq ${count} | xargs touch; rm keep/a.txt; ln -s / zz; printf x > zz.sh; chmod +x zz.sh`,
  )
  if (!held) return void scene.wrong.push('a flood: nothing is held of what can still be taken over')
  if (held.files.length + held.more !== count + 3)
    scene.wrong.push(`a flood: the list stands for ${held.files.length + held.more} of ${count + 3} changes`)
  for (const path of ['keep/a.txt', 'zz', 'zz.sh'])
    if (!held.files.some((file) => file.path.endsWith(`/${path}`)))
      scene.wrong.push(`a flood: ${path} is not shown among so many`)
}

/** One run fills its share, and another still works; of all the newest stay. */
async function trySets(scene: ViewScene, others: number): Promise<number> {
  const { bench, wrong } = scene
  const run = idFrom('run', randomUUIDv7())
  const folder = scene.folder()
  const own = heldBounds.mostOfRun + 2
  let held = 0
  for (let at = 0; at < own; at += 1)
    if ((await scene.program(`echo ${at} > ${folder}/flood${at}.md`, run)).held) held += 1
  if (held !== heldBounds.mostOfRun) wrong.push(`a flood: ${held} sets of one run are held`)
  const other = await scene.program(`echo x > ${folder}/other.md`)
  const reply = await other.take()
  if (reply.kind !== 'done' || !reply.result.ok) wrong.push('a flood: one run keeps another from working')
  for (let at = 0; at < others; at += 1) await scene.program(`echo ${at} > ${folder}/more${at}.md`)
  const kept = readdirSync(join(bench.host.options.replayFile, '../held')).length
  if (kept > heldBounds.mostSets) wrong.push(`a flood: ${kept} sets are held`)
  return own + others
}
