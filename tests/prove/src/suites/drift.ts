/**
 * Proves that an approval does not outlive the world it was given in: between the approval and the execution something
 * changes, and nothing runs; or it changes while the permit is under way, and nothing of the change is used. What
 * happened is read from the disk and from a recorder, not from the executor's answer. Every trial before the permit has
 * a control, the same call without the change, which must run; of those inside, each kind has one.
 */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { ExecuteReply } from '@countersign/contract'
import { replaceFile, revokeDevice, sha256Hex } from '@countersign/contract/node'
import { builtinTools, type Catalogue, createCatalogue } from '@countersign/tools'
import { type Executor, openExecutor } from '../../../../packages/executor/src/executor.ts'
import {
  createTestHost,
  deviceOf,
  type PermitRequest,
  sealTestPermit,
  type TestHost,
  withChanges,
} from '../../../../packages/executor/src/testing/host.ts'
import { createRandom, type Random } from '../../../../packages/executor/src/testing/random.ts'
import { type PermitChecks, permitChecks } from '../../../../packages/executor/src/verify.ts'
import { runMutant } from '../mutants/run-mutant.ts'
import type { Suite, SuiteOptions, SuiteResult } from '../suite.ts'
import { changeInside } from './drift/inside.ts'

const skippable = [
  'resolution',
  'tool',
  'policy',
  'epoch',
  'seal',
  'time',
] as const satisfies (keyof PermitChecks)[]

/** What the executor does with the bytes that it sealed, taken out again. */
const insideMutants = ['bytes-not-used', 'bytes-unchecked'] as const
const insideProgram = new URL('./drift/mutant-main.ts', import.meta.url)
const isInside = (mutant: string) => insideMutants.some((name) => name === mutant)

export const drift: Suite = {
  name: 'drift',
  defaultSize: 1_000,
  mutants: [...skippable.map((name) => `skip-${name}`), ...insideMutants],
  run: async (options) => {
    const { mutant } = options
    if (mutant !== undefined && isInside(mutant)) return runMutant(options, mutant, insideProgram)
    const before = await runBefore(options)
    if (mutant !== undefined) return before
    const inside = await changeInside(options.n, options.log)
    return {
      n: before.n + inside.trials,
      failures: before.failures + inside.wrong.length,
      details: { ...before.details, inside: inside.ends, insideExamples: inside.wrong.slice(0, 10) },
    }
  },
}

/** More of these would show nothing new: they do not depend on time. */
const mostBefore = 500

async function runBefore({ seed, mutant, ...options }: SuiteOptions): Promise<SuiteResult> {
  const n = Math.min(options.n, mostBefore)
  const bench = await openBench(seed, mutant)
  const wrong: string[] = []
  const byKind: Record<string, number> = {}
  const names = Object.keys(drifts)
  try {
    for (let trial = 0; trial < n; trial += 1) {
      const name = names[trial % names.length] ?? ''
      byKind[name] = (byKind[name] ?? 0) + 1
      for (const isControl of [true, false]) {
        const happened = await attempt(name, bench, isControl)
        if (happened !== isControl)
          wrong.push(`${name}: ${isControl ? 'the control did not run' : 'executed'}`)
      }
      if (trial % 100 === 99) options.log(`${trial + 1} drifts, ${wrong.length} wrong`)
    }
  } finally {
    await bench.close()
  }
  return { n: n * 2, failures: wrong.length, details: { drifts: byKind, examples: wrong.slice(0, 10) } }
}

interface Bench {
  readonly host: TestHost
  readonly executor: Executor
  readonly random: Random
  readonly recorder: { readonly port: number; has(path: string): boolean }
  /** Parts of the world that have no file: each can be turned, and turned back. */
  readonly levers: Levers
  readonly fresh: () => string
  close(): Promise<void>
}

interface Levers {
  policy: string
  epoch: number
  laterMs: number
  isToolChanged: boolean
}

