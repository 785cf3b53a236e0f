/** Owns the honest servers and skills beside the hostile ones: real packages, a program, an address, whose tasks have to work. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { JsonObject, StdioLaunch, Tier } from '@countersign/contract'
import { copyPackage } from '@countersign/executor/package-tree'
import type { Random } from '../../../../../packages/executor/src/testing/random.ts'
import { type ExtensionBench, isOk, textOf } from './bench.ts'
import { farScript, farText } from './far-server.ts'
import { honestSkills } from './honest-skills.ts'
import { tool } from './plan.ts'

interface Task {
  readonly server: string
  readonly tool: string
  readonly input: JsonObject
  /** What the answer holds when it was done. */
  readonly answer: string
}

interface HonestServer {
  readonly name: string
  letIn(bench: ExtensionBench): Promise<void>
  task(random: Random, at: number): Task | readonly Task[]
}

export interface HonestOutcome {
  readonly n: number
  readonly wrong: readonly string[]
}

/** `isWhole`: every server; otherwise those that are quick to let in. */
export async function tryHonest(
  bench: ExtensionBench,
  { count, random, isWhole }: { readonly count: number; readonly random: Random; readonly isWhole: boolean },
): Promise<HonestOutcome> {
  const servers = isWhole ? [...quick, ...real] : quick
  for (const each of [...servers, ...honestSkills]) await each.letIn(bench)
  const wrong: string[] = []
  for (let at = 0; at < count; at += 1) {
    const place = at % (servers.length + honestSkills.length)
    for (const { tool: called, input, answer } of honestSkills[place - servers.length]?.task(random) ?? []) {
      const told = await bench.ask(called, input)
      if (!isOk(told) || !textOf(told).includes(answer))
        wrong.push(`honest ${called}: ${textOf(told).slice(0, 300)}`)
    }
    const server = servers[place]
    if (!server) continue
    for (const task of [server.task(random, at)].flat()) {
      const told = await bench.call(task.server, task.tool, task.input)
      if (!isOk(told) || !textOf(told).includes(task.answer))
        wrong.push(`honest ${task.server} ${task.tool}: ${textOf(told).slice(0, 300)}`)
    }
  }
  return { n: count, wrong }
}

const quick: readonly HonestServer[] = [
  {
    name: 'honest',
    letIn: (bench) => bench.letIn('honest', { tools: [tool('echo')], does: { echo: { kind: 'echo' } } }),
    task: (random) => {
      const word = `word ${random.below(1_000_000)}`
      return { server: 'honest', tool: 'echo', input: { word }, answer: word }
    },
  },
  {
    name: 'far',
    async letIn(bench) {
      bench.far.play(
        'honest-far',
        farScript(
          () => [tool('hello')],
          (message) => farText(message, JSON.stringify(message['params'])),
        ),
      )
      await bench.add('far', { kind: 'http', url: bench.far.url('honest-far'), secret: null }, null)
      await bench.look('far')
      await bench.accept('far', { hello: 2 })
    },
    task: (random) => {
      const word = `word ${random.below(1_000_000)}`
      return { server: 'far', tool: 'hello', input: { word }, answer: word }
    },
  },
]

const real: readonly HonestServer[] = [
  {
    name: 'everything',
    letIn: (bench) => letInPackage(bench, 'everything', { echo: 0, 'get-sum': 1 }, { words: ['stdio'] }),
    task: (random, at) => {
      const [a, b] = [random.below(1000), random.below(1000)]
      return at % 2 === 0
        ? { server: 'everything', tool: 'get-sum', input: { a, b }, answer: String(a + b) }
        : { server: 'everything', tool: 'echo', input: { message: `m${a}` }, answer: `m${a}` }
    },
  },
  {
    name: 'filesystem',
    async letIn(bench) {
      mkdirSync(join(bench.host.workspace, 'honest'), { recursive: true })
      await letInPackage(
        bench,
        'filesystem',
        { read_text_file: 0, write_file: 1 },
        { words: ['/workspace/honest'], folders: [{ path: 'honest', write: true }] },
      )
    },
    task(random, at) {
      const path = `/workspace/honest/file-${at}.txt`
      const content = `content ${random.below(1_000_000)}`
      return [
        { server: 'filesystem', tool: 'write_file', input: { path, content }, answer: '' },
        { server: 'filesystem', tool: 'read_text_file', input: { path }, answer: content },
      ]
    },
  },
  {
    name: 'memory',
    letIn: (bench) =>
      letInPackage(
        bench,
        'memory',
        { create_entities: 1, search_nodes: 0 },
        { data: true, environment: { MEMORY_FILE_PATH: '/data/memory.jsonl' } },
      ),
    task(random, at) {
      const name = `person-${at}-${random.below(1_000_000)}`
      const entities = [{ name, entityType: 'person', observations: ['was here'] }]
      return [
        { server: 'memory', tool: 'create_entities', input: { entities }, answer: name },
        { server: 'memory', tool: 'search_nodes', input: { query: name }, answer: 'was here' },
      ]
    },
  },
]

async function letInPackage(
  bench: ExtensionBench,
  name: string,
  tiers: Readonly<Record<string, Tier>>,
  { words = [], ...more }: Partial<StdioLaunch> & { readonly words?: readonly string[] },
): Promise<void> {
  const folder = bench.folder()
  const program = copyPackage(`@modelcontextprotocol/server-${name}`, folder)
  const argv = ['node', `/extension/${program}`, ...words]
  const added = await bench.add(name, await bench.launch(folder, { argv, ...more }), folder)
  if (!isOk(added)) throw new Error(textOf(added))
  const looked = await bench.look(name)
  if (!isOk(looked)) throw new Error(textOf(looked))
  await bench.accept(name, tiers)
}
