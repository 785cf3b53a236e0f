/** Owns putting the trusted core together. What it returns is everything that a surface may ask of it. */
import { randomBytes, randomInt } from 'node:crypto'
import type { ModelPort } from '@countersign/agent'
import type {
  Autonomy,
  DecideApproval,
  DeviceId,
  EventBody,
  GatewayId,
  GrantId,
  LedgerReport,
  OperatorId,
  QuestionId,
  RunId,
  SetBudget,
  ToolSource,
} from '@countersign/contract'
import { createRedactor, type KeyPair, publicKeyOf, type Redactor } from '@countersign/contract/node'
import {
  type Engine,
  type Migration,
  migrate,
  openEngine,
  openPool,
  openWire,
  type SegmentRef,
} from '@countersign/engine'
import type { PolicyFile } from '@countersign/policy'
import type pg from 'pg'
import {
  type Approvals,
  createApprovals,
  type Decider,
  type SealChecks,
  viewOf,
} from './approvals/approvals.ts'
import { type Lease, lease, revokeGrant } from './approvals/grants.ts'
import { type Account, createBooks, ownAccount } from './budgets/books.ts'
import { createBudgets } from './budgets/budgets.ts'
import { answer, edit, steer, verdictReached, withdrawAll } from './dispatch/answers.ts'
import type { ChainNames } from './dispatch/chain-names.ts'
import type { DispatchPorts } from './dispatch/context.ts'
import type { ExecutorPort } from './dispatch/executor-port.ts'
import { distrustPath, fileMarks, trustPath } from './dispatch/file-trust.ts'
import { type CallMiddleware as KernelMiddleware, rateLimits } from './dispatch/middleware.ts'
import { tryCall } from './dispatch/try.ts'
import {
  createHouseRecords,
  forgetUses,
  type HouseRecords,
  type HouseUnit,
  houseUnit,
} from './house/house-records.ts'
import { createLanes, type InboundMessage as LaneMessage, type Lanes } from './lanes/lanes.ts'
import { createAppender } from './ledger/append.ts'
import { vkeyOf } from './ledger/checkpoint.ts'
import { createCheckpoints } from './ledger/checkpoints.ts'
import { createReader } from './ledger/inspect.ts'
import { takesEntries } from './ledger/probe.ts'
import { createPermits } from './permits/permits.ts'
import { createPolicies } from './policies/policies.ts'
import {
  type RetainedKind as KernelRetainedKind,
  type RetentionDays,
  sweepOld,
  usualRetention,
} from './retention/retention.ts'
import { tableSizes } from './retention/table-sizes.ts'
import type { Mind } from './runs/mind-port.ts'
import { createRuns, type Runs } from './runs/runs.ts'
import { maskedModel } from './secrets/masked-model.ts'
import { createDevices } from './store/devices.ts'
import { migrations } from './store/migrations/index.ts'
import { lockRun } from './store/run-row.ts'
import { type Actor, type EntryDraft, openStore, type Store } from './store/store.ts'
import { createStream, type WireMessage } from './stream/stream.ts'

/** Outside of the kernel a transaction reads the kernel's tables and writes none. */
export type CallMiddleware = KernelMiddleware<HouseUnit>
export type RetainedKind = KernelRetainedKind<HouseUnit>
export type InboundMessage = LaneMessage<HouseUnit>

export interface KernelOptions {
  readonly connection: pg.PoolConfig
  readonly operator: OperatorId
  readonly gateway: { readonly id: GatewayId; readonly key: KeyPair }
  /** What works on the operator's records: their tools as they are now, and the one who runs the in-house ones. */
  readonly equip: (records: HouseRecords) => Equipment
  readonly executor: ExecutorPort
  readonly middleware?: readonly CallMiddleware[]
  /** Of those who keep tables of their own in the same database. */
  readonly migrations?: readonly Migration[]
  readonly model: ModelPort
  readonly policy: { readonly autonomy: Autonomy; readonly files: readonly PolicyFile[] }
  readonly devices: readonly {
    id: DeviceId
    name: string
    key: string
    addedAt: string
    revokedAt: string | null
  }[]
  readonly seals: SealChecks
  readonly redactor?: Redactor
  readonly clock: () => Date
  readonly uuid: () => string
  readonly onProblem: (error: unknown) => void
  /** The engine lost its slot: the process must start again. */
  readonly onFatal: (error: unknown) => void
  readonly tendEveryMs?: number
  /** Where the operator's days begin. */
  readonly zone?: string
  readonly poolSize?: number
  /** What is removed by age, with what others keep. */
  readonly retention?: { readonly days: RetentionDays; readonly others: readonly RetainedKind[] }
}

