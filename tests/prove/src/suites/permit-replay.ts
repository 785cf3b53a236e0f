/**
 * Proves that a permit is good for one effect: each is used two hundred times at once, over two real executor
 * processes that share one identity and one replay file, and a third of another identity; then again after a process
 * was killed. The effects are counted by a recorder that knows nothing of permits.
 */
import { randomUUIDv7 } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type ExecuteReply, idFrom, type Permit, type ResolveReply } from '@countersign/contract'
import { readOrCreateKey } from '@countersign/contract/node'
import { executorMainPath, type PermitOutcome, startExecutor } from '@countersign/executor'
import { type ExecutorOptions, openExecutor } from '../../../../packages/executor/src/executor.ts'
import type { ReplayStore } from '../../../../packages/executor/src/replay-store.ts'
import {
  createTestHost,
  sealTestPermit,
  type TestHost,
} from '../../../../packages/executor/src/testing/host.ts'
import { createRandom, type Random } from '../../../../packages/executor/src/testing/random.ts'
import type { Suite, SuiteOptions, SuiteResult } from '../suite.ts'

export const permitReplay: Suite = {
  name: 'permit-replay',
  defaultSize: 500,
  mutants: ['no-replay-store', 'replay-file-for-each-process', 'any-audience'],
  run,
}

const usesOfEach = 200
const atOnce = 5

/** An executor as this suite sees it: a real process, or the same parts in this one where a mutant needs a seam. */
interface User {
  use(permits: readonly Permit[]): Promise<readonly PermitOutcome[]>
  readonly resolve: (tool: string, args: string) => Promise<ResolveReply>
  /** Ends the process without warning and waits for the next one. */
  kill(): Promise<void>
  close(): Promise<void>
}

async function run(options: SuiteOptions): Promise<SuiteResult> {
  const recorder = await startRecorder()
  const host = createTestHost({ allowPrivate: [{ host: '127.0.0.1', port: recorder.port }], ports: [] })
  const users = await startUsers(host, options.mutant)
  try {
    return await tryAll(options, { host, recorder, users, random: createRandom(options.seed) })
  } finally {
    await Promise.all(users.map((user) => user.close()))
    recorder.close()
    host.remove()
  }
}

interface Bench {
  readonly host: TestHost
  readonly recorder: Recorder
  readonly users: readonly User[]
  readonly random: Random
}

async function tryAll(options: SuiteOptions, bench: Bench): Promise<SuiteResult> {
  const { n } = options
  const wrong: string[] = []
  const kinds: Record<string, number> = {}
  let uses = 0
  let kills = 0
  let group: { permit: Permit; path: string; reply: string }[] = []
  for (let from = 0; from < n; from += atOnce) {
    const size = Math.min(atOnce, n - from)
    group = await Promise.all(
      Array.from({ length: size }, async (_, index) => {
        const path = `/effect/${from + index}`
        const permit = await permitFor(path, bench)
        const outcomes = await useEverywhere(permit, bench)
        uses += outcomes.length
        for (const { outcome } of outcomes) kinds[outcome.kind] = (kinds[outcome.kind] ?? 0) + 1
        wrong.push(...problemsOf(path, outcomes, bench.recorder))
        return {
          permit,
          path,
          reply: JSON.stringify(outcomes.find(({ outcome }) => outcome.kind === 'done')?.outcome),
        }
      }),
    )
    if (from % 100 === 0) {
      kills += 1
      const [first] = bench.users
      await first?.kill()
      const again = (await first?.use(group.map(({ permit }) => permit))) ?? []
      uses += again.length
      group.forEach(({ path, reply }, index) => {
        if (JSON.stringify(again[index]) !== reply) wrong.push(`${path}: another answer after a restart`)
        if (bench.recorder.count(path) !== 1)
          wrong.push(`${path}: ${bench.recorder.count(path)} effects after a restart`)
      })
      options.log(`${from + size} permits, ${uses} uses, ${wrong.length} wrong`)
    }
  }
  return {
    n: uses,
    failures: wrong.length,
    details: { permits: n, kills, outcomes: kinds, examples: wrong.slice(0, 10) },
  }
}

interface PermitUse {
  readonly user: number
  readonly outcome: PermitOutcome
}

/** Every use is sent before the first answer is read, in uneven batches. */
async function useEverywhere(permit: Permit, { users, random }: Bench): Promise<PermitUse[]> {
  const shares = [90, 90, usesOfEach - 180]
  const sent = users.flatMap((user, index) => {
    const batches: Promise<PermitUse[]>[] = []
    for (let left = shares[index] ?? 0; left > 0; ) {
      const size = Math.min(left, 1 + random.below(30))
      left -= size
      const permits = Array.from({ length: size }, () => permit)
      batches.push(
        user.use(permits).then((outcomes) => outcomes.map((outcome) => ({ user: index, outcome }))),
      )
    }
    return batches
  })
  return (await Promise.all(random.shuffle(sent))).flat()
}

