/**
 * Lets tools work on a path while another process turns it into a way out and back. Nothing outside changes and no
 * secret comes in. The naive program, under the same race, must be led out.
 */
import { join } from 'node:path'
import { createRandom } from '../../../../../packages/executor/src/testing/random.ts'
import type { TraversalBench } from './bench.ts'
import { fileCalls } from './file-calls.ts'
import { carriedIn, type TraversalPart } from './findings.ts'
import { naiveEscapes } from './naive.ts'
import { startRacer } from './racer.ts'
import { clear, shapes } from './shapes.ts'

const longestNaive = 15

export async function tryRaces(
  bench: TraversalBench,
  options: { seconds: number; seed: number; log(line: string): void },
): Promise<TraversalPart> {
  const { grounds } = bench
  const place = { workspace: grounds.workspace, outside: join(grounds.host.folder, 'outside') }
  const random = createRandom(options.seed)
  const runnable = fileCalls.filter(({ isRun }) => isRun)
  const wrong: string[] = []
  const races: Record<string, { calls: number; refused: number; done: number }> = {}
  let calls = 0
  for (const shape of shapes) {
    const figures = { calls: 0, refused: 0, done: 0 }
    grounds.tidy()
    shape.lay(place)
    const racer = await startRacer(shape, place)
    const until = performance.now() + options.seconds * 1000
    try {
      while (performance.now() < until) {
        const fileCall = random.pick(runnable)
        const args = fileCall.args(shape.path, { url: bench.url, fresh: `race${calls}` })
        const found = await bench.resolve(fileCall.tool, args)
        calls += 1
        figures.calls += 1
        if (!found) continue
        const reply = await bench.execute(fileCall.tool, args, found)
        if (reply.kind === 'refused') figures.refused += 1
        if (reply.kind === 'done' && reply.result.ok) figures.done += 1
        if (grounds.shows(JSON.stringify(reply)))
          wrong.push(`${fileCall.name}, ${shape.name}: disclosed what lies outside`)
      }
    } finally {
      await racer.end()
    }
    wrong.push(...carriedIn(grounds).map((path) => `${shape.name}: ${path} holds what lies outside`))
    wrong.push(...grounds.changes().map((change) => `${shape.name}: ${change}`))
    if (figures.done === 0 && options.seconds >= 1) wrong.push(`${shape.name}: no call came through`)
    clear(place)
    grounds.tidy()
    if (!(await naiveEscapes(shape, grounds.host.folder, longestNaive)))
      wrong.push(`${shape.name}: even the naive program stayed inside, so this race proves nothing`)
    races[shape.name] = figures
    options.log(`${shape.name}: ${figures.calls} calls, ${figures.done} done, ${wrong.length} wrong`)
  }
  return { n: calls, wrong, details: { races, secondsInRace: options.seconds * shapes.length } }
}
