/**
 * Owns what judges and runs a call without an installation: the kernel's preparation and assessment, the policy of each level,
 * and a real executor. The memory of grants is a liar here, which says that a grant covers everything.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Autonomy,
  canonicalText,
  type Decision,
  type ExecuteReply,
  type ExecutorPort,
  idFrom,
  type JsonObject,
  operatorLabel,
  type Permit,
  type Resolution,
  type ResolveReply,
  type Resource,
  type RunId,
} from '@countersign/contract'
import { compilePolicies, coversAt, type PolicySet } from '@countersign/policy'
import { builtinTools, createCatalogue, type HeldSet, parseArgs } from '@countersign/tools'
import { createRecordToolRunner } from '@countersign/tools/testing'
import { type Executor, openExecutor } from '../../../../../packages/executor/src/executor.ts'
import {
  createTestHost,
  pressResolved,
  type TestHost,
  withChanges,
} from '../../../../../packages/executor/src/testing/host.ts'
import { type CanonicalCall, canonicalize } from '../../../../../packages/kernel/src/dispatch/canonicalize.ts'
import { classifyAndDecide } from '../../../../../packages/kernel/src/dispatch/classify-and-decide.ts'
import type { Store } from '../../../../../packages/kernel/src/store/store.ts'

export const levels: readonly Autonomy[] = ['none', 'low', 'medium', 'high', 'full']

/** What became of one call at every level. */
export interface Judgement {
  readonly call: CanonicalCall
  readonly resolution: Resolution
  /** The tier that the effects alone give. */
  readonly base: number
  readonly decisions: Readonly<Record<Autonomy, Decision>>
  /** The same where the host has no view, so that nothing of a program is held. */
  readonly unviewed: Readonly<Record<Autonomy, Decision>>
  /** Whether a grant could name all that it touches. */
  readonly isGrantable: boolean
}

/** A program that ran over its view. */
export interface HeldProgram {
  readonly reply: ExecuteReply
  /** What the card would show; null where nothing is held. */
  readonly held: HeldSet | null
  /** Takes the changes over as if that had been approved; something may happen after they were looked at again. */
  take(meanwhile?: () => void): Promise<ExecuteReply>
}

export interface ExecBench {
  readonly host: TestHost
  readonly workspace: string
  readonly repository: string
  readonly port: number
  /** The calls that a proposal stands for. Those that are refused before any decision are left out. */
  judge(tool: string, args: JsonObject): Promise<Judgement[]>
  /** Seals and runs, as if all had been approved: also what a program changed. */
  run(judgement: Pick<Judgement, 'call' | 'resolution'>): Promise<ExecuteReply>
  /** Runs it, and takes nothing over that a program changed. */
  look(judgement: Pick<Judgement, 'call' | 'resolution'>): Promise<ExecuteReply>
  /** The same, for a run of choice, with what can be done with its changes. */
  hold(judgement: Pick<Judgement, 'call' | 'resolution'>, run?: RunId): Promise<HeldProgram>
  /** Whether a command left its mark, as a file or at the listener. */
  isMarked(name: string): boolean
  git(words: readonly string[], folder?: string): string
  /** Makes a repository with one commit. */
  makeRepository(folder: string): void
  close(): Promise<void>
}

const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()

