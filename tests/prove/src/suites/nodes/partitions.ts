/**
 * Cuts between a real gateway and a real node at the worst moments, and a node that is killed there: what counts is how
 * often each call's program wrote its line in the folder of the node, beside what the gateway says became of the call.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ToolFacts } from '@countersign/contract'
import { generateKey } from '@countersign/contract/node'
import { builtinTools, createCatalogue } from '@countersign/tools'
import { createRandom, type Random } from '../../../../../packages/executor/src/testing/random.ts'
import {
  type NodeBench,
  openNodeBench,
} from '../../../../../packages/gateway/src/nodes/testing/node-bench.ts'
import { pairNode } from '../../../../../packages/node/src/pairing.ts'
import {
  makeTestFolder,
  runTestNode,
  type TestFolder,
} from '../../../../../packages/node/src/testing/paired-node.ts'
import type { SuiteOptions, SuiteResult } from '../../suite.ts'
import { type Cut, type CuttingDoor, openCuttingDoor } from './cutting-door.ts'

const nodeMain = fileURLToPath(new URL('../../../../../packages/node/src/main.ts', import.meta.url))
const cuts: readonly Cut[] = ['answer', 'before', 'in']
const kills = ['after the effect', 'before it heard', 'at some moment'] as const
const longestMs = 45_000

export interface PartitionOptions extends Pick<SuiteOptions, 'n' | 'seed' | 'log'> {
  /** The file of a mutant, for the processes of the node. */
  readonly mutation?: string | undefined
}

interface Scene {
  readonly bench: NodeBench
  readonly door: CuttingDoor
  readonly place: TestFolder
  readonly random: Random
  readonly problems: string[]
  readonly outcomes: Record<string, number>
  /** What the model is to call next. */
  readonly wanted: { id: string }
}

/** Two of three cut the connection of a living node; in the others its process is killed and started again. */
export async function tryPartitions({ n, seed, log, mutation }: PartitionOptions): Promise<SuiteResult> {
  const catalogue = createCatalogue(builtinTools)
  // Nobody cuts a connection twenty times a minute but this suite, whose node calls and connects as often.
  const tool: ToolFacts = { ...(catalogue.find('device_run_program') as ToolFacts), rate: null }
  const limits = { calls: { graceMs: 2_000 }, gate: { openedPerMinute: 100 * n } }
  const wanted = { id: '' }
  const bench = await openNodeBench(
    ({ messages }) =>
      messages.at(-1)?.role === 'tool'
        ? { text: 'Done.' }
        : { calls: [{ name: tool.name, args: programFor(wanted.id) }] },
    { tools: [tool], limits },
  )
  const door = await openCuttingDoor(Number(new URL(bench.url()).port))
  const place = makeTestFolder()
  const scene: Scene = {
    bench,
    door,
    place,
    random: createRandom(seed),
    problems: [],
    outcomes: {},
    wanted,
  }
  try {
    const pairing = await pair(scene)
    const node = await runTestNode(place, pairing)
    await online(scene)
    await thieves(scene)
    const killed = Math.ceil(n / 3)
    for (let trial = 0; trial < n - killed && scene.problems.length === 0; trial += 1)
      await cutTrial(scene, cuts[trial % cuts.length] ?? 'before')
    await node.close()
    log(`${n - killed} cut connections, ${scene.problems.length} problems`)
    let child = start(place, mutation)
    await online(scene)
    for (let trial = 0; trial < killed && scene.problems.length === 0; trial += 1) {
      const when = kills[trial % kills.length] ?? 'at some moment'
      child = await killTrial(scene, child, when, () => start(place, mutation))
    }
    await end(child)
    log(`${killed} killed nodes, ${scene.problems.length} problems`)
    for (const problem of bench.problems) scene.problems.push(`failed: ${String(problem)}`)
    const { problems, outcomes } = scene
    return { n, failures: problems.length, details: { outcomes, problems: problems.slice(0, 10) } }
  } finally {
    door.close()
    await bench.close()
    place.remove()
  }
}

function programFor(id: string) {
  return { node: 'laptop', argv: ['/bin/sh', '-c', `echo ${id} >> log.txt`], uninspectable: true }
}

async function pair({ bench, door, place }: Scene) {
  const shown = Promise.withResolvers<void>()
  const pairing = pairNode({
    paths: place.paths,
    shared: place.shared,
    address: door.address,
    name: 'laptop',
    platform: 'linux',
    nonce: () => randomBytes(24).toString('base64url'),
    now: () => new Date(),
    wait: () => sleep(20),
    show: () => shown.resolve(),
  })
  await Promise.race([shown.promise, pairing])
  const [request] = await bench.client().nodePairingRequests()
  if (!request) throw new Error('the node did not ask')
  const statement = bench.nodeStatement(request, request.key, 'laptop')
  await bench.client().stateDevice(bench.signed(statement))
  return pairing
}

