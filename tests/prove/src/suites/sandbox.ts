/**
 * Proves that nothing gets out of the sandbox: hundreds of attempts, as data, run inside it while canaries are watched
 * from outside. Files, listeners, a process and settings of the kernel must stay as they are, and an attempt that sees
 * itself succeed at what leaves no trace says so. First, every missing primitive must make the sandbox unavailable.
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ApprovalSubject, JsonObject } from '@countersign/contract'
import { builtinTools, createCatalogue, type ToolCapabilities } from '@countersign/tools'
import { shellCapabilities } from '../../../../packages/executor/src/capabilities/shell.ts'
import { openEgressProxy } from '../../../../packages/executor/src/egress/proxy.ts'
import { createHostFiles } from '../../../../packages/executor/src/host-files.ts'
import { createInspector, locatePath } from '../../../../packages/executor/src/inspector.ts'
import { createPrograms } from '../../../../packages/executor/src/programs.ts'
import {
  type BubblewrapOptions,
  probeBubblewrap,
} from '../../../../packages/executor/src/sandbox/bubblewrap.ts'
import { probePodman } from '../../../../packages/executor/src/sandbox/podman.ts'
import type {
  Sandbox,
  SandboxNetwork,
  SandboxProbe,
  SandboxResult,
} from '../../../../packages/executor/src/sandbox/port.ts'
import type { SealedFiles } from '../../../../packages/executor/src/sealed/sealed-files.ts'
import { type Suite, type SuiteOptions, type SuiteResult, spread } from '../suite.ts'
import { attempts } from './sandbox/all.ts'
import { argvOf, type EscapeAttempt, escapedMark, type SandboxScene, triedMark } from './sandbox/attempt.ts'
import { createDishonest, edits } from './sandbox/dishonest.ts'
import { type Outside, openOutside } from './sandbox/outside.ts'
import { share } from './sandbox/processes.ts'

/** What each mutant lets out; the attempts of that kind are the ones that must notice. */
const mutants: Readonly<Record<string, (typeof attempts)[number]['goal']>> = {
  'shared-network': 'reaching',
  'host-tree': 'reading',
  'no-filter': 'kernel',
  'host-processes': 'reading',
  uncovered: 'reading',
  'writable-workspace': 'writing',
  'proxy-allows-all': 'proxying',
  'proxy-opens-all': 'proxying',
}

export const sandbox: Suite = {
  name: 'sandbox',
  defaultSize: 2 * attempts.length,
  mutants: Object.keys(mutants),
  run,
}

const { signal } = new AbortController()