export async function openBench(): Promise<ExecBench> {
  const heard: string[] = []
  const server = createServer((request, response) => {
    heard.push(request.url ?? '')
    response.end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  const host = createTestHost({ allowPrivate: [], ports: [] }, parent)
  const { workspace } = host
  const executor = await openExecutor(host.options)
  if (executor.sandbox.kind === 'unavailable') throw new Error(executor.sandbox.reason)
  executor.setWorld(host.world)
  const catalogue = createCatalogue(builtinTools)
  const sets = levels.map((autonomy) => [autonomy, compiled(autonomy)] as const)
  const repository = join(workspace, 'repository')

  const bench: ExecBench = {
    host,
    workspace,
    repository,
    port,
    async judge(tool, args) {
      const prepared = canonicalize({ tool, args: JSON.stringify(args) }, catalogue)
      const each = prepared.kind === 'many' ? prepared.calls : [prepared]
      const calls = each.flatMap((one) => (one.kind === 'canonical' ? [one.call] : []))
      const judged = await Promise.all(calls.map((call) => judgeOne(call, executor, sets)))
      return judged.filter((judgement) => judgement !== undefined)
    },
    async run(judgement) {
      const permit = permitFor(host, judgement)
      const reply = await executor.execute(permit, new AbortController().signal)
      return withChanges(host, permit, reply, executor)
    },
    look: (judgement) => executor.execute(permitFor(host, judgement), new AbortController().signal),
    async hold(judgement, run) {
      const permit = permitFor(host, judgement, run)
      const reply = await executor.execute(permit, new AbortController().signal)
      const next = reply.kind === 'done' ? reply.result.next : undefined
      return {
        reply,
        held: next ? (JSON.parse(next.args) as HeldSet) : null,
        take: (meanwhile = () => undefined) =>
          withChanges(host, permit, reply, {
            ...executor,
            execute(taking, signal) {
              meanwhile()
              return executor.execute(taking, signal)
            },
          }),
      }
    },
    isMarked: (name) =>
      heard.some((path) => path.includes(name)) ||
      [workspace, repository].some((folder) => existsSync(join(folder, name))),
    git: (words, folder = repository) =>
      execFileSync('git', [...identity, ...words], {
        cwd: folder,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
        env: { PATH: '/usr/bin:/bin', GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
      }),
    makeRepository(folder) {
      mkdirSync(folder, { recursive: true })
      bench.git(['init', '-q', '-b', 'main'], folder)
      writeFileSync(join(folder, 'file.txt'), 'first\n')
      bench.git(['add', '.'], folder)
      bench.git(['commit', '-q', '-m', 'first'], folder)
    },
    async close() {
      await executor.close()
      server.closeAllConnections()
      server.close()
      for (const [, set] of sets) set.dispose()
      host.remove()
    },
  }
  bench.makeRepository(repository)
  return bench
}

/** Whether the call would run with nobody asked: the gateway alone seals up to tier 2, and nothing above. */
export function isFree(decision: Decision): boolean {
  return decision.kind === 'allow' && decision.tier <= 2
}

/** A program that can only read: nothing of it leaves, and what it changes is held until that was judged. */
export function isHeldLook({ resolution }: Pick<Judgement, 'resolution'>): boolean {
  const { resources, effects, egress, secrets } = resolution
  const isHeld = resources.some((item) => item.type === 'exec' && item.uninspectable && item.view)
  const isLook = effects.every(
    ({ verb, scope, outward, leaves }) =>
      verb === 'read' && scope === 'inside' && !outward && leaves.length === 0,
  )
  return isHeld && isLook && effects.length > 0 && egress === 'none' && secrets.length === 0
}

function permitFor(
  host: TestHost,
  { call, resolution }: Pick<Judgement, 'call' | 'resolution'>,
  run?: RunId,
): Permit {
  return pressResolved(host, { tool: call.tool.name, args: call.value, ...(run ? { run } : {}) }, resolution)
}

const identity = ['-c', 'user.name=x', '-c', 'user.email=x@y', '-c', 'safe.directory=*']

function compiled(autonomy: Autonomy): PolicySet {
  const result = compilePolicies({ autonomy, files: [] })
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.problems))
  return result.set
}

async function judgeOne(
  call: CanonicalCall,
  executor: Executor,
  sets: readonly (readonly [Autonomy, PolicySet])[],
): Promise<Judgement | undefined> {
  const reply = call.tool.runs === 'gateway' ? await atHome(call) : await resolved(call, executor)
  const judged = await decided(call, reply, sets)
  if (!judged) return undefined
  const { resources, effects } = judged.resolution
  const without = resources.some(isViewed) ? await decided(call, withoutView(reply), sets) : judged
  if (!without) return undefined
  return {
    call,
    ...judged,
    unviewed: without.decisions,
    isGrantable: coversAt('tool', { tool: '', argsHash: '', resources, effects }) !== null,
  }
}

function isViewed(resource: Resource): boolean {
  return resource.type === 'exec' && resource.view !== null
}

/** The effects stay those of a look: that nothing is held has to be enough. */
function withoutView(reply: ResolveReply): ResolveReply {
  if (reply.kind !== 'resolved') return reply
  const resources = reply.resolution.resources.map((one) => ('view' in one ? { ...one, view: null } : one))
  return { ...reply, resolution: { ...reply.resolution, resources } }
}

async function decided(
  call: CanonicalCall,
  reply: ResolveReply,
  sets: readonly (readonly [Autonomy, PolicySet])[],
): Promise<Pick<Judgement, 'resolution' | 'base' | 'decisions'> | undefined> {
  const port = { resolve: async () => [reply] } as unknown as ExecutorPort
  const circumstances = {
    operator: idFrom('op', someId),
    session: idFrom('ses', someId),
    run: idFrom('run', someId),
    label: operatorLabel,
    requester: { kind: 'operator', id: 'the operator' },
    unattended: false,
    agent: 'assistant',
    goal: null,
    origins: [],
    firstHand: true,
    inReader: false,
  } as const
  const decisions: Partial<Record<Autonomy, Decision>> = {}
  let found: { resolution: Resolution; base: number } | undefined
  for (const [autonomy, policy] of sets) {
    const [assessed] = await classifyAndDecide([call], circumstances, {
      executors: { executor: port, gateway: port },
      store: lyingStore,
      policy,
      now: new Date(),
    })
    if (assessed?.kind !== 'assessed') return undefined
    found = { resolution: assessed.resolution, base: assessed.classification.base }
    decisions[autonomy] = assessed.decision
  }
  return found && { ...found, decisions: decisions as Record<Autonomy, Decision> }
}

const someId = '01980000-0000-7000-8000-000000000000'
const lyingStore = { read: async () => idFrom('gr', someId) } as unknown as Store

async function resolved(call: CanonicalCall, executor: Executor): Promise<ResolveReply> {
  return executor.resolve(call.tool.name, call.args)
}

async function atHome(call: CanonicalCall): Promise<ResolveReply> {
  const catalogue = createCatalogue(builtinTools)
  const tool = catalogue.definition(call.tool.name)
  if (tool?.runs !== 'gateway')
    return { kind: 'invalid', reason: `${call.tool.name} is not of the installation` }
  const args = parseArgs(tool, JSON.parse(canonicalText(call.value)))
  if (args.kind === 'invalid') return { kind: 'invalid', reason: args.problems.join('; ') }
  const found = await tool.effects(args.args, createRecordToolRunner({ catalogue }).context)
  if (found.kind !== 'found') return found
  const { resources, effects } = found
  const resolution = {
    resources: [...resources],
    effects: [...effects],
    sandbox: 'none',
    egress: 'none',
    secrets: [],
  }
  return { kind: 'resolved', resolution }
}
