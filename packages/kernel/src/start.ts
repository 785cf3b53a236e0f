/** Owns putting the rooms of the trusted core together over an open database, and starting them. */
import { randomBytes, randomInt } from 'node:crypto'
import { stopLimits } from '@countersign/agent'
import {
  CountersignError,
  hasContent,
  type OperatorId,
  type RetryRun,
  type RunId,
  readerTool,
  type SetBudget,
  usualRetention,
} from '@countersign/contract'
import { type Engine, openEngine, type SegmentRef } from '@countersign/engine'
import { sql } from 'kysely'
import { type Alarm, createAlarm } from './alarm.ts'
import { viewOfApproval } from './approvals/approval-view.ts'
import { type Approvals, createApprovals } from './approvals/approvals.ts'
import { grantInAdvance, revokeGrant } from './approvals/grants.ts'
import { replyToServer } from './approvals/server-questions.ts'
import { listsOf, takeBack } from './asked-for/lists.ts'
import { dismissUnasked, openUnasked } from './asked-for/unasked.ts'
import { type Budgets, createBudgets } from './budgets/budgets.ts'
import type { DispatchPorts } from './dispatch/dispatch-ports.ts'
import { countPastCalls, simulateDocument } from './dispatch/draft-policy.ts'
import { dryRunCall } from './dispatch/dry-run.ts'
import { worthOf } from './dispatch/file-labels.ts'
import { distrustPath, fileMarks, trustPath } from './dispatch/file-trust.ts'
import type { KernelMiddleware } from './dispatch/middleware.ts'
import {
  answerQuestion,
  editCall,
  steerRun,
  verdictReached,
  withdrawAll,
} from './dispatch/operator-answers.ts'
import { tryOnCalls } from './dispatch/try-tiers.ts'
import type {
  CallMiddleware,
  InboundMessage,
  Kernel,
  KernelParts,
  RetainedKind,
  RetriedRun,
} from './kernel.ts'
import { usualWork } from './lanes/admission.ts'
import { type LaneMessage } from './lanes/lane-ports.ts'
import { createLanes, type Lanes } from './lanes/lanes.ts'
import { takesEntries } from './ledger/probe.ts'
import { createPermits } from './permits/permits.ts'
import { createPolicies, type Policies } from './policies/policies.ts'
import { recordTransaction } from './records/record-transactions.ts'
import { type KernelRetainedKind, sweepOld } from './retention/retention.ts'
import { tableSizes } from './retention/table-sizes.ts'
import { endIgnoredStops } from './runs/forced-end.ts'
import { createRuns, type Runs } from './runs/runs.ts'
import { maskedModel } from './secrets/masked-model.ts'
import type { Storage } from './storage.ts'
import { lockRun } from './store/run-row.ts'
import type { Actor } from './store/store.ts'
import type { Work } from './store/tables.ts'
import { type Sweep, startSweep } from './sweep.ts'

/** Work that an earlier version recorded is resumed as long as this stays the same. */
const engineVersion = 'segments-1'
const drainMs = 5_000
const own: Actor = { kind: 'gateway', id: 'gateway' }

/** The rooms of a kernel that is at work. */
interface Rooms {
  readonly storage: Storage
  readonly parts: KernelParts
  readonly policies: Policies
  readonly approvals: Approvals
  readonly lanes: Lanes
  readonly dispatch: DispatchPorts
  readonly budgets: Budgets
  readonly alarm: Alarm
  /** Lets go on and ends what is due, and says when the next is. */
  readonly wake: (now: Date) => Promise<Date | null>
  readonly runs: Runs
  readonly engine: Engine
  /** Ends the readers whose answer nobody waits for any more. */
  readonly stopStrayReaders: () => Promise<void>
}

