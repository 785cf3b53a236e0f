/**
 * Turns a path into a way out at the worst moment: all has been verified, and the tool is about to act. Every trial
 * has a control, the same call without the turn.
 */
import { lstatSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Resolution } from '@countersign/contract'
import type { TraversalBench } from './bench.ts'
import { fileCalls } from './file-calls.ts'
import { carriedIn, type TraversalPart } from './findings.ts'
import { clear, exchanged, shapes } from './shapes.ts'

export async function tryMoments(bench: TraversalBench): Promise<TraversalPart> {
  const { grounds } = bench
  const place = { workspace: grounds.workspace, outside: join(grounds.host.folder, 'outside') }
  const wrong: string[] = []
  const controls = new Map<string, number>()
  let trials = 0
  for (const shape of [...shapes, exchanged]) {
    for (const fileCall of fileCalls.filter(({ isRun }) => isRun)) {
      for (const isTurned of [false, true]) {
        clear(place)
        grounds.tidy()
        shape.lay(place)
        const fresh = `moment${trials}`
        // Most tools take the file; where a folder is exchanged, it is the folder.
        const args = fileCall.args(shape.path, { url: bench.url, fresh })
        const found = await bench.resolve(fileCall.tool, args)
        if (!found) break
        trials += 1
        const turn = isTurned ? () => shape.out(place) : undefined
        const reply = await bench.execute(fileCall.tool, args, found, turn)
        const did = reply.kind === 'done' && reply.result.ok
        const said = `${fileCall.name}, ${shape.name}`
        if (!isTurned && did) controls.set(shape.name, (controls.get(shape.name) ?? 0) + 1)
        if (grounds.shows(JSON.stringify(reply))) wrong.push(`${said}: disclosed what lies outside`)
        if (fileCall.name === 'move from' && did && !isMoved(join(grounds.workspace, fresh), found))
          wrong.push(`${said}: moved something else than was approved`)
        wrong.push(...carriedIn(grounds).map((path) => `${said}: ${path} holds what lies outside`))
        wrong.push(...grounds.changes().map((change) => `${said}: ${change}`))
        rmSync(join(grounds.workspace, fresh), { recursive: true, force: true })
      }
    }
    if ((controls.get(shape.name) ?? 0) === 0) wrong.push(`${shape.name}: no control ran`)
  }
  clear(place)
  grounds.tidy()
  return { n: trials, wrong, details: { moments: trials, momentControls: Object.fromEntries(controls) } }
}

function isMoved(path: string, { resources }: Resolution): boolean {
  const source = resources.find((item) => item.type === 'file' && item.op === 'delete')
  const identity = source?.type === 'file' ? source.identity : 'absent'
  const found = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  if (!found) throw new Error(`nothing was moved to ${dirname(path)}`)
  return identity !== 'absent' && identity.inode === String(found.ino)
}