const isOnline = async ({ bench }: Scene) => (await bench.client().nodes()).nodes.some(({ online: is }) => is)
const online = (scene: Scene) => scene.bench.until(() => isOnline(scene))

/** Whoever has another key, or none that was let in, is never welcome. */
async function thieves({ bench, problems }: Scene): Promise<void> {
  const { nodes } = await bench.client().nodes()
  for (const { id, key, name, platform, addedAt: at } of nodes) {
    const times = { addedAt: at, revokedAt: null, statedAt: at }
    const executor = nodes[0]?.advert?.executor
    if (!executor) throw new Error('the node did not say what it is')
    const thief = await bench.connect({
      node: { id, executor, key, name, platform, ...times },
      keys: generateKey(),
    })
    const answer = await Promise.race([thief.hears('refused'), thief.hears('welcome')])
    if (answer.type !== 'refused') problems.push('a node by another key was welcome')
    await thief.cut()
  }
}

/** Asks, approves, and gives what is to be looked at when it is over. */
async function begun(
  scene: Scene,
  cut: Cut,
): Promise<{ readonly id: string; readonly run: Awaited<ReturnType<NodeBench['say']>> }> {
  const id = randomBytes(8).toString('hex')
  scene.wanted.id = id
  const run = await scene.bench.say(`write ${id}`)
  await scene.bench.settled(run, 'parked')
  scene.door.cutAt(cut)
  await scene.bench.approve()
  await scene.door.reached()
  return { id, run }
}

async function cutTrial(scene: Scene, cut: Cut): Promise<void> {
  const { id, run } = await begun(scene, cut)
  await judged(scene, { id, run, name: `cut ${cut}`, mayBeUnknown: false })
}

async function killTrial(
  scene: Scene,
  child: ChildProcess,
  when: (typeof kills)[number],
  again: () => ChildProcess,
): Promise<ChildProcess> {
  const { id, run } = await begun(scene, when === 'before it heard' ? 'before' : 'held')
  if (when === 'after the effect') await scene.bench.until(async () => linesOf(scene, id) > 0)
  if (when === 'at some moment') await sleep(scene.random.below(150))
  await end(child)
  const next = again()
  // Its sandbox may have been in the middle of it: then nobody can know, and nobody says that he does.
  await judged(scene, { id, run, name: `killed ${when}`, mayBeUnknown: when !== 'before it heard' })
  await online(scene)
  return next
}

async function judged(
  { bench, problems, outcomes, ...scene }: Scene,
  trial: {
    readonly id: string
    readonly run: Parameters<NodeBench['detail']>[0]
    readonly name: string
    readonly mayBeUnknown: boolean
  },
): Promise<void> {
  const { id, run, name, mayBeUnknown } = trial
  const deadline = Date.now() + longestMs
  const isOver = async () => {
    const { run: now } = await bench.detail(run)
    return now.state === 'stopped' || now.parkedOn === 'question'
  }
  while (!(await isOver()) && Date.now() < deadline) await sleep(10)
  const [call] = (await bench.detail(run)).calls
  const outcome = call?.outcome ?? 'none'
  const lines = linesOf(scene, id)
  const key = `${name}: ${outcome}`
  outcomes[key] = (outcomes[key] ?? 0) + 1
  if (lines > 1) problems.push(`doubled: ${name}, ${lines} times`)
  if (outcome === 'ok' ? lines === 0 : lines > 0 && outcome !== 'unknown')
    problems.push(`lost: ${name}, told ${outcome} and done ${lines} times`)
  if (outcome !== 'ok' && !(mayBeUnknown && outcome === 'unknown'))
    problems.push(`lost: ${name}, told ${outcome}`)
}

function linesOf({ place }: Pick<Scene, 'place'>, id: string): number {
  const file = join(place.shared, 'log.txt')
  return existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter((line) => line === id).length
    : 0
}

function start({ paths }: TestFolder, mutation: string | undefined): ChildProcess {
  const command = {
    folder: paths.folder,
    platform: 'linux',
    version: '0',
    environment: {},
    ask: { do: 'run' },
  }
  const args = ['--disable-warning=ExperimentalWarning', ...(mutation ? ['--import', mutation] : [])]
  return spawn(process.execPath, [...args, nodeMain, JSON.stringify(command)], {
    env: {},
    stdio: ['ignore', 'ignore', 'inherit'],
  })
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGKILL')
  await gone
}