export async function startKernel(storage: Storage, parts: KernelParts): Promise<Kernel> {
  const { operator, gateway } = storage.options
  const rooms = await openRooms(storage, parts)
  await storage.act(operator, {
    type: 'gateway.started',
    actor: { kind: 'gateway', id: gateway.id },
    data: { slot: rooms.engine.slot },
  })
  const sweep = await startSweep(rooms, parts.sweepEveryMs)
  return kernelOf(rooms, sweep)
}

async function openRooms(storage: Storage, parts: KernelParts): Promise<Rooms> {
  const { store, modelCosts, stream, options } = storage
  const { operator, clock, uuid, onProblem, redactor, gateway, zone } = options
  const { tools, recordExecutor, assistant, executor } = parts
  await storage.devices.enrol(operator, parts.devices, clock())

  const permits = createPermits({ gateway: gateway.id, key: gateway.key })
  const epoch = await store.single(operator, async (db) => {
    const row = await db.selectFrom('operators').select('epoch').executeTakeFirstOrThrow()
    return row.epoch
  })
  const policies = createPolicies({
    store,
    operator,
    changed(set, document) {
      parts.policyChanged?.(document)
      for (const each of [executor, recordExecutor]) each.setWorld({ policy: set.hash, epoch })
    },
  })
  await policies.load(parts.policy)

  const approvals: Approvals = createApprovals({
    store,
    permits,
    clock,
    uuid,
    random: randomInt,
    seals: parts.seals,
    freed: (id) => {
      lanes.wakeForInbox(id).catch(onProblem)
    },
    requestClosed: (unit, approval, run) =>
      verdictReached(unit, approval, run, { store, resume: lanes.resume }),
  })
  const lanes: Lanes = createLanes({
    store,
    settings: storage.settings,
    uuid,
    silenceMs: parts.silenceMs,
    redact: redactor.text,
    start: (ref: SegmentRef) => {
      engine.start(ref).catch(onProblem)
    },
    steer: (unit, run, words, actor) => steerRun(unit, run, words, actor, approvals),
    ended: (unit, run, end, called) => {
      if (run.answers !== null) unit.afterCommit(() => void lanes.wakeForReaders(operator).catch(onProblem))
      if (called.has(readerTool)) unit.afterCommit(() => void stopStrayReaders().catch(onProblem))
      return assistant.ended(recordTransaction(unit), run, end, called)
    },
  })
  const stopStrayReaders = async () => {
    for (const run of await lanes.strayReaders(operator)) await stopRun(rooms, operator, run, own)
  }
  /** Says when the next one is due. */
  const endIgnored = async (now: Date): Promise<Date | null> => {
    const ports = { store, lanes, approvals, modelCosts, uuid }
    const { ended, next } = await endIgnoredStops(ports, operator, now)
    for (const run of ended) {
      runs.letGo(run)
      storage.processes.tell({ kind: 'control', operator, run, ended: true })
    }
    return next
  }
  const wake = async (now: Date) => earliest(await lanes.wake(now), await endIgnored(now))
  const alarm = createAlarm({ clock, wake, onProblem })
  const dispatch: DispatchPorts = {
    store,
    tools,
    executors: { executor, gateway: recordExecutor },
    middleware: (parts.middleware ?? []).map(limitedMiddleware),
    callsPerMinute: parts.callsPerMinute,
    chainNames: parts.chainNames,
    redact: redactor.text,
    policies,
    approvals,
    permits,
    gateway: { id: gateway.id, epoch },
    clock,
    uuid,
    nonce: () => randomBytes(16).toString('hex'),
    wait: (ms) => new Promise((resume) => setTimeout(resume, ms)),
    park: lanes.park,
    control: lanes.control,
    pendingControls: lanes.pendingControls,
    settings: storage.settings,
    createRun: lanes.createRun,
  }
  const runs: Runs = createRuns({
    store,
    lanes,
    dispatch,
    stream,
    model: maskedModel(parts.model, redactor),
    modelCosts,
    waits: alarm.set,
    assistant,
    readFile: parts.readFile ?? (() => Promise.resolve(undefined)),
    onProblem,
    uuid,
    clock,
  })
  storage.processes.hear((message) => {
    if (message.kind !== 'control') return
    if (message.ended && message.run !== null) runs.letGo(message.run)
    else runs.signal(message.operator, message.run, message.pause)
  })
  const engine: Engine = await openEngine({
    connection: options.connection,
    applicationVersion: engineVersion,
    execute: runs.execute,
    onProblem: (problem) => (problem.code === 'slot_lost' ? parts.onFatal(problem) : onProblem(problem)),
  })
  const budgets = createBudgets({ store, clock, zone })
  const rooms: Rooms = {
    storage,
    parts,
    policies,
    approvals,
    lanes,
    dispatch,
    budgets,
    alarm,
    wake,
    runs,
    engine,
    stopStrayReaders,
  }
  return rooms
}