function problemsOf(path: string, used: readonly PermitUse[], recorder: Recorder): string[] {
  const problems: string[] = []
  if (recorder.count(path) !== 1) problems.push(`${path}: ${recorder.count(path)} effects`)
  const own = used.filter(({ user }) => user < 2).map(({ outcome }) => JSON.stringify(outcome))
  if (new Set(own).size !== 1 || !own[0]?.includes('"done"'))
    problems.push(`${path}: ${new Set(own).size} different answers`)
  const foreign = used.filter(({ user, outcome }) => user === 2 && outcome.kind !== 'refused')
  if (foreign.length > 0) problems.push(`${path}: ${foreign.length} uses by another executor`)
  return problems
}

function permitFor(path: string, { host, recorder, users }: Bench): Promise<Permit> {
  const args = { url: `http://127.0.0.1:${recorder.port}${path}`, method: 'POST', body: 'x' }
  const [first] = users
  if (!first) throw new Error('no executor')
  return sealTestPermit(host, { tool: 'http_request', args }, first.resolve)
}

async function startUsers(host: TestHost, mutant: string | undefined): Promise<User[]> {
  const other = otherIdentity(host)
  const { options } = host
  switch (mutant) {
    case undefined:
      return Promise.all([spawned(host, options), spawned(host, options), spawned(host, other)])
    case 'replay-file-for-each-process':
      return Promise.all([
        spawned(host, options),
        spawned(host, { ...options, replayFile: `${options.replayFile}.second` }),
        spawned(host, other),
      ])
    case 'no-replay-store':
      return Promise.all([
        inside(host, options, forgetful()),
        inside(host, options, forgetful()),
        spawned(host, other),
      ])
    case 'any-audience':
      return Promise.all([
        spawned(host, options),
        spawned(host, options),
        spawned(host, withSameIdentity(host, other)),
      ])
    default:
      throw new Error(`no mutant ${mutant}`)
  }
}

async function spawned(host: TestHost, options: ExecutorOptions): Promise<User> {
  const client = await startExecutor({ options, mainPath: executorMainPath, patienceMs: 60_000 })
  client.setWorld(host.world)
  return {
    use: (permits) => client.execute(permits),
    async resolve(tool, args) {
      const resolved = await client.resolve([{ tool, args }])
      if (resolved.kind !== 'resolved' || !resolved.replies[0]) throw new Error('the executor is gone')
      return resolved.replies[0]
    },
    async kill() {
      const pid = client.pid()
      if (pid === undefined) return
      process.kill(pid, 'SIGKILL')
      while (client.pid() === pid) await new Promise((resolve) => setTimeout(resolve, 5))
    },
    close: () => client.close(),
  }
}

async function inside(host: TestHost, options: ExecutorOptions, replay: ReplayStore): Promise<User> {
  const executor = await openExecutor(options, { replay })
  executor.setWorld(host.world)
  const { signal } = new AbortController()
  return {
    use: (permits) =>
      Promise.all(permits.map((permit): Promise<ExecuteReply> => executor.execute(permit, signal))),
    resolve: executor.resolve,
    kill: async () => undefined,
    close: () => executor.close(),
  }
}

function forgetful(): ReplayStore {
  return {
    keepMs: Number.POSITIVE_INFINITY,
    earlier: async () => undefined,
    begin: async () => ({ kind: 'begun', startedAt: new Date().toISOString() }),
    finish: async () => undefined,
    close: () => undefined,
  }
}

/** An executor that trusts the same gateway and devices, and is somebody else. */
function otherIdentity(host: TestHost): ExecutorOptions {
  const folder = join(host.folder, 'other')
  mkdirSync(folder)
  const keyFile = join(folder, 'executor.key')
  const { publicKey } = readOrCreateKey(keyFile)
  const trust = { ...host.identity.trust, executor: { id: idFrom('exe', randomUUIDv7()), key: publicKey } }
  const trustFile = join(folder, 'trust.json')
  writeFileSync(trustFile, JSON.stringify(trust))
  return { ...host.options, keyFile, trustFile, replayFile: join(folder, 'replay.db') }
}

/** What an executor that did not look at the audience would amount to. */
function withSameIdentity(host: TestHost, other: ExecutorOptions): ExecutorOptions {
  return { ...other, keyFile: host.options.keyFile, trustFile: host.options.trustFile }
}

interface Recorder {
  readonly port: number
  count(path: string): number
  close(): void
}

async function startRecorder(): Promise<Recorder> {
  const counts = new Map<string, number>()
  const server = createServer((request, response) => {
    const path = request.url ?? ''
    counts.set(path, (counts.get(path) ?? 0) + 1)
    request.resume().on('end', () => response.end('recorded'))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    port: (server.address() as AddressInfo).port,
    count: (path) => counts.get(path) ?? 0,
    close: () => server.close(),
  }
}
