/** Owns a kernel for tests: a real database, a scripted model, and an executor that does what the test says. */
import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  conversationLimits,
  type Limits,
  type ModelFailure,
  type ModelPort,
  type ModelRequest,
  type RawCall,
  type SpentCall,
} from '@countersign/agent'
import {
  canonicalText,
  type DeviceId,
  type ExecuteReply,
  type ExecutorPort,
  type ExecutorReply,
  type InnerCall,
  idFrom,
  type JsonObject,
  type Label,
  operatorLabel,
  type Permit,
  type Resolution,
  type RunDetail,
  type RunId,
  sealText,
  type ToolCatalogue,
  type ToolFacts,
} from '@countersign/contract'
import { digestOf, generateKey, sha256Hex, signText } from '@countersign/contract/node'
import type { Migration } from '@countersign/database'
import { createViews, type Views } from '@countersign/views'
import type pg from 'pg'
import { subjectOf } from '../approvals/approval-row.ts'
import type { CallMiddleware, Kernel, KernelOptions } from '../kernel.ts'
import type { AssistantPort } from '../runs/assistant-port.ts'
import { deviceSeals } from './device-seals.ts'
import { plainAssistant } from './plain-assistant.ts'
import { openWholeKernel } from './whole-kernel.ts'

export type Reply = {
  readonly text?: string
  readonly calls?: readonly { name: string; args: JsonObject | string }[]
  /** In billionths: what is set aside, and what it comes to. */
  readonly money?: { readonly worst: number; readonly cost: number }
  readonly failure?: ModelFailure
}
export type Replies = (request: ModelRequest) => Reply | Promise<Reply>

export interface TestKernel {
  kernel: Kernel
  /** What a surface would show. */
  views(): Views
  /** Every permit that reached the executor, in order. */
  readonly permits: Permit[]
  /** What the executor answers; the default does the work. */
  answer: (permit: Permit) => ExecutorReply | Promise<ExecutorReply>
  /** What the executors find that a call would touch. */
  resolution: (tool: string, args: string) => Resolution
  now: () => Date
  /** Files of the workspace, by path. */
  readonly files: Map<string, Uint8Array>
  takesPictures: boolean
  /** Other limits, from the next opening on. */
  limits: Partial<Limits>
  /** The operator's tools, as they are found when the settings are others than they were. */
  tools: ToolCatalogue
  /** What the assistant does otherwise, from the next opening on. */
  assistant: Partial<AssistantPort>
  say(
    text: string,
    session?: string,
    mode?: 'auto' | 'queue' | 'steer',
  ): Promise<{ run: RunId; session: string }>
  settled(run: RunId, state?: 'stopped' | 'parked'): Promise<RunDetail>
  approve(ref: string): Promise<unknown>
  /** Another kernel on the same database, as after a restart. */
  reopen(): Promise<void>
  close(): Promise<void>
}

/** A tool whose name tells its tier: look (T0), change (T1), fetch (T2), send (T3). */
const effects: Record<string, Resolution['effects'][number]> = {
  look: { verb: 'read', object: 'a thing', scope: 'inside', reversible: true, outward: false, leaves: [] },
  change: { verb: 'write', object: 'a thing', scope: 'inside', reversible: true, outward: false, leaves: [] },
  fetch: {
    verb: 'fetch',
    object: 'a host',
    scope: 'boundary',
    reversible: true,
    outward: false,
    leaves: ['the address'],
  },
  send: {
    verb: 'send',
    object: 'a person',
    scope: 'boundary',
    reversible: false,
    outward: true,
    leaves: ['words'],
  },
}

/** Where the settings are. */
export const switches = 'test_switches'

/** What the made tool was made from. */
export const madeOf: Label = { integrity: 'paired', confidentiality: 'private', sources: ['a friend'] }