function kernelOf(rooms: Rooms, sweep: Sweep): Kernel {
  const { storage, policies, runs, engine } = rooms
  const { records, stream, devices, witnesses, readOnly, act, meterFor, options } = storage
  return {
    slot: engine.slot,
    isAlone: () => engine.isAlone(),
    gateway: options.gateway.id,
    operator: options.operator,
    redactor: options.redactor,
    tools: rooms.parts.tools,
    records,
    stream,
    readOnly,
    act,
    meterFor,
    devices,
    witnesses,
    policies,
    callTool: runs.call,
    undoRun: runs.undoRun,
    ...decisions(rooms),
    ...control(rooms),
    ...upkeep(rooms, sweep),
  }
}

/** What people say about calls: verdicts, answers, grants, and how far files are trusted. */
function decisions(rooms: Rooms) {
  const { approvals, lanes, dispatch, storage } = rooms
  const { store, options } = storage
  const ports = { store, resume: lanes.resume }
  return {
    approval: approvals.find,
    async decide(id, ref, verdict, actor) {
      const decided = await approvals.decide(id, ref, verdict, actor)
      if (verdict.verdict === 'deny' && verdict.stop) await stopRun(rooms, id, decided.row.run_id, actor)
      return { approval: viewOfApproval(decided.row), grant: decided.grant, ledger: decided.ledger }
    },
    extend: approvals.extend,
    note: approvals.note,
    edit: (id, ref, args, actor) =>
      editCall(id, ref, args, actor, { ...ports, approvals, tools: dispatch.tools }),
    async answer(id, question, words, actor) {
      const seq = await answerQuestion(id, question, words, actor, ports)
      lanes.wakeForInbox(id).catch(options.onProblem)
      return seq
    },
    replyToServer: (id, question, reply, actor) => replyToServer(store, id, question, reply, actor),
    grantAfterwards: approvals.grantAfterwards,
    revokeGrant: async (id, grant, actor) =>
      (await store.transact(id, (unit) => revokeGrant(unit, grant, actor))).ledger,
    askedFor: (id, session) => store.read(id, (db) => listsOf(db, session)),
    takeBack: async (id, list, actor) =>
      (await store.transact(id, (unit) => takeBack(unit, list, actor))).ledger,
    unasked: (id) => store.read(id, openUnasked),
    dismissUnasked: async (id, row, actor) =>
      (await store.transact(id, (unit) => dismissUnasked(unit, row, actor))).ledger,
    letAsk: rooms.runs.letAsk,
    grantInAdvance: async (id, calls, actor) =>
      (await store.transact(id, (unit) => grantInAdvance(unit, calls, actor, options.uuid))).ledger,
    tryTool: (id, call) => dryRunCall(id, call, dispatch),
    simulate: (id, document, { since, floorOf }) =>
      simulateDocument(store, id, {
        policies: rooms.policies,
        document,
        since,
        now: options.clock(),
        floorOf,
      }),
    tryOnCalls: (id, trial) =>
      tryOnCalls(store, id, { ...trial, policies: rooms.policies, now: options.clock() }),
    pastCalls: (id, since) => store.read(id, (db) => countPastCalls(db, since)),
    files: {
      marks: (id, path) => store.read(id, (db) => fileMarks(db, path)),
      worth: (id, paths) => store.read(id, (db) => worthOf(db, paths)),
      async trust(id, path, actor) {
        const { value, ledger } = await store.transact(id, (unit) => trustPath(unit, path, actor))
        return { removed: value, ledger }
      },
      distrust: async (id, path, actor) => ({
        ledger: (await store.transact(id, (unit) => distrustPath(unit, path, actor))).ledger,
      }),
    },
  } satisfies Partial<Kernel>
}

