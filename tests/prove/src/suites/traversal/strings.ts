/**
 * Tries every path with every tool that takes one. Outside nothing changes, no reply holds a secret, and what lies
 * outside is never taken for inside. A path that is resolved is sealed and executed, unless it asks for the host.
 */
import type { ExecuteReply, Resolution } from '@countersign/contract'
import { classify } from '@countersign/policy'
import { createRandom } from '../../../../../packages/executor/src/testing/random.ts'
import type { TraversalBench } from './bench.ts'
import { type FileCall, fileCalls } from './file-calls.ts'
import type { TraversalPart } from './findings.ts'
import type { Grounds } from './grounds.ts'
import { createPaths } from './paths.ts'

const runsForPath = 3
const pathsBetweenLooks = 100

export async function tryPaths(
  bench: TraversalBench,
  options: { count: number; seed: number; log(line: string): void },
): Promise<TraversalPart> {
  const { grounds } = bench
  const random = createRandom(options.seed)
  const paths = createPaths(options.count, grounds, random)
  const wrong: string[] = []
  const figures = { resolved: 0, boundary: 0, executed: 0, done: 0 }
  const byCall: Record<string, number> = {}
  let fresh = 0
  for (const [index, path] of paths.entries()) {
    const given = { url: bench.url, fresh: `fresh${fresh++}` }
    const tries = random
      .shuffle(fileCalls)
      .map((fileCall) => ({ fileCall, args: fileCall.args(path, given) }))
    const found = await Promise.all(tries.map(({ fileCall, args }) => bench.resolve(fileCall.tool, args)))
    let runs = 0
    for (const [at, { fileCall, args }] of tries.entries()) {
      const first = found[at]
      if (!first) continue
      figures.resolved += 1
      wrong.push(...misjudged(fileCall, path, first, grounds))
      const isBoundary = first.resources.some((item) => item.type === 'file' && item.root === 'host')
      if (isBoundary) figures.boundary += 1
      if (isBoundary || !fileCall.isRun || runs >= runsForPath) continue
      runs += 1
      // An earlier tool may have made or moved what this one would have touched.
      const now = runs === 1 ? first : await bench.resolve(fileCall.tool, args)
      if (!now) continue
      wrong.push(...misjudged(fileCall, path, now, grounds))
      const reply = await bench.execute(fileCall.tool, args, now)
      figures.executed += 1
      if (reply.kind === 'done' && reply.result.ok) {
        figures.done += 1
        byCall[fileCall.name] = (byCall[fileCall.name] ?? 0) + 1
      }
      wrong.push(...disclosed(`${fileCall.name} ${JSON.stringify(path)}`, reply, grounds))
    }
    if (runs > 0) {
      wrong.push(...grounds.disturbed().map((what) => `${what} after ${JSON.stringify(path)}`))
      grounds.tidy()
    }
    if (index % pathsBetweenLooks === pathsBetweenLooks - 1) {
      const changes = grounds.changes()
      if (changes.length > 0) wrong.push(...changes.slice(0, 3))
      if (wrong.length > 200) break
    }
    if (index % 2_000 === 1_999) options.log(`${index + 1} paths, ${wrong.length} wrong`)
  }
  wrong.push(...grounds.changes())
  wrong.push(...(await controls(bench)))
  for (const { name, isRun } of fileCalls)
    if (isRun && options.count >= 2_000 && byCall[name] === undefined)
      wrong.push(`${name} never did anything`)
  return {
    n: paths.length * fileCalls.length,
    wrong,
    details: { paths: paths.length, ...figures, done: byCall },
  }
}

/** What the suite finds of the same path with its own eyes. */
function misjudged({ name, tool }: FileCall, path: string, found: Resolution, grounds: Grounds): string[] {
  const wrong: string[] = []
  const said = `${name} ${JSON.stringify(path)}`
  for (const resource of found.resources) {
    if (resource.type !== 'file') continue
    if (resource.root === 'workspace') {
      if (grounds.leadsOut(resource.path)) wrong.push(`${said} was taken for inside: ${resource.path}`)
      continue
    }
    if (tool !== 'read_file') wrong.push(`${said} reached the host`)
    const label = { integrity: 'operator', confidentiality: 'public', sources: [] } as const
    const { tier } = classify({
      tool: { name: tool, category: 'files', floor: 0, declaresEffects: true },
      effects: found.effects,
      resources: found.resources,
      label: { ...label, sources: [] },
      requester: { kind: 'operator', id: 'the operator' },
      identityFlags: false,
    })
    if (tier < 2 || found.effects.some(({ scope }) => scope !== 'boundary'))
      wrong.push(`${said} would leave the workspace without asking`)
  }
  return wrong
}

function disclosed(said: string, reply: ExecuteReply, grounds: Grounds): string[] {
  return grounds.shows(JSON.stringify(reply)) ? [`${said} disclosed what lies outside`] : []
}

/** With an approval the host can be read, and the eye for secrets sees it; inside, all tools do what they say. */
async function controls(bench: TraversalBench): Promise<string[]> {
  const { grounds } = bench
  const wrong: string[] = []
  const args = { path: `${grounds.outside[0]}/secret.txt` }
  const found = await bench.resolve('read_file', args)
  const reply = found && (await bench.execute('read_file', args, found))
  if (!reply || disclosed('', reply, grounds).length === 0)
    wrong.push('a secret that was approved to be read was not seen')
  grounds.tidy()
  for (const [tool, inside] of [
    ['read_file', { path: 'mine.txt' }],
    ['write_file', { path: 'notes/../new/file.txt', content: 'x' }],
    ['copy_file', { source: 'mine.txt', destination: 'copy.txt' }],
    ['move_file', { source: 'copy.txt', destination: 'moved.txt' }],
    ['delete_file', { path: `${grounds.workspace}/moved.txt` }],
    ['create_folder', { path: 'made/of/three' }],
    ['remove_folder', { path: 'made/of/three', count: 3 }],
    ['list_directory', { path: '.' }],
    ['search_files', { path: '.', query: 'mine' }],
    ['file_info', { path: 'café' }],
  ] as const) {
    const resolution = await bench.resolve(tool, inside)
    const done = resolution && (await bench.execute(tool, inside, resolution))
    if (done?.kind !== 'done' || !done.result.ok) wrong.push(`the control ${tool} did not run`)
  }
  grounds.tidy()
  return wrong
}
