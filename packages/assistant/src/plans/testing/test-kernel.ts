/** A kernel with plans for its mind: a real database, tools whose names tell their tier. Never for use outside tests. */
import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { planLimits } from '@countersign/agent'
import {
  canonicalText,
  type ExecutorPort,
  idFrom,
  type JsonObject,
  type OperatorId,
  operatorLabel,
  type Permit,
  type PlanStatus,
  type Resolution,
  sealText,
  type ToolCatalogue,
  type ToolFacts,
} from '@countersign/contract'
import { digestOf, generateKey, sha256Hex, signText } from '@countersign/contract/node'
import { type Kernel, subjectOf } from '@countersign/kernel'
import { deviceSeals, openWholeKernel, plainAssistant } from '@countersign/kernel/testing'
import { startTestDatabase } from '../../../../../tests/harness/src/postgres.ts'
import type { AssistantContext } from '../../assistant-context.ts'
import { createBegin } from '../../begin-work.ts'
import { outboxMigration } from '../../outbox/migration.ts'
import { createOutbox } from '../../outbox/outbox.ts'
import { schedulesMigration } from '../../schedules/migration.ts'
import { createPlans, type Plans } from '../plans.ts'
import { modelOf } from './carry-out.ts'

type Effect = Resolution['effects'][number]

const calm = { scope: 'inside', reversible: true, outward: false, leaves: [] } satisfies Partial<Effect>
const effects: Readonly<Record<string, Effect>> = {
  look: { verb: 'read', object: 'a thing', ...calm },
  change: { verb: 'write', object: 'a thing', ...calm },
  fetch: { verb: 'fetch', object: 'a host', ...calm, scope: 'boundary', leaves: ['the address'] },
  send: {
    verb: 'send',
    object: 'a person',
    scope: 'boundary',
    reversible: false,
    outward: true,
    leaves: ['words'],
  },
}

const tools = new Map<string, ToolFacts>(
  [...Object.keys(effects), 'ask_operator'].map((name) => [name, toolNamed(name)]),
)
const catalogue: ToolCatalogue = {
  find: (name) => tools.get(name),
  list: () => [...tools.values()],
  missing: (name) => `There is no tool ${name}.`,
}

export interface PlanTestKernel {
  /** What the executor says it did, and what the model answers. */
  answer: (permit: Permit) => string
  model: () => string
  readonly operator: OperatorId
  readonly permits: Permit[]
  kernel(): Kernel
  plans(): Plans
  /** As after a crash of the process. */
  reopen(): Promise<void>
  close(): Promise<void>
  reaches(id: string, wanted: PlanStatus | 'approval' | 'question' | 'held'): Promise<void>
  answerQuestion(words: string): Promise<void>
  decide(verdict: 'approve' | 'deny'): Promise<void>
}