/** What starts, stops and holds runs, and what they may spend. */
function control(rooms: Rooms) {
  const { lanes, runs, budgets, storage } = rooms
  const { processes } = storage
  return {
    admit: (id, message) => lanes.admit(id, limitedMessage(message)),
    stopRun: (id, run, actor) => stopRun(rooms, id, run, actor),
    retryRun: (id, run, actor, wanted = {}) => retryRun(rooms, id, run, actor, wanted),
    async pauseRun(id, run, actor) {
      const seq = await lanes.holdRun(id, run, actor, true)
      runs.signal(id, run, true)
      processes.tell({ kind: 'control', operator: id, run, pause: true })
      return seq
    },
    async resumeRun(id, run, actor) {
      const seq = await lanes.holdRun(id, run, actor, false)
      await lanes.wakePaused(id)
      return seq
    },
    async pause(id, actor) {
      const seq = await lanes.pauseAll(id, actor)
      runs.signal(id, null)
      processes.tell({ kind: 'control', operator: id, run: null })
      return seq
    },
    resume: lanes.resumeAll,
    async holdsChanged(id) {
      for (const run of await lanes.heldRuns(id)) {
        runs.signal(id, run, true)
        processes.tell({ kind: 'control', operator: id, run, pause: true })
      }
      await lanes.wakePaused(id)
    },
    budgets: {
      ...budgets,
      set: (id: OperatorId, wanted: SetBudget, actor: Actor) =>
        afterLimits(rooms, id, actor, budgets.set(id, wanted, actor)),
      remove: (id: OperatorId, name: string, actor: Actor) =>
        afterLimits(rooms, id, actor, budgets.remove(id, name, actor)),
      release: (id: OperatorId, actor: Actor) => afterLimits(rooms, id, actor, budgets.release(id, actor)),
    },
  } satisfies Partial<Kernel>
}

/** What keeps the database whole and small, and the end of this life. */
function upkeep({ storage, parts, alarm, runs, engine }: Rooms, sweep: Sweep) {
  const { store, checkpoints, ledger, options } = storage
  let closed = false
  return {
    async verifyLedger(id) {
      await checkpoints.sign(id)
      return ledger.verify(id)
    },
    async exportLedger(id) {
      await checkpoints.sign(id)
      return ledger.export(id)
    },
    writable: (id) => takesEntries(store, id, options.onProblem),
    tableSizes: () => tableSizes(store),
    removeOld(id) {
      const { days = usualRetention, others = [] } = parts.retention ?? {}
      return sweepOld(store, id, days, others.map(limitedKind), () => closed)
    },
    async close() {
      closed = true
      sweep.close()
      alarm.close()
      runs.close()
      await engine.drain(drainMs)
      await engine.close()
      await checkpoints.sign(options.operator).catch(options.onProblem)
    },
  } satisfies Partial<Kernel>
}

async function stopRun(
  { lanes, approvals, runs, storage, alarm }: Rooms,
  id: OperatorId,
  run: RunId,
  actor: Actor,
): Promise<number> {
  const seq = await lanes.requestStop(id, run, actor, (unit, row) =>
    withdrawAll(unit, row, 'Stopped by the operator.', actor, approvals),
  )
  runs.signal(id, run)
  storage.processes.tell({ kind: 'control', operator: id, run })
  alarm.set(new Date(storage.options.clock().getTime() + stopLimits.graceMs))
  return seq
}