/** One call, what changes after its approval, and how to see from outside whether it was done. */
interface Trial {
  readonly wish: PermitRequest
  change(): void
  restore?(): void
  happened(reply: ExecuteReply): boolean
}

async function attempt(name: string, bench: Bench, isControl: boolean): Promise<boolean> {
  const trial = drifts[name]?.(bench)
  if (!trial) throw new Error(`no drift ${name}`)
  const { levers, executor } = bench
  const host: TestHost = { ...bench.host, world: { policy: levers.policy, epoch: levers.epoch } }
  executor.setWorld(levers)
  const at = new Date(Date.now() + levers.laterMs)
  const permit = await sealTestPermit(host, { ...trial.wish, at }, executor.resolve)
  if (!isControl) trial.change()
  executor.setWorld(levers)
  const ended = await executor.execute(permit, new AbortController().signal)
  const reply = await withChanges(host, permit, ended, executor)
  const happened = trial.happened(reply)
  trial.restore?.()
  return happened
}

const drifts: Record<string, (bench: Bench) => Trial> = {
  'content of a file that is replaced': (bench) => {
    const { path, trial } = writing(bench, 'old')
    return { ...trial, change: () => writeFileSync(path, bench.fresh()) }
  },
  'file swapped for an equal one': (bench) => {
    const { path, trial } = writing(bench, 'old')
    return {
      ...trial,
      change: () => {
        writeFileSync(`${path}.swap`, 'old')
        renameSync(`${path}.swap`, path)
      },
    }
  },
  'link in place of a file': (bench) => {
    const { path, trial } = writing(bench, 'old')
    return {
      ...trial,
      change: () => {
        renameSync(path, `${path}.target`)
        symlinkSync(`${path}.target`, path)
      },
      happened: () =>
        [path, `${path}.target`].some((file) => existsSync(file) && readFileSync(file, 'utf8') === 'new'),
    }
  },
  'file that was absent': (bench) => {
    const { path, trial } = writing(bench, null)
    return { ...trial, change: () => writeFileSync(path, 'somebody else') }
  },
  'folder turned into a link': (bench) => {
    const folder = bench.fresh()
    const elsewhere = bench.fresh()
    for (const name of [folder, elsewhere]) mkdirSync(join(bench.host.workspace, name))
    const at = (name: string) => join(bench.host.workspace, name, 'new.txt')
    return {
      wish: { tool: 'write_file', args: { path: `${folder}/new.txt`, content: 'new' } },
      change: () => {
        rmSync(join(bench.host.workspace, folder), { recursive: true })
        symlinkSync(elsewhere, join(bench.host.workspace, folder))
      },
      happened: () => existsSync(at(folder)) || existsSync(at(elsewhere)),
    }
  },
  'script that a command reads': (bench) => {
    const { script, trial } = scripted(bench, (name) => `bash ${name}`)
    return { ...trial, change: () => writeFileSync(script, `${readFileSync(script, 'utf8')}# changed\n`) }
  },
  'program in the workspace': (bench) => {
    const { script, trial } = scripted(bench, (name) => `./${name}`)
    return {
      ...trial,
      change: () => {
        writeFileSync(`${script}.swap`, readFileSync(script), { mode: 0o755 })
        renameSync(`${script}.swap`, script)
      },
    }
  },
  'link to a secret outside': (bench) => {
    const path = join(bench.host.folder, bench.fresh())
    writeFileSync(path, 'canary')
    return {
      wish: { tool: 'read_file', args: { path } },
      change: () => {
        renameSync(path, `${path}.secret`)
        symlinkSync(`${path}.secret`, path)
      },
      happened: (reply) => JSON.stringify(reply).includes('canary'),
    }
  },
  'tool definition': (bench) => turned(bench, posting(bench), { isToolChanged: true }),
  policy: (bench) => turned(bench, posting(bench), { policy: sha256Hex(bench.fresh()) }),
  epoch: (bench) => ({ ...posting(bench), change: () => void (bench.levers.epoch += 1) }),
  'time that passed': (bench) =>
    turned(bench, posting(bench), { laterMs: bench.levers.laterMs + 10 * 60_000 + bench.random.below(1e8) }),
  'device revoked': (bench) => {
    const { trustFile } = bench.host.options
    const before = readFileSync(trustFile, 'utf8')
    return {
      ...posting(bench),
      change: () => revokeDevice(trustFile, deviceOf(bench.host), new Date()),
      restore: () => replaceFile(trustFile, before),
    }
  },
}