async function run({ n, mutant, log }: SuiteOptions): Promise<SuiteResult> {
  if (mutant !== undefined && !(mutant in mutants)) throw new Error(`no mutant ${mutant}`)
  const outside = await openOutside()
  const folder = mkdtempSync(join(tmpdir(), 'prove-sandboxes-'))
  const wrong: string[] = []
  const made: Record<string, number> = {}
  let trials = 0
  try {
    if (mutant === undefined) {
      const blind = await outside.blindSpots()
      wrong.push(...blind.map((what) => `nobody would notice: ${what}`))
      const primitives = await missingPrimitives(outside, folder)
      trials += primitives.trials
      wrong.push(...primitives.wrong)
    }
    const held = await openSandboxes(outside, folder, mutant)
    const network = networkOf(outside.scene, mutant)
    const plan = spread(planOf(held.sandboxes, outside.hasCompiler, mutant), n)
    // A mutant is caught by one attempt; the others would only say so again.
    const isDone = () => mutant !== undefined && wrong.length >= 3
    for (let index = 0; index < n && !isDone(); index += 1) {
      const step = plan[index % plan.length]
      if (!step) break
      const { escapes, faults } = await makeAttempt(step.attempt, step.sandbox, outside, network)
      // What could not be made at all does not catch a mutant.
      const problems = mutant === undefined ? [...escapes, ...faults] : escapes
      const where = `${step.attempt.goal}, ${step.sandbox.name}`
      made[where] = (made[where] ?? 0) + 1
      trials += 1
      wrong.push(...problems.map((problem) => `${step.attempt.name} (${where}): ${problem}`))
      if (trials % 100 === 0) log(`${trials} attempts, ${wrong.length} wrong`)
    }
    return {
      n: trials,
      failures: wrong.length,
      details: {
        attempts: made,
        ...(held.absent === null ? {} : { podman: held.absent }),
        ...(outside.hasCompiler ? {} : { compiler: 'none, so nothing was tried in C' }),
        examples: wrong.slice(0, 10),
      },
    }
  } finally {
    await outside.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Step {
  readonly attempt: (typeof attempts)[number]
  readonly sandbox: Sandbox
}

function planOf(sandboxes: readonly Sandbox[], hasCompiler: boolean, mutant: string | undefined): Step[] {
  const goal = mutant === undefined ? null : mutants[mutant]
  const chosen = attempts.filter(
    (attempt) => (goal === null || attempt.goal === goal) && (hasCompiler || attempt.language !== 'c'),
  )
  return sandboxes.flatMap((held) => chosen.map((attempt) => ({ attempt, sandbox: held })))
}

async function makeAttempt(
  attempt: EscapeAttempt,
  held: Sandbox,
  outside: Outside,
  network: SandboxNetwork,
): Promise<{ escapes: string[]; faults: string[] }> {
  const { scene } = outside
  const profile = attempt.profile ?? 'workspace-write'
  let result: SandboxResult
  try {
    result = await held.run(
      {
        argv: argvOf(attempt, scene),
        cwd: '',
        env: attempt.env?.(scene) ?? {},
        profile,
        ...(profile === 'network' ? { network } : {}),
        timeoutMs: attempt.timeoutMs ?? 20_000,
        ...share,
      },
      signal,
    )
  } catch (error) {
    const fault = `it could not be made: ${error instanceof Error ? error.message : String(error)}`
    return { escapes: await outside.look(), faults: [fault] }
  }
  const escapes = await outside.look()
  const text = `${result.stdout}${result.stderr}`
  if (text.includes(scene.token)) escapes.push('the canary was read')
  if (text.includes(escapedMark)) escapes.push(text.slice(text.indexOf(escapedMark)).slice(0, 200))
  if (text.length > share.maxOutputBytes) escapes.push('more output than its share')
  const wasEnded = result.kind === 'exited' && (result.code ?? 255) >= 128
  const wasMade = text.includes(triedMark) || wasEnded
  return { escapes, faults: wasMade ? [] : [`it was not made: ${text.slice(-300)}`] }
}

/** As the shell hands would serve it for a permit that names one place, with names that lead astray. */
function networkOf(scene: SandboxScene, mutant: string | undefined): SandboxNetwork {
  const { allowedPort, forbiddenPort } = scene
  const names = ['rebind.test', 'both.test', 'inner.test']
  const permitted = new Set([`127.0.0.1:${allowedPort}`, ...names.map((name) => `${name}:${forbiddenPort}`)])
  const opened = [
    { host: '127.0.0.1', port: allowedPort },
    { host: '127.0.0.1', port: forbiddenPort },
  ]
  return (server) => {
    let asked = 0
    return openEgressProxy({
      allow: (host, port) => mutant === 'proxy-allows-all' || permitted.has(`${host}:${port}`),
      policy: {
        ports: [forbiddenPort],
        allowPrivate:
          mutant === 'proxy-opens-all'
            ? [...opened, ...names.map((host) => ({ host, port: forbiddenPort }))]
            : opened,
      },
      lookup: async (host) => {
        asked += 1
        if (host === 'both.test') return mutant === undefined ? [faraway, '127.0.0.1'] : ['127.0.0.1']
        return host === 'rebind.test' && asked === 1 && mutant === undefined ? [faraway] : ['127.0.0.1']
      },
      // Nothing of this suite leaves the host.
      connect: (address, port) => connect(address === faraway ? 1 : port, '127.0.0.1'),
      listen: { server },
      signal,
    })
  }
}

const faraway = '93.184.216.34'

async function openSandboxes(
  { scene, hidden }: Outside,
  folder: string,
  mutant: string | undefined,
): Promise<{ sandboxes: Sandbox[]; absent: string | null }> {
  const place = { workspace: scene.workspace, hidden }
  const edit = mutant === undefined ? undefined : (edits as Readonly<Record<string, string>>)[mutant]
  if (edit !== undefined) {
    const dishonest = createDishonest(folder, edit)
    const found = sandboxOf(await probeBubblewrap({ ...place, bubblewrapPath: dishonest.path }))
    dishonest.turn()
    return { sandboxes: [found], absent: null }
  }
  const bubblewrap = sandboxOf(await probeBubblewrap(place))
  if (mutant !== undefined) return { sandboxes: [bubblewrap], absent: null }
  const podman = await probePodman({ ...place, folder: join(folder, 'podman') })
  if (podman.kind === 'unavailable') return { sandboxes: [bubblewrap], absent: podman.reason }
  return { sandboxes: [bubblewrap, podman.sandbox], absent: null }
}

function sandboxOf(probe: SandboxProbe): Sandbox {
  if (probe.kind === 'unavailable') throw new Error(`${probe.reason}. ${probe.fix}`)
  return probe.sandbox
}

/** Without any one of these there is no sandbox, and a tool that needs one refuses, by looking and by running. */
async function missingPrimitives(
  { scene, hidden }: Outside,
  folder: string,
): Promise<{ trials: number; wrong: string[] }> {
  const place = { workspace: scene.workspace, hidden }
  const shared = edits['shared-network']
  const missing: Readonly<Record<string, Partial<BubblewrapOptions>>> = {
    'no bubblewrap': { bubblewrapPath: '/nonexistent/bwrap' },
    'no prlimit': { prlimitPath: '/nonexistent/prlimit' },
    'no Node': { nodePath: '/nonexistent/node' },
    'a Node that does not start': { nodePath: '/usr/bin/false' },
    'a bubblewrap that does nothing': { bubblewrapPath: '/usr/bin/true' },
    'a bubblewrap that refuses': { bubblewrapPath: '/usr/bin/false' },
    'a bubblewrap that shares the network': { bubblewrapPath: turned(join(folder, 'a'), shared) },
    'a bubblewrap without a filter': { bubblewrapPath: turned(join(folder, 'b'), edits['no-filter']) },
    'a bubblewrap that cannot unshare': {
      bubblewrapPath: turned(join(folder, 'c'), "words[0:1] = ['--userns', '99']"),
    },
  }
  const wrong: string[] = []
  for (const [name, changes] of Object.entries(missing)) {
    const probe = await probeBubblewrap({ ...place, ...changes })
    if (probe.kind === 'available') wrong.push(`${name}: the sandbox is available`)
    else if (!(await refuses(probe, scene))) wrong.push(`${name}: the shell does not refuse`)
  }
  const podman = await probePodman({ ...place, folder: join(folder, 'd'), podmanPath: '/nonexistent/podman' })
  if (podman.kind === 'available') wrong.push('no podman: the sandbox is available')
  return { trials: Object.keys(missing).length + 1, wrong }
}

function turned(folder: string, edit: string): string {
  mkdirSync(folder)
  const { path, turn } = createDishonest(folder, edit)
  turn()
  return path
}

async function refuses(
  workspace: Extract<SandboxProbe, { kind: 'unavailable' }>,
  scene: SandboxScene,
): Promise<boolean> {
  const tool = createCatalogue(builtinTools).definition('execute_shell')
  if (tool?.runs !== 'executor') throw new Error('there is no shell')
  const places = { ports: [], allowPrivate: [] }
  const programs = createPrograms(process.execPath)
  const host = createHostFiles({ closed: [] })
  const inspect = createInspector({ root: scene.workspace, workspace, host, programs, egress: places })
  const mark = join(scene.workspace, 'ran')
  const args: JsonObject = { command: `touch ${mark}`, cwd: '.', timeout_ms: 5_000 }
  const found = await tool.effects(args, inspect)
  const subject = { resources: [], sandbox: 'workspace-write:0' } as unknown as ApprovalSubject
  const sealed = {} as SealedFiles
  const capabilities = {
    files: { locate: (path: string) => locatePath(path, scene.workspace) },
    shell: shellCapabilities(subject, {
      sandbox: undefined,
      sealed,
      kept: undefined,
      held: undefined,
      programs,
      places,
    }),
  } as unknown as ToolCapabilities
  const result = await tool.run(args, capabilities, signal)
  return found.kind === 'unavailable' && !result.ok
}