export const catalogue: ToolCatalogue = (() => {
  const tools = new Map(Object.keys(effects).map((name) => [name, toolNamed(name)]))
  const meta = { runs: 'unwrapped' as const, effect: 'pure' as const }
  tools.set('batch', {
    ...toolNamed('batch'),
    ...meta,
    unwrap: (args) => ({ kind: 'many', calls: args['operations'] as unknown as InnerCall[] }),
  })
  tools.set('limited', { ...toolNamed('limited'), effect: 'pure', rate: { calls: 2, seconds: 60 } })
  // What surfaces call of themselves.
  tools.set('write_upload', {
    ...toolNamed('write_upload'),
    effect: 'idempotent',
    hidden: true,
    byHand: true,
  })
  // A tool that somebody made: it stands for a hidden program that may ask for calls.
  tools.set('program', { ...toolNamed('program'), effect: 'pure', hidden: true })
  tools.set('clean', {
    ...toolNamed('clean'),
    ...meta,
    origin: { label: operatorLabel, creator: { kind: 'operator', id: 'desk' } },
    unwrap: (args) => ({ kind: 'one', call: { tool: 'program', args: { ...args, journal: [] } } }),
  })
  tools.set('made', {
    ...toolNamed('made'),
    ...meta,
    origin: { label: madeOf, creator: { kind: 'operator', id: 'desk' } },
    unwrap: (args) => ({ kind: 'one', call: { tool: 'program', args: { ...args, journal: [] } } }),
  })
  return {
    find: (name) => tools.get(name),
    list: () => [...tools.values()],
    missing: (name) => `There is no tool named ${name}.`,
  }
})()

function toolNamed(name: string): ToolFacts {
  return {
    name,
    version: '1',
    description: name,
    category: 'test',
    group: 'test',
    tags: [],
    hidden: false,
    listed: true,
    undo: null,
    rate: null,
    origin: null,
    effect: name === 'look' ? 'pure' : name === 'change' ? 'idempotent' : 'once',
    schema: { type: 'object' },
    definition: sha256Hex(name),
    floor: 0,
    output: operatorLabel,
    runs: 'executor',
    parse: (value) => ({ kind: 'args', args: value as JsonObject }),
    describe: (args) => `${name} ${canonicalText(args)}`,
    preview: (args) => ({ kind: 'text', title: name, text: canonicalText(args) }),
  }
}

export function resolutionOf(tool: string): Resolution {
  const effect = effects[tool]
  return {
    resources:
      tool === 'fetch'
        ? [
            {
              type: 'url',
              scheme: 'https',
              host: 'example.org',
              port: 443,
              method: 'GET',
              addressClass: 'name',
              redirects: 'refused',
              carries: 'address',
            },
          ]
        : [],
    effects: effect ? [effect] : [],
    sandbox: 'none',
    egress: 'none',
    secrets: [],
  }
}

const done = (permit: Permit): ExecuteReply => ({
  kind: 'done',
  startedAt: new Date().toISOString(),
  endedAt: new Date().toISOString(),
  result: { ok: true, text: `did ${permit.subject.args}`, summary: 'done', undo: null },
})

/** What stands beside it: tables of others, and what is asked before each call. */
export interface TestKernelNeighbours {
  readonly migrations?: readonly Migration[]
  readonly middleware?: readonly CallMiddleware[]
  readonly dailyUsdOf?: KernelOptions['dailyUsdOf']
}

