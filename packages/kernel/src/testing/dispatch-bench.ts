/**
 * Owns a bench for the parts of dispatch: a real database in which a test lays out runs and calls as rows, and ports
 * that do what the test says. No kernel works on them.
 */
import { randomUUIDv7 } from 'node:crypto'
import {
  type ApprovalId,
  type CallId,
  type EventBody,
  type ExecutorPort,
  type ExecutorReply,
  idFrom,
  type OperatorId,
  operatorLabel,
  type ParkReason,
  type Permit,
  type Resolution,
  type ResolveReply,
  type RunId,
} from '@countersign/contract'
import { generateKey, sha256Hex } from '@countersign/contract/node'
import { compilePolicies, type PolicySet } from '@countersign/policy'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { createApprovals } from '../approvals/approvals.ts'
import type { CallRow } from '../dispatch/call-rows.ts'
import type { Caller, DispatchPorts } from '../dispatch/dispatch-ports.ts'
import { verdictReached } from '../dispatch/operator-answers.ts'
import { createPermits } from '../permits/permits.ts'
import type { HeldRun, RunRow } from '../store/run-row.ts'
import { settingsState } from '../store/settings-state.ts'
import { type EntryDraft, json, openStore, type Store, type Unit } from '../store/store.ts'
import { openIdleKernel } from './idle-kernel.ts'
import { catalogue, resolutionOf } from './test-kernel.ts'

export interface DispatchBench {
  readonly operator: OperatorId
  readonly store: Store
  readonly ports: DispatchPorts
  /** What units recorded and emitted, in order. */
  readonly entries: EntryDraft[]
  readonly events: EventBody[]
  /** What runs were parked on. */
  readonly parked: ParkReason[]
  /** Runs that were let go on. */
  readonly resumed: RunId[]
  readonly resume: (unit: Unit, run: RunRow) => Promise<void>
  /** The permits that reached each executor. */
  readonly sent: { readonly by: 'executor' | 'gateway'; readonly permit: Permit }[]
  /** What the executors find when they look at a call; the default knows the tools of the test kernel. */
  resolve: (tool: string, args: string) => ResolveReply | undefined
  /** What they answer; the default does the work. */
  answer: (permit: Permit) => ExecutorReply | Promise<ExecutorReply>
  pendingControls: { stop: boolean; pause: boolean; words: boolean; ledgerAlarm?: boolean }
  now: Date
  run(change?: Partial<RunRow>): Promise<HeldRun>
  call(run: HeldRun, change?: Partial<CallRow>): Promise<CallRow>
  caller(run: HeldRun, change?: Partial<Caller>): Caller
  /** The call as it stands. */
  look(id: CallId): Promise<CallRow>
  within<T>(work: (unit: Unit) => Promise<T>): Promise<T>
  /** Approves the request with a device's seal. */
  approve(id: ApprovalId): Promise<void>
  /** Forgets what was recorded and scripted. */
  clear(): void
  close(): Promise<void>
}