export interface Equipment {
  readonly tools: ToolSource
  readonly house: ExecutorPort
  readonly mind: Mind
  /** What stands around every call on behalf of the mind. */
  readonly middleware?: readonly CallMiddleware[]
  readonly chainNames?: ChainNames
}

export type Kernel = Awaited<ReturnType<typeof openKernel>>

/** Work that an earlier version recorded is resumed as long as this stays the same. */
const engineVersion = 'segments-1'
const drainMs = 5_000
const day = 24 * 60 * 60_000

export async function openKernel(options: KernelOptions) {
  const { operator, clock, uuid, onProblem } = options
  const setup = openPool(options.connection, 1, onProblem)
  try {
    await migrate(setup, [...migrations, ...(options.migrations ?? [])])
  } finally {
    await setup.end()
  }

  const redactor = options.redactor ?? createRedactor()
  const boot = uuid()
  const originOf = (id: OperatorId) => `countersign/${options.gateway.id}/${id}`
  const publicKey = publicKeyOf(options.gateway.key.publicKey)
  const wire = await openWire<WireMessage>({
    connection: options.connection,
    process: boot,
    onProblem,
  })
  const stream = createStream({ store: () => store, redactor, wire, onProblem })
  const append = createAppender({
    redactor,
    boot,
    appended: (id, last, urgent) => checkpoints.appended(id, last, urgent),
  })
  const store: Store = openStore({
    connection: options.connection,
    ledger: append,
    stream: stream.closer,
    clock,
    onProblem,
    operator,
    ...(options.poolSize === undefined ? {} : { poolSize: options.poolSize }),
  })
  const checkpoints = createCheckpoints({ store, key: options.gateway.key.privateKey, originOf, onProblem })
  const ledger = createReader({
    store,
    originOf,
    vkeyOf: (id) => vkeyOf({ origin: originOf(id), publicKey }),
  })
  const devices = createDevices(store)
  await devices.enrol(operator, options.devices, clock())

  const records = createHouseRecords(store)
  const { tools, house, mind, middleware = [], chainNames } = options.equip(records)
  const permits = createPermits({ gateway: options.gateway.id, key: options.gateway.key })
  const epoch = await store.single(operator, async (db) => {
    const row = await db.selectFrom('operators').select('epoch').executeTakeFirstOrThrow()
    return row.epoch
  })
  const policies = createPolicies({
    store,
    operator,
    changed(set) {
      for (const each of [options.executor, house]) each.setWorld({ policy: set.hash, epoch })
    },
  })
  await policies.load(options.policy)

  const start = (ref: SegmentRef) => {
    engine.start(ref).catch(onProblem)
  }
  const freed = (id: OperatorId) => {
    lanes.wakeForRoom(id).catch(onProblem)
  }
  const approvals: Approvals = createApprovals({
    store,
    permits,
    clock,
    uuid,
    random: randomInt,
    seals: options.seals,
    freed,
    settled: (unit, approval, run) => verdictReached(unit, approval, run, { store, resume: lanes.resume }),
  })
  const lanes: Lanes = createLanes({
    store,
    uuid,
    redact: redactor.text,
    start,
    steer: (unit, run, words, actor) => steer(unit, run, words, actor, approvals),
    ended: (unit, run, end) => mind.ended(houseUnit(unit), run, end),
  })
  const dispatch: DispatchPorts = {
    store,
    tools,
    executors: { executor: options.executor, house },
    middleware: [rateLimits, ...[...middleware, ...(options.middleware ?? [])].map(limitedMiddleware)],
    chainNames,
    redact: redactor.text,
    policies,
    approvals,
    permits,
    gateway: { id: options.gateway.id, epoch },
    clock,
    uuid,
    nonce: () => randomBytes(16).toString('hex'),
    wait: (ms) => new Promise((resume) => setTimeout(resume, ms)),
    park: lanes.park,
    control: lanes.control,
    wishes: lanes.wishes,
  }
  let closed = false
  let alarmed: { at: number; timer: NodeJS.Timeout } | undefined
  const zone = options.zone ?? 'UTC'
  const books = createBooks({ store, uuid, clock, zone, onProblem })
  const budgets = createBudgets({ store, clock, zone })
  const runs: Runs = createRuns({
    store,
    lanes,
    dispatch,
    stream,
    model: maskedModel(options.model, redactor),
    books,
    waits: (until) => alarm(until),
    mind,
    onProblem,
    uuid,
    clock,
  })
  wire.hear((message) => {
    if (message.kind === 'control') runs.signal(message.operator, message.run, message.pause)
  })

  const engine: Engine = await openEngine({
    connection: options.connection,
    applicationVersion: engineVersion,
    execute: runs.execute,
    onProblem: (problem) => (problem.code === 'slot_lost' ? options.onFatal(problem) : onProblem(problem)),
  })

  await store.transact(operator, (unit) => {
    unit.record({
      type: 'gateway.started',
      actor: { kind: 'gateway', id: options.gateway.id },
      data: { slot: engine.slot },
    })
    return Promise.resolve()
  })

  /** Wakes the runs that go on by themselves when the first of them is due; the sweep finds those of other processes. */
  function alarm(due: Date | null): void {
    if (!due || closed || (alarmed && alarmed.at <= due.getTime())) return
    clearTimeout(alarmed?.timer)
    const timer = setTimeout(
      () => {
        alarmed = undefined
        lanes.wake(clock()).then(alarm, onProblem)
      },
      Math.min(Math.max(0, due.getTime() - clock().getTime()), day),
    )
    alarmed = { at: due.getTime(), timer }
  }

  let forgotten = new Date(0)
  /** Finds what a crash left behind: segments that never started, requests whose time is over, a pause half lifted. */
  async function tend(olderThanMs: number): Promise<void> {
    const waiting = await lanes.waitingSegments(new Date(clock().getTime() - olderThanMs))
    if (waiting.length > 0) {
      for (const ref of await engine.unknown(waiting)) start(ref)
      for (const ref of await engine.abandoned(waiting)) await runs.abandon(ref)
    }
    await approvals.expire(clock())
    await books.loseOldCalls(operator)
    alarm(await lanes.wake(clock()))
    await lanes.wakeForRoom(operator)
    if (clock().getTime() - forgotten.getTime() > day / 24) {
      forgotten = clock()
      await forgetUses(store, operator, new Date(forgotten.getTime() - day))
      await budgets.forgetPeriods(operator, new Date(forgotten.getTime() - 100 * day))
    }
  }
  await tend(0)
  await lanes.wakePaused(operator)
  const tendEveryMs = options.tendEveryMs ?? 15_000
  const timer = setInterval(() => {
    tend(tendEveryMs).catch(onProblem)
  }, tendEveryMs)

  return {
    slot: engine.slot,
    gateway: options.gateway.id,
    operator,
    redactor,
    stream,
    /** For whoever shows what there is; nothing can be changed through it. */
    look: store.look,
    devices,
    policies,
    admit: (id: OperatorId, message: InboundMessage) => lanes.admit(id, limitedMessage(message)),
    approval: (id: OperatorId, ref: string) => approvals.find(id, ref),
    async decide(id: OperatorId, ref: string, verdict: DecideApproval, actor: Decider) {
      const decided = await approvals.decide(id, ref, verdict, actor)
      if (verdict.verdict === 'deny' && verdict.stop) await stopRun(id, decided.row.run_id, actor)
      return { approval: viewOf(decided.row), grant: decided.grant, ledger: decided.ledger }
    },
    extend: approvals.extend,
    note: approvals.note,
    edit: (id: OperatorId, ref: string, args: string, actor: Actor) =>
      edit(id, ref, args, actor, { store, resume: lanes.resume, approvals, tools }),
    async answer(id: OperatorId, question: QuestionId, words: string, actor: Actor) {
      const seq = await answer(id, question, words, actor, { store, resume: lanes.resume })
      freed(id)
      return seq
    },
    revokeGrant: async (id: OperatorId, grant: GrantId, actor: Actor) =>
      (await store.transact(id, (unit) => revokeGrant(unit, grant, actor))).ledger,
    /** Approves listed calls ahead; above tier 2 each still asks. */
    lease: async (id: OperatorId, calls: Lease, actor: Actor) =>
      (await store.transact(id, (unit) => lease(unit, calls, actor, uuid))).ledger,
    /** What files are worth, as the operator sees it and says it. */
    files: {
      marks: (id: OperatorId, path?: string) => store.read(id, (db) => fileMarks(db, path)),
      async trust(id: OperatorId, path: string, actor: Actor) {
        const { value, ledger: seq } = await store.transact(id, (unit) => trustPath(unit, path, actor))
        return { removed: value, ledger: seq }
      },
      distrust: async (id: OperatorId, path: string, actor: Actor) => ({
        ledger: (await store.transact(id, (unit) => distrustPath(unit, path, actor))).ledger,
      }),
    },
    stopRun,
    /** Something is held or no longer held: what runs looks, and what may go on does. */
    async heldChanged(id: OperatorId): Promise<void> {
      for (const run of await lanes.heldRuns(id)) {
        runs.signal(id, run, true)
        wire.tell({ kind: 'control', operator: id, run, pause: true })
      }
      await lanes.wakePaused(id)
    },
    undoRun: runs.undoRun,
    records,
    budgets: {
      ...budgets,
      set: (id: OperatorId, wanted: SetBudget, actor: Actor) =>
        changed(id, actor, budgets.set(id, wanted, actor)),
      remove: (id: OperatorId, name: string, actor: Actor) =>
        changed(id, actor, budgets.remove(id, name, actor)),
      release: (id: OperatorId, actor: Actor) => changed(id, actor, budgets.release(id, actor)),
    },
    /** For calls to a provider outside every run, as the operator's test of one. */
    meterFor: (id: OperatorId, account: Partial<Account> = {}) =>
      books.meterFor(id, { ...ownAccount, ...account }),
    tools,
    callTool: runs.call,
    tryTool: (id: OperatorId, call: { tool: string; args: string }) => tryCall(id, call, dispatch),
    /** Records what the operator did outside every run, as storing a secret. */
    act: async (id: OperatorId, entry: EntryDraft, event?: EventBody): Promise<number> =>
      (
        await store.transact(id, async (unit) => {
          unit.record(entry)
          if (event) unit.emit(event)
        })
      ).ledger,
    async pause(id: OperatorId, actor: Actor): Promise<number> {
      const seq = await lanes.pauseAll(id, actor)
      runs.signal(id, null)
      wire.tell({ kind: 'control', operator: id, run: null })
      return seq
    },
    resume: (id: OperatorId, actor: Actor) => lanes.resumeAll(id, actor),
    async verifyLedger(id: OperatorId): Promise<LedgerReport> {
      await checkpoints.sign(id)
      return ledger.verify(id)
    },
    async exportLedger(id: OperatorId): Promise<AsyncIterable<string>> {
      await checkpoints.sign(id)
      return ledger.export(id)
    },
    /** What the tables take on disk, in bytes. */
    tableSizes: () => tableSizes(store),
    /** Removes what is too old, a bounded part at a time. */
    removeOld: (id: OperatorId) => {
      const { days = usualRetention, others = [] } = options.retention ?? {}
      return sweepOld(store, id, days, others.map(limitedKind), () => closed)
    },
    writable: (id: OperatorId) => takesEntries(store, id, onProblem),
    async close(): Promise<void> {
      closed = true
      clearInterval(timer)
      clearTimeout(alarmed?.timer)
      runs.close()
      await engine.drain(drainMs)
      await engine.close()
      await checkpoints.sign(operator).catch(onProblem)
      await checkpoints.close()
      await wire.close()
      await store.close()
    },
  }

  /** Runs that wait for more money try again after the limits were changed: what they asked for may be there now. */
  async function changed<T>(id: OperatorId, actor: Actor, change: Promise<T>): Promise<T> {
    const value = await change
    for (const run of await runs.askingForMoney(id)) {
      await store.transact(id, async (unit) => {
        const row = await lockRun(unit, run)
        if (row?.state !== 'parked' || row.parked_on !== 'approval') return
        await withdrawAll(unit, row, 'The limits were changed.', actor, approvals)
        await lanes.resume(unit, row)
      })
    }
    return value
  }

  async function stopRun(id: OperatorId, run: RunId, actor: Actor): Promise<number> {
    const seq = await lanes.requestStop(id, run, actor, (unit, row) =>
      withdrawAll(unit, row, 'Stopped by the operator.', actor, approvals),
    )
    runs.signal(id, run)
    wire.tell({ kind: 'control', operator: id, run })
    return seq
  }
}

function limitedMiddleware({ name, before, after }: CallMiddleware): KernelMiddleware {
  return {
    name,
    ...(before ? { before: (unit, call) => before(houseUnit(unit), call) } : {}),
    ...(after ? { after: (unit, call, end) => after(houseUnit(unit), call, end) } : {}),
  }
}

function limitedKind({ remove, ...kind }: RetainedKind): KernelRetainedKind {
  return { ...kind, remove: (unit, days, most) => remove(houseUnit(unit), days, most) }
}

function limitedMessage({ answeredBy, ...message }: InboundMessage): LaneMessage {
  return answeredBy ? { ...message, answeredBy: (unit) => answeredBy(houseUnit(unit)) } : message
}