function writing(
  { host, fresh }: Bench,
  before: string | null,
): { path: string; trial: Omit<Trial, 'change'> } {
  const name = fresh()
  const path = join(host.workspace, name)
  if (before !== null) writeFileSync(path, before)
  return {
    path,
    trial: {
      wish: { tool: 'write_file', args: { path: name, content: 'new' } },
      happened: () => existsSync(path) && readFileSync(path, 'utf8') === 'new',
    },
  }
}

function scripted(
  { host, fresh }: Bench,
  commandFor: (name: string) => string,
): { script: string; trial: Omit<Trial, 'change'> } {
  const name = `${fresh()}.sh`
  const mark = fresh()
  const script = join(host.workspace, name)
  writeFileSync(script, `#!/bin/bash\necho done > ${mark}\n`)
  chmodSync(script, 0o755)
  return {
    script,
    trial: {
      wish: { tool: 'execute_shell', args: { command: commandFor(name) } },
      happened: () => existsSync(join(host.workspace, mark)),
    },
  }
}

function posting({ recorder, fresh }: Bench): Omit<Trial, 'change'> {
  const path = `/${fresh()}`
  const args = { url: `http://127.0.0.1:${recorder.port}${path}`, method: 'POST', body: 'x' }
  return { wish: { tool: 'http_request', args }, happened: () => recorder.has(path) }
}

function turned({ levers }: Bench, trial: Omit<Trial, 'change'>, change: Partial<Levers>): Trial {
  const before = { ...levers }
  return {
    ...trial,
    change: () => void Object.assign(levers, change),
    restore: () => void Object.assign(levers, { ...before, laterMs: levers.laterMs }),
  }
}

async function openBench(seed: number, mutant: string | undefined): Promise<Bench> {
  const random = createRandom(seed)
  const seen = new Set<string>()
  const server = createServer((request, response) => {
    seen.add(request.url ?? '')
    request.resume().on('end', () => response.end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const host = createTestHost({ allowPrivate: [{ host: '127.0.0.1', port }], ports: [] })
  const levers: Levers = { ...host.world, laterMs: 0, isToolChanged: false }
  const executor = await openExecutor(host.options, {
    catalogue: changeable(levers),
    clocks: { wall: () => Date.now() + levers.laterMs, steady: () => performance.now() + levers.laterMs },
    checks: checksFor(mutant),
  })
  let count = 0
  return {
    host,
    executor,
    random,
    recorder: { port, has: (path) => seen.has(path) },
    levers,
    fresh: () => `f${count++}`,
    async close() {
      await executor.close()
      server.close()
      host.remove()
    },
  }
}

function checksFor(mutant: string | undefined): PermitChecks {
  if (mutant === undefined) return permitChecks
  const name = skippable.find((candidate) => `skip-${candidate}` === mutant)
  if (!name) throw new Error(`no mutant ${mutant}`)
  return { ...permitChecks, [name]: () => null }
}

/** A catalogue whose tools can become a later version between two looks. */
function changeable(levers: Levers): Catalogue {
  const before = createCatalogue(builtinTools)
  const after = createCatalogue(
    builtinTools.map((tool) => ({ ...tool, description: `${tool.description} Changed.` })),
  )
  const now = () => (levers.isToolChanged ? after : before)
  return {
    find: (name) => now().find(name),
    list: () => now().list(),
    missing: (name) => now().missing(name),
    definition: (name) => now().definition(name),
  }
}