export async function openTestKernel(
  connection: pg.PoolConfig,
  replies: Replies,
  { migrations, middleware, dailyUsdOf }: TestKernelNeighbours = {},
): Promise<TestKernel> {
  const permits: Permit[] = []
  const gatewayKey = generateKey()
  const deviceKey = generateKey()
  const device: DeviceId = idFrom('dev', randomUUIDv7())
  const operator = idFrom('op', randomUUIDv7())
  const gateway = { id: idFrom('gw', randomUUIDv7()), key: gatewayKey }
  const identity = { executor: idFrom('exe', randomUUIDv7()), key: sha256Hex('executor') }

  const executor: ExecutorPort = {
    identity,
    resolve: (_operator, calls) =>
      Promise.resolve(
        calls.map(({ tool, args }) => ({ kind: 'resolved', resolution: testKernel.resolution(tool, args) })),
      ),
    async execute(sent, _signal, replied) {
      await Promise.all(
        sent.map(async (permit, index) => {
          permits.push(permit)
          replied(index, await testKernel.answer(permit))
        }),
      )
    },
    setWorld: () => undefined,
  }
  const model: ModelPort = {
    takesPictures: () => Promise.resolve(testKernel.takesPictures),
    async *stream(request, _signal, meter) {
      const { text = '', calls = [], money, failure } = await replies(request)
      if (money) {
        const planned = {
          provider: 'test',
          model: 'scripted',
          purpose: request.purpose,
          worstNanos: money.worst,
        }
        const reserved = await meter.reserve(planned)
        if (reserved.kind === 'refused') {
          const { shortage } = reserved
          yield { type: 'failed', failure: { kind: 'budget', message: shortage.message, shortage } }
          return
        }
        await meter.settle(reserved.id, spentOn(money.cost))
      }
      if (failure) {
        yield { type: 'failed', failure }
        return
      }
      const raw = calls.map(
        (call, index): RawCall => ({
          id: `m${index}`,
          name: call.name,
          args: typeof call.args === 'string' ? call.args : JSON.stringify(call.args),
        }),
      )
      const usage = { input: 1, output: 1, cached: 0, reasoning: 0 }
      yield { type: 'end', reply: { text, calls: raw, finish: 'stop', usage, model: 'scripted' } }
    },
  }

  const options: KernelOptions = {
    connection,
    operator,
    gateway,
    settings: [switches],
    ...(migrations ? { migrations } : {}),
    ...(dailyUsdOf ? { dailyUsdOf } : {}),
    clock: () => testKernel.now(),
    uuid: randomUUIDv7,
    onProblem: (problem) => console.error(problem),
  }
  const open = () =>
    openWholeKernel(options, () => ({
      tools: { open: () => Promise.resolve(testKernel.tools) },
      ...(middleware ? { middleware } : {}),
      recordExecutor: { ...executor, identity: { ...identity, executor: idFrom('exe', randomUUIDv7()) } },
      assistant: {
        ...plainAssistant(() => testKernel.now(), {
          ...conversationLimits,
          sameCallsInARow: 8,
          modelRetryDelayMs: 1,
          ...testKernel.limits,
        }),
        ...testKernel.assistant,
      },
      executor,
      model,
      readFile: (path) => Promise.resolve(testKernel.files.get(path)),
      policy: { autonomy: 'medium', files: [] },
      devices: [
        {
          id: device,
          name: 'desk',
          key: deviceKey.publicKey,
          addedAt: new Date().toISOString(),
          revokedAt: null,
        },
      ],
      seals: deviceSeals([{ id: device, key: deviceKey.publicKey }]),
      onFatal: (problem) => console.error(problem),
      sweepEveryMs: 200,
    }))

  const testKernel: TestKernel = {
    kernel: undefined as unknown as Kernel,
    views: () =>
      createViews({ read: testKernel.kernel.readOnly, clock: testKernel.now, redact: (text) => text }),
    permits,
    answer: done,
    resolution: resolutionOf,
    limits: {},
    tools: catalogue,
    assistant: {},
    now: () => new Date(),
    files: new Map(),
    takesPictures: false,
    async say(text, session, mode = 'auto') {
      const admitted = await testKernel.kernel.admit(operator, {
        key: randomUUIDv7(),
        session: (session ?? null) as never,
        text,
        mode,
        requester: { kind: 'operator', id: 'desk' },
      })
      return { run: admitted.run as RunId, session: admitted.session }
    },
    async settled(run, state = 'stopped') {
      for (let waited = 0; ; waited += 10) {
        const detail = await testKernel.views().run(operator, run)
        if (detail.run.state === state) return detail
        if (waited > 5_000) throw new Error(`${run} is ${detail.run.state}, ${detail.run.parkedOn}`)
        await sleep(10)
      }
    },
    async approve(ref) {
      const row = await testKernel.kernel.approval(operator, ref)
      const subject = subjectOf(row)
      const digest = digestOf(subject)
      const decidedAt = testKernel.now().toISOString()
      const signature = signText(deviceKey.privateKey, sealText(digest, device, decidedAt))
      const seal = { by: 'device' as const, device, decidedAt, signature }
      return testKernel.kernel.decide(
        operator,
        ref,
        { verdict: 'approve', digest, seal },
        { kind: 'operator', id: 'desk', reach: 3 },
      )
    },
    async reopen() {
      await testKernel.kernel.close()
      testKernel.kernel = await open()
    },
    close: () => testKernel.kernel.close(),
  }
  testKernel.kernel = await open()
  return testKernel
}

export function spentOn(costNanos: number): SpentCall {
  const usage = { input: 10, output: 5, cached: 4, reasoning: 1 }
  return { outcome: 'delivered', usage, estimated: false, costNanos, firstTokenMs: 1.5, totalMs: 2.5 }
}