export async function openDispatchBench(): Promise<DispatchBench> {
  const database = await startTestDatabase()
  const { connection } = database
  const kernel = await openIdleKernel({ connection, clock: () => new Date() })
  const { operator } = kernel
  const commitHook = { prepare: () => [], committed: () => undefined }
  const opened = openStore({
    connection,
    ledger: commitHook,
    stream: commitHook,
    clock: () => bench.now,
    onProblem: console.error,
  })
  const store: Store = {
    ...opened,
    transact: (id, work) =>
      opened.transact(id, (unit) =>
        work({
          ...unit,
          record: (entry) => bench.entries.push(entry),
          emit: (event) => bench.events.push(event),
        }),
      ),
  }
  const executorNamed = (by: 'executor' | 'gateway'): ExecutorPort => ({
    identity: { executor: idFrom('exe', randomUUIDv7()), key: sha256Hex(by) },
    resolve: (_operator, calls) => Promise.resolve(calls.map(({ tool, args }) => bench.resolve(tool, args))),
    async execute(permits, _signal, replied) {
      await Promise.all(
        permits.map(async (permit, index) => {
          bench.sent.push({ by, permit })
          replied(index, await bench.answer(permit))
        }),
      )
    },
    setWorld: () => undefined,
  })
  const compiled = compilePolicies({ autonomy: 'medium', files: [] }) as { set: PolicySet }
  const gateway = { id: idFrom('gw', randomUUIDv7()), epoch: 1 }
  const permits = createPermits({ gateway: gateway.id, key: generateKey() })
  const approvals = createApprovals({
    store,
    permits,
    clock: () => bench.now,
    uuid: randomUUIDv7,
    random: (below) => Math.floor(Math.random() * below),
    seals: { check: () => Promise.resolve(null), proves: () => Promise.resolve(true) },
    freed: () => undefined,
    requestClosed: (unit, approval, run) => verdictReached(unit, approval, run, { store, resume }),
  })
  const resume = (_unit: Unit, { id }: RunRow) => {
    bench.resumed.push(id)
    return Promise.resolve()
  }
  const ports: DispatchPorts = {
    store,
    tools: { open: () => Promise.resolve(catalogue) },
    executors: { executor: executorNamed('executor'), gateway: executorNamed('gateway') },
    middleware: [],
    redact: (text) => text.replaceAll('hidden', '…'),
    policies: { current: () => compiled.set },
    approvals,
    permits,
    gateway,
    clock: () => bench.now,
    uuid: randomUUIDv7,
    nonce: () => randomUUIDv7().replaceAll('-', ''),
    wait: () => Promise.resolve(),
    park(_unit, _run, on) {
      bench.parked.push(on)
      return Promise.resolve()
    },
    control: () => Promise.resolve({ ...bench.pendingControls, steering: [] }),
    pendingControls: () => Promise.resolve({ ledgerAlarm: false, ...bench.pendingControls }),
    settings: settingsState([]),
    createRun: () => Promise.reject(new Error('no run begins here')),
  }
  let position = 0

  const bench: DispatchBench = {
    operator,
    store,
    ports,
    entries: [],
    events: [],
    parked: [],
    resumed: [],
    resume,
    sent: [],
    resolve: found,
    answer: done,
    pendingControls: { stop: false, pause: false, words: false },
    now: new Date(),
    async run(change = {}) {
      const id = change.id ?? idFrom('run', randomUUIDv7())
      const session = idFrom('ses', randomUUIDv7())
      const input = idFrom('inp', randomUUIDv7())
      const at = bench.now
      const owned = { operator_id: operator, session_id: session }
      await bench.within(async ({ db }) => {
        const opened = { operator_id: operator, id: session, title: '', created_at: at, updated_at: at }
        await db
          .insertInto('sessions')
          .values({ ...opened, label: json(operatorLabel) })
          .execute()
        const requester = json({ kind: 'operator', id: 'desk' })
        const said = { id: input, key: input, mode: 'auto' as const, text: '', state: 'running' as const }
        await db
          .insertInto('inputs')
          .values({ ...owned, ...said, requester, created_at: at })
          .execute()
        const begun = { id, input_id: input, kind: 'agent' as const, state: 'running' as const, turn: 1 }
        const { label = operatorLabel, retry: _retry, ...more } = change
        await db
          .insertInto('runs')
          .values({ ...owned, ...begun, started_at: at, ...more, label: json(label) })
          .execute()
      })
      return { operator, id, session, input, segment: change.segment ?? 1, fence: change.fence ?? 0 }
    },
    call: (run, change = {}) =>
      bench.within(({ db }) => {
        position += 1
        const { decision, permit, undo, output_label: label, requester, judged, ...more } = change
        const asText = (value: unknown) => (value ? json(value) : null)
        return db
          .insertInto('calls')
          .values({
            operator_id: operator,
            id: idFrom('call', randomUUIDv7()),
            session_id: run.session,
            run_id: run.id,
            turn: 1,
            position,
            model_id: `m${position}`,
            model_tool: more.tool ?? 'look',
            raw_args: more.args ?? '{}',
            tool: 'look',
            args: '{}',
            headline: more.tool ?? 'look',
            state: 'proposed',
            ...more,
            decision: asText(decision),
            permit: asText(permit),
            undo: asText(undo),
            output_label: asText(label),
            requester: asText(requester),
            judged: asText(judged),
          })
          .returningAll()
          .executeTakeFirstOrThrow()
      }),
    caller: (run, change = {}) => ({
      held: run,
      requester: { kind: 'operator', id: 'desk' },
      cause: 'said',
      work: { agent: 'assistant', goal: null, schedule: null, unattended: false },
      inReader: false,
      limits: { callsPerTurn: 32, callsInTurn: 60, toolCalls: 200 },
      lastReplyText: 'why',
      label: operatorLabel,
      catalogue,
      settings: '',
      restrict: (tools) => tools,
      repeated: new Set(),
      ...change,
    }),
    look: (id) =>
      store.read(operator, (db) =>
        db.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
      ),
    within: async (work) => (await store.transact(operator, work)).value,
    async approve(id) {
      const { digest } = await approvals.find(operator, id)
      const device = idFrom('dev', randomUUIDv7())
      const seal = { by: 'device' as const, device, decidedAt: bench.now.toISOString(), signature: 'sig' }
      const decider = { kind: 'operator' as const, id: 'desk', reach: 3 as const }
      await approvals.decide(operator, id, { verdict: 'approve', digest, seal }, decider)
    },
    clear() {
      for (const list of [bench.entries, bench.events, bench.parked, bench.resumed, bench.sent])
        list.length = 0
      bench.resolve = found
      bench.answer = done
      bench.pendingControls = { stop: false, pause: false, words: false }
      bench.now = new Date()
    },
    async close() {
      await store.close()
      await kernel.close()
      await database.stop()
    },
  }
  return bench
}

export function resolved(change: Partial<Resolution>): ResolveReply {
  return { kind: 'resolved', resolution: { ...resolutionOf('look'), ...change } }
}

function found(tool: string): ResolveReply {
  return { kind: 'resolved', resolution: resolutionOf(tool) }
}

export function done({ subject }: Permit): ExecutorReply {
  const at = '2026-01-01T00:00:00.000Z'
  return {
    kind: 'done',
    startedAt: at,
    endedAt: at,
    result: { ok: true, text: `did ${subject.tool.name}`, summary: 'done', undo: null },
  }
}