export async function openPlanTestKernel(): Promise<PlanTestKernel> {
  const database = await startTestDatabase()
  const operator = idFrom('op', randomUUIDv7())
  const gateway = { id: idFrom('gw', randomUUIDv7()), key: generateKey() }
  const deviceKey = generateKey()
  const device = idFrom('dev', randomUUIDv7())
  const identity = { executor: idFrom('exe', randomUUIDv7()), key: sha256Hex('executor') }
  const permits: Permit[] = []
  const behaviour = { answer: (permit: Permit) => `did ${permit.subject.args}`, model: () => 'yes' }
  let kernel: Kernel
  let plans: Plans

  const executor: ExecutorPort = {
    identity,
    resolve: (_operator, calls) =>
      Promise.resolve(calls.map(({ tool }) => ({ kind: 'resolved', resolution: resolutionOf(tool) }))),
    async execute(sent, _signal, replied) {
      for (const [index, permit] of sent.entries()) {
        permits.push(permit)
        const at = new Date().toISOString()
        const text = behaviour.answer(permit)
        const result = { ok: !text.startsWith('broken'), text, summary: text, undo: null }
        replied(index, { kind: 'done', startedAt: at, endedAt: at, result })
      }
    },
    setWorld: () => undefined,
  }

  async function open(): Promise<void> {
    kernel = await openWholeKernel(
      {
        connection: database.connection,
        operator,
        gateway,
        migrations: [outboxMigration, schedulesMigration],
        clock: () => new Date(),
        uuid: randomUUIDv7,
        onProblem: (problem) => console.error(problem),
      },
      ({ records }) => {
        const own: AssistantContext = {
          operator,
          records,
          clock: () => new Date(),
          uuid: randomUUIDv7,
          zone: 'UTC',
          onProblem: (problem) => console.error(problem),
        }
        const outbox = createOutbox(own)
        outbox.open((who, message) => kernel.admit(who, message))
        plans = createPlans({
          context: own,
          model: modelOf(() => behaviour.model()),
          begin: createBegin(own, outbox.post),
          wait: (ms) => sleep(Math.min(ms, 5)),
          limits: () => Promise.resolve(planLimits),
          catalogue: () => Promise.resolve(catalogue),
          tryCall: (call) => kernel.tryTool(operator, call),
          lease: (lease, actor) => kernel.grantInAdvance(operator, lease, actor),
          async hold({ holds, afterCommit }, ids, held) {
            await (held ? holds.hold(ids) : holds.release(ids))
            afterCommit(() => {
              kernel.holdsChanged(operator).catch((problem: unknown) => console.error(problem))
            })
          },
        })
        return {
          tools: { open: () => Promise.resolve(catalogue) },
          recordExecutor: { ...executor, identity: { ...identity, executor: idFrom('exe', randomUUIDv7()) } },
          assistant: {
            ...plainAssistant(() => new Date()),
            prepare: (_operator, run, all) => plans.prepare(run, all),
            ended: async (unit, run, end) => {
              await plans.ended(unit, run, end)
            },
          },
          executor,
          model: modelOf(() => 'nobody asks it'),
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
        }
      },
    )
  }

  await open()
  return Object.assign(behaviour, {
    operator,
    permits,
    kernel: () => kernel,
    plans: () => plans,
    async reopen() {
      await kernel.close()
      await open()
    },
    async close() {
      await kernel.close()
      await database.stop()
    },
    async reaches(id: string, wanted: PlanStatus | 'approval' | 'question' | 'held'): Promise<void> {
      for (let waited = 0; ; waited += 20) {
        const { plan } = await plans.detail(id)
        const run = plan.run
        const row =
          run &&
          (await kernel.readOnly(operator, (db) =>
            db.selectFrom('runs').selectAll().where('id', '=', run).executeTakeFirst(),
          ))
        if (
          plan.status === wanted ||
          (row &&
            row.state === 'parked' &&
            (row.parked_on === wanted || (wanted === 'held' && row.parked_on === 'paused')))
        )
          return
        if (waited > 6_000)
          throw new Error(`${id} is ${plan.status}, ${row ? `${row.state} ${row.parked_on}` : 'no run'}`)
        await sleep(20)
      }
    },
    async answerQuestion(words: string) {
      const question = await kernel.readOnly(operator, (db) =>
        db.selectFrom('questions').select('id').where('state', '=', 'open').executeTakeFirstOrThrow(),
      )
      await kernel.answer(operator, question.id, words, { kind: 'operator', id: 'desk' })
    },
    async decide(verdict: 'approve' | 'deny') {
      const pending = await kernel.readOnly(operator, (db) =>
        db.selectFrom('approvals').select('id').where('state', '=', 'pending').executeTakeFirstOrThrow(),
      )
      const row = await kernel.approval(operator, pending.id)
      const digest = digestOf(subjectOf(row))
      const decidedAt = new Date().toISOString()
      const signature = signText(deviceKey.privateKey, sealText(digest, device, decidedAt))
      const seal = { by: 'device' as const, device, decidedAt, signature }
      const decision =
        verdict === 'approve' ? { verdict, digest, seal } : { verdict, digest, reason: 'not now' }
      await kernel.decide(operator, pending.id, decision as never, { kind: 'operator', id: 'desk', reach: 3 })
    },
  })
}

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
    effect: name === 'look' || name === 'ask_operator' ? 'pure' : name === 'change' ? 'idempotent' : 'once',
    schema: { type: 'object' },
    definition: sha256Hex(name),
    floor: 0,
    output: operatorLabel,
    runs: name === 'ask_operator' ? 'operator' : 'executor',
    parse: (value) => ({ kind: 'args', args: value as JsonObject }),
    describe: (args) => `${name} ${canonicalText(args)}`,
    preview: (args) => ({ kind: 'text', title: name, text: canonicalText(args) }),
    ...(name === 'ask_operator'
      ? { question: (args: JsonObject) => ({ text: JSON.stringify(args['question']), choices: [] }) }
      : {}),
  }
}

function resolutionOf(tool: string): Resolution {
  const effect = effects[tool]
  return { resources: [], effects: effect ? [effect] : [], sandbox: 'none', egress: 'none', secrets: [] }
}