function earliest(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}

async function retryRun(
  { lanes, storage }: Rooms,
  id: OperatorId,
  run: RunId,
  actor: Actor,
  { model, session: elsewhere }: RetryRun,
): Promise<RetriedRun> {
  const { store, options } = storage
  const found = await store.read(id, (db) =>
    db
      .selectFrom('runs')
      .innerJoin('inputs', 'inputs.id', 'runs.input_id')
      .select(['runs.state', 'runs.kind', 'runs.session_id', 'runs.answers'])
      .innerJoin('sessions', 'sessions.id', 'runs.session_id')
      .select(['inputs.text', 'inputs.attachments', 'inputs.label', 'inputs.requester', 'inputs.most_turns'])
      .select(sql<Work | null>`coalesce(inputs.work, sessions.work)`.as('work'))
      .where('runs.id', '=', run)
      .executeTakeFirst(),
  )
  if (!found) throw new CountersignError('not_found', `There is no run ${run}.`)
  if (found.answers !== null)
    throw new CountersignError('conflict', `${run} is a reader; the call that opened it asks again.`)
  const { text, label, requester, attachments } = found
  const session = elsewhere ?? found.session_id
  if (found.state !== 'stopped' && elsewhere === undefined)
    return { session, run, ledger: await lanes.retryNow(id, run, actor, model) }
  if (found.kind !== 'agent' || !hasContent(found))
    throw new CountersignError('conflict', `${run} had no message that could be sent again.`)
  const same = elsewhere === undefined ? found.work : apart(found.work, run)
  const work = model === undefined ? same : { ...(same ?? usualWork), model }
  const sent = await lanes.admit(id, {
    key: options.uuid(),
    session,
    text,
    attachments,
    turns: found.most_turns ?? undefined,
    mode: 'queue',
    // What was not the operator's own does not become so by being sent again: neither the words nor who asked, nor
    // for what, whose limits hold for it.
    requester,
    by: actor,
    ...(work ? { work } : {}),
    ...(label ? { label } : {}),
  })
  return { session, run: sent.run, ledger: sent.ledger }
}

/** The same work beside the first: no end of it is an end of the record that the first is done for. */
function apart(work: Work | null, first: RunId): Work | null {
  if (work === null || (work.about ?? null) === null) return work
  return { ...work, about: null, parent: work.parent ?? first }
}

/** Runs that wait for more money try again after the limits were changed: what they asked for may be there now. */
async function afterLimits<T>(
  { runs, lanes, approvals, storage }: Rooms,
  id: OperatorId,
  actor: Actor,
  change: Promise<T>,
): Promise<T> {
  const value = await change
  for (const run of await runs.askingForMoney(id)) {
    await storage.store.transact(id, async (unit) => {
      const row = await lockRun(unit, run)
      if (row?.state !== 'parked' || row.parked_on !== 'approval') return
      await withdrawAll(unit, row, 'The limits were changed.', actor, approvals)
      await lanes.resume(unit, row)
    })
  }
  return value
}

function limitedMiddleware({ name, before, after }: CallMiddleware): KernelMiddleware {
  return {
    name,
    ...(before ? { before: (unit, call) => before(recordTransaction(unit), call) } : {}),
    ...(after ? { after: (unit, call, end) => after(recordTransaction(unit), call, end) } : {}),
  }
}

function limitedKind({ remove, ...kind }: RetainedKind): KernelRetainedKind {
  return { ...kind, remove: (unit, days, most) => remove(recordTransaction(unit), days, most) }
}

function limitedMessage({ answeredBy, ...message }: InboundMessage): LaneMessage {
  return answeredBy ? { ...message, answeredBy: (unit) => answeredBy(recordTransaction(unit)) } : message
}
