/**
 * Owns the execution of a segment: claims the run, loads it, lets the loop work, and records how it ended. Whatever
 * throws here is caught here: the run ends and the ledger says so, or the segment tries again when the database is back.
 */
import {
  type Control,
  conversationLimits,
  createDeltas,
  delayedRetry,
  type FailedTry,
  type Limits,
  type ModelFailure,
  type ModelPort,
  type ModelReply,
  readAskedFor,
  runTurns,
  type SegmentEnd,
  type ToolSpec,
} from '@countersign/agent'
import {
  joinLabels,
  type OperatorId,
  type Requester,
  type RetryWait,
  type RunId,
  type WorkOrigin,
} from '@countersign/contract'
import { isPassingFailure } from '@countersign/database'
import type { SegmentRef } from '@countersign/engine'
import { actKinds, askedKinds } from '@countersign/policy'
import { sql } from 'kysely'
import {
  type Account,
  accountOf,
  type ModelCosts,
  personBudget,
  type RunMeter,
} from '../budgets/model-costs.ts'
import { limitReplyCalls } from '../dispatch/call-limits.ts'
import { type CallRow, insertCalls, type NewCall } from '../dispatch/call-rows.ts'
import { type Caller, type DispatchPorts, renewTools } from '../dispatch/dispatch-ports.ts'
import { markAbandoned } from '../dispatch/file-labels.ts'
import { finishTurn } from '../dispatch/finish-turn.ts'
import type { ReadAskedFor } from '../dispatch/list-asked-for.ts'
import { originLabels, proposalRows } from '../dispatch/record-proposals.ts'
import type { Lanes } from '../lanes/lanes.ts'
import type { PicturePorts } from '../pictures/show-pictures.ts'
import { FenceLost, type HeldRun, lockHeld, lockRun, type RunRow, sayHeld } from '../store/run-row.ts'
import { json, type Store, storable, type Unit } from '../store/store.ts'
import type { Stream } from '../stream/stream.ts'
import type { AssistantPort, RunPreparation } from './assistant-port.ts'
import { createBudgetRequests } from './budget-request.ts'
import { readHistory } from './history.ts'
import { createOperatorRuns, type OperatorRuns } from './operator-runs.ts'
import { pictureSegment, showMade, shownMessages } from './shown-messages.ts'

export interface RunsOptions {
  readonly store: Store
  readonly lanes: Lanes
  readonly dispatch: DispatchPorts
  readonly stream: Stream
  readonly model: ModelPort
  readonly modelCosts: ModelCosts
  readonly assistant: AssistantPort
  /** A file of the workspace; nothing where it is not there, is no file, or is longer. */
  readonly readFile: PicturePorts['read']
  readonly onProblem: (error: unknown) => void
  readonly uuid: () => string
  readonly clock: () => Date
  /** A run parked and goes on by itself at this time. */
  readonly waits: (until: Date) => void
}

interface ClaimedSegment {
  readonly held: HeldRun
  readonly row: RunRow
  readonly requester: Requester
  /** Of the message that the run answers. */
  readonly key: string
  /** Whoever made or set off what began it, where no run did by itself. */
  readonly origins: readonly WorkOrigin[] | null
  readonly control: Control
  /** The state of the operator's settings. */
  readonly settings: string
}

/** What a reply is taken apart by. It is confirmed by the transaction that records the reply. */
interface Basis {
  readonly settings: string
  readonly toolCalls: number
}

/** It was another when the reply was to be recorded, and nothing was. */
class BasisMoved extends Error {
  readonly basis: Basis

  constructor(basis: Basis) {
    super('the settings or the number of calls changed meanwhile')
    this.basis = basis
  }
}

/** How a segment is to end, when what it was short of has been asked for. */
type SegmentOutcome =
  | Exclude<SegmentEnd, { kind: 'failing' | 'short' }>
  /** What stood in the way is gone: the segment begins again. */
  | { readonly kind: 'again' }

interface ActiveRun {
  readonly operator: OperatorId
  /** Ends the model's stream, for a stop or a pause. */
  readonly work: AbortController
  /** Ends effects too, for a stop only. */
  readonly effects: AbortController
  /** The run was ended in the place of this segment, which is waited for no longer. */
  readonly gone: AbortController
}

export interface Runs {
  /** Carries a segment out, to its end or until the run parks. */
  execute(ref: SegmentRef): Promise<void>
  /** Those that wait for the operator to allow more money. */
  askingForMoney(operator: OperatorId): Promise<RunId[]>
  readonly undoRun: OperatorRuns['undoRun']
  readonly call: OperatorRuns['call']
  readonly letAsk: OperatorRuns['letAsk']
  /** Ends a run whose segment took its process down again and again. */
  abandon(ref: SegmentRef): Promise<boolean>
  /** The run was ended in its place: its segment, if it is of this process, is waited for no longer. */
  letGo(run: RunId): void
  /** Reaches the runs of this process: one to stop or to pause, or all of an operator to pause. */
  signal(operator: OperatorId, run: RunId | null, pause?: boolean): void
  close(): void
}

const pauseAfterFailureMs = 500

export function createRuns(options: RunsOptions): Runs {
  const { store, lanes } = options
  const active = new Map<RunId, ActiveRun>()
  const operatorRuns = createOperatorRuns(options)
  const budgetRequests = createBudgetRequests(options)
  let closing = false

  /** Can be reached by a stop from before the run is claimed: a stop is then either seen or heard. */
  async function execute(ref: SegmentRef): Promise<void> {
    const entry: ActiveRun = {
      operator: ref.operatorId as OperatorId,
      work: new AbortController(),
      effects: new AbortController(),
      gone: new AbortController(),
    }
    const id = ref.runId as RunId
    active.set(id, entry)
    try {
      await Promise.race([persist(ref, entry), aborted(entry.gone.signal)])
    } finally {
      if (active.get(id) === entry) active.delete(id)
    }
  }

  async function persist(ref: SegmentRef, entry: ActiveRun): Promise<void> {
    for (let attempt = 1; !closing; attempt += 1) {
      try {
        const claimed = await claim(ref)
        if (!claimed) return
        // It was told while nobody was there to hear it: what was given to an executor is not begun any more.
        if (claimed.row.stop_requested_at) stop(entry)
        await work(claimed, entry)
        return
      } catch (error) {
        if (error instanceof FenceLost) return
        options.onProblem(error)
        if (!isPassingFailure(error) && (await endWithError(ref, error))) return
        await pause(Math.min(pauseAfterFailureMs * attempt, 5_000))
      }
    }
  }

  /** Takes the run, with all that the segment begins with. */
  async function claim(ref: SegmentRef): Promise<ClaimedSegment | null> {
    const operator = ref.operatorId as OperatorId
    const found = await lanes.claim(ref)
    if (!found) return null
    const { run: row, requester, key, origins, settings } = found
    const { id, session_id: session, input_id: input, segment, fence } = row
    const held: HeldRun = { operator, id, session, input, segment, fence }
    const asked = found.hasWaiting
      ? await heedWaiting(held)
      : { stop: row.stop_requested_at !== null, pause: false }
    // Steering words are in the history that is read next.
    return { held, row, requester, key, origins, settings, control: { ...asked, steering: [] } }
  }

  /** What waits for the run is dealt with under its lock; after a crash it still waits. */
  async function heedWaiting(held: HeldRun): Promise<Control> {
    const { value } = await store.transact(held.operator, async (unit) => {
      const run = await lockHeld(unit, held)
      // Whoever held the run before is gone, and with it what became of the calls that it had under way.
      await options.modelCosts.loseCalls(unit, held.id)
      return lanes.control(unit, run)
    })
    return value
  }

  async function work(claimed: ClaimedSegment, entry: ActiveRun): Promise<void> {
    const { held, row, requester, settings } = claimed
    const catalogue = await options.dispatch.tools.open(held.operator, settings)
    const prepared =
      row.kind === 'agent' ? await options.assistant.prepare(held.operator, row, catalogue) : undefined
    const preparation = prepared && { ...prepared, limits: narrowed(prepared.limits, row) }
    const limits = preparation?.limits ?? conversationLimits
    const caller: Caller = {
      held,
      requester,
      cause: held.input,
      work: row,
      inReader: row.answers !== null,
      limits,
      lastReplyText: '',
      label: row.label,
      catalogue,
      settings,
      restrict: (tools) => tools,
      settingsSeen: settings,
      repeated: new Set(),
      mustAsk: row.kind === 'unasked',
      byHand: row.kind !== 'agent' && requester.kind === 'operator',
      ...(row.parent === null ? { first: { ...row, key: claimed.key, origins: claimed.origins } } : {}),
      agentName: preparation?.name,
    }
    const end = preparation
      ? await converse(claimed, preparation, caller, entry)
      : await operatorRuns.carryOut(caller, row.kind === 'agent' ? 'direct' : row.kind, entry.effects.signal)
    await conclude(held, await endOrContinue(caller, end, entry, limits))
  }

  /** A run that is short of money asks for more, and one that failed for now waits; anything else has ended. */
  async function endOrContinue(
    caller: Caller,
    end: SegmentEnd,
    entry: ActiveRun,
    limits: Limits,
  ): Promise<SegmentOutcome> {
    const { held } = caller
    if (end.kind === 'failing') return waitOrFail(held, end.failure, limits)
    if (end.kind !== 'short') return end
    // A reader asks nobody: whoever opened it is told that it came to its end.
    if (caller.inReader || end.shortage.budget === personBudget)
      return { kind: 'ended', reason: 'budget', message: end.shortage.message }
    await budgetRequests.ask(caller, end.shortage)
    const requested = await budgetRequests.finish(caller, entry.effects.signal)
    return requested.kind === 'none' || requested.kind === 'go' ? { kind: 'again' } : requested.end
  }

  async function waitOrFail(held: HeldRun, failure: ModelFailure, limits: Limits): Promise<SegmentOutcome> {
    const { value } = await store.transact(held.operator, async (unit): Promise<SegmentOutcome> => {
      const row = await lockHeld(unit, held)
      const next = delayedRetry(failure, row.retries, limits.delayedRetry, Math.random)
      if (!next) {
        const tries = row.retries === 0 ? '' : triesText(row.retries)
        return { kind: 'ended', reason: 'error', message: `The model failed: ${failure.message}${tries}` }
      }
      if (row.stop_requested_at)
        return { kind: 'ended', reason: 'manual', message: 'Stopped by the operator.' }
      const at = new Date(unit.now.getTime() + next.delayMs)
      const { attempt, of } = next
      await lanes.parkUntil(unit, held, retryWait(failure, { at, attempt, of, use: row.retry?.use }))
      unit.afterCommit(() => options.waits(at))
      return { kind: 'parked', on: 'retry' }
    })
    return value
  }

  async function converse(
    claimed: ClaimedSegment,
    preparation: RunPreparation,
    caller: Caller,
    entry: ActiveRun,
  ): Promise<SegmentEnd> {
    const { row } = claimed
    const { held } = caller
    const history = await store.shared.together(held.operator, (db) =>
      readHistory(db, held.session, { run: held.id, turn: row.turn }),
    )
    caller.lastReplyText = history.lastReplyText
    caller.label = joinLabels(caller.label, preparation.label)
    const segment = pictureSegment(preparation, modelOf(row, preparation), caller, options)
    caller.catalogue = preparation.catalogue
    caller.restrict = preparation.restrict
    // What decides instead of a model, such as a plan, was not said in words.
    if (!preparation.port) caller.readAskedFor = readerOf(claimed, preparation, entry, options)
    const asked =
      row.fence > 1 ? await budgetRequests.finish(caller, entry.effects.signal) : { kind: 'none' as const }
    if (asked.kind === 'end') return asked.end
    const control = asked.kind === 'go' ? asked.control : claimed.control
    const show = (turn: number) =>
      createDeltas((piece) => {
        if (entry.gone.signal.aborted) return
        options.stream.delta(held.operator, { session: held.session, run: held.id, turn, ...piece })
      })
    const meter: RunMeter = {
      ...options.modelCosts.runMeter(held.operator, await payerOf(store, caller, row)),
      settingsSeen() {
        const { settingsSeen } = caller
        caller.settingsSeen = undefined
        return settingsSeen
      },
    }
    let basis: Basis = { settings: claimed.settings, toolCalls: row.tool_calls }
    let deltas = show(row.turn + 1)
    let proposed: readonly CallRow[] | undefined
    const state = {
      system: preparation.system,
      purpose: preparation.purpose,
      ...modelOf(row, preparation),
      tools: specsOf(preparation),
      messages: await shownMessages(history.messages, history.own, segment),
      turn: row.turn,
      toolCalls: row.tool_calls,
      activeMs: row.active_ms,
      streak: history.streak,
      hasOpenCalls: history.hasOpenCalls,
      control,
    }
    const finish = (turn: number) =>
      finishTurn(caller, turn, entry.effects.signal, options.dispatch, proposed)
    try {
      return await runTurns(
        state,
        {
          model: preparation.port ?? options.model,
          meter,
          clock: () => performance.now(),
          wait: (ms, signal) => pause(ms, signal),
          show: (shown) => deltas.add(shown),
          retrying: (failed) => tellRetry(store, held, failed),
          replied: async (turn, reply, spentMs) => {
            deltas.stop()
            const saved = await saveReply(caller, { turn, reply, spentMs, meter }, basis)
            ;({ basis, rows: proposed } = saved)
            deltas = show(turn + 1)
            caller.lastReplyText = reply.text
            return saved.made
          },
          finishTurn: async (turn) => showMade(await finish(turn), segment),
        },
        preparation.limits,
        entry.work.signal,
      )
    } finally {
      await meter.settleRest()
    }
  }

  /** The tools and the number of calls are those that are known; where they are others by now, it begins again. */
  async function saveReply(caller: Caller, answer: Answer, known: Basis): Promise<Saved> {
    for (let basis = known; ; ) {
      try {
        return await tryToSave(caller, answer, basis)
      } catch (error) {
        if (!(error instanceof BasisMoved)) throw error
        ;({ basis } = error)
        await renewTools(caller, basis.settings, options.dispatch.tools)
      }
    }
  }

  async function tryToSave(caller: Caller, answer: Answer, basis: Basis): Promise<Saved> {
    const { held } = caller
    const { turn, reply, spentMs, meter } = answer
    const proposed = proposalRows(
      reply.calls.map(({ id, name, args, problem }) => ({ modelId: id, tool: name, args, problem })),
      caller.catalogue,
      { uuid: options.uuid, first: 0 },
    )
    const label = originLabels(proposed).reduce(joinLabels, caller.label)
    const { calls, made } = limitReplyCalls(proposed, caller.limits, basis.toolCalls)
    const { value } = await store.transact(held.operator, async (unit) => {
      const { row, settings } = await sayHeld(
        unit,
        held,
        {
          turn,
          retries: 0,
          tool_calls: sql`tool_calls + ${made}`,
          active_ms: sql`active_ms + ${Math.round(spentMs)}`,
          label: json(label),
        },
        {
          operator_id: held.operator,
          session_id: held.session,
          run_id: held.id,
          turn,
          role: 'assistant',
          text: storable(reply.text),
          reasoning: reply.reasoning === undefined ? null : storable(reply.reasoning),
          label: json(label),
          at: unit.now,
        },
        options.dispatch.settings,
      )
      const found: Basis = { settings, toolCalls: row.tool_calls - made }
      if (proposed.length > 0 && !isSame(found, basis)) throw new BasisMoved(found)
      tellReply(unit, held, answer, calls)
      await meter.bookWith(unit)
      const rows = await insertCalls(unit, held, turn, calls)
      if (calls.length === 0) await lanes.finish(unit, row, 'completed', '')
      return { rows, made, basis: { settings, toolCalls: row.tool_calls } }
    })
    caller.label = label
    return value
  }

  async function conclude(held: HeldRun, end: SegmentOutcome): Promise<void> {
    if (end.kind === 'completed') return
    const again = () => execute({ operatorId: held.operator, runId: held.id, segment: held.segment })
    if (end.kind === 'again') return again()
    if (end.kind === 'parked') {
      if (end.on === 'paused' && !(await parkPaused(held))) return again()
      return
    }
    await store.transact(held.operator, async (unit) => {
      await lanes.finish(unit, await lockHeld(unit, held), end.reason, end.message)
    })
  }

  /** False when the pause was lifted before the run could park: it simply goes on. */
  async function parkPaused(held: HeldRun): Promise<boolean> {
    const { value } = await store.transact(held.operator, async (unit) => {
      const row = await lockRun(unit, held.id)
      if (!row || row.fence !== held.fence || row.state !== 'running') return true
      if (row.stop_requested_at) {
        await lanes.finish(unit, row, 'manual', 'Stopped by the operator.')
        return true
      }
      if (!(await lanes.isPaused(unit, row))) return false
      await lanes.park(unit, held, 'paused')
      return true
    })
    return value
  }

  /** Says whether the run could be ended; if not even that can be written, the segment must try again. */
  async function endWithError(ref: SegmentRef, error: unknown): Promise<boolean> {
    try {
      await store.transact(ref.operatorId as OperatorId, async (unit) => {
        const row = await lockRun(unit, ref.runId as RunId)
        if (!row || row.state !== 'running' || row.segment !== ref.segment) return
        await markAbandoned(unit, row)
        await lanes.finish(unit, row, 'error', error instanceof Error ? error.message : String(error))
      })
      return true
    } catch (cause) {
      options.onProblem(cause)
      return false
    }
  }

  return {
    execute,
    askingForMoney: budgetRequests.waiting,
    undoRun: operatorRuns.undoRun,
    letAsk: operatorRuns.letAsk,
    call: operatorRuns.call,
    abandon: (ref) => endWithError(ref, new Error('It crashed the gateway too often.')),
    signal(operator, run, pause = run === null) {
      if (pause) {
        for (const [id, entry] of active)
          if (entry.operator === operator && (run === null || run === id)) entry.work.abort('pause')
        return
      }
      const entry = run === null ? undefined : active.get(run)
      if (entry) stop(entry)
    },
    letGo(run) {
      const entry = active.get(run)
      if (!entry) return
      stop(entry)
      entry.gone.abort()
    },
    close() {
      closing = true
    },
  }
}

/** A message can only take turns away from what its agent may take. */
function narrowed(limits: Limits, { most_turns: most }: Pick<RunRow, 'most_turns'>): Limits {
  return most === null ? limits : { ...limits, turns: Math.min(limits.turns, most) }
}

function stop({ effects, work }: ActiveRun): void {
  effects.abort('stop')
  work.abort('stop')
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resume) => signal.addEventListener('abort', () => resume(), { once: true }))
}

/** What a reader costs is counted to the run that opened it. */
async function payerOf(store: Store, { held, requester }: Caller, row: RunRow): Promise<Account> {
  const { parent } = row
  if (row.answers === null || parent === null) return accountOf(row, requester)
  const opener = await store.single(held.operator, (db) =>
    db.selectFrom('runs').selectAll().where('id', '=', parent).executeTakeFirst(),
  )
  return accountOf(opener ?? row, requester)
}

/** Reads the words of the run's operator, at the cost of the run. */
function readerOf(
  { held, row, requester }: ClaimedSegment,
  preparation: RunPreparation,
  entry: ActiveRun,
  { model, modelCosts }: RunsOptions,
): ReadAskedFor {
  const meter = modelCosts.meterFor(held.operator, accountOf(row, requester))
  const acts = Object.fromEntries(Object.entries(askedKinds).map(([act, { words }]) => [act, words]))
  const use = modelOf(row, preparation).model
  return (said) => readAskedFor(said, { model, meter, use, acts, kinds: actKinds }, entry.work.signal)
}

/** What the operator chose for the message holds, and before it what they chose after a failure. */
function modelOf(row: RunRow, preparation: RunPreparation): { model?: string; temperature?: number } {
  const model = row.retry?.use ?? row.model ?? preparation.model
  const { temperature } = preparation
  return { ...(model === undefined ? {} : { model }), ...(temperature === undefined ? {} : { temperature }) }
}

/** A try that another follows at once. */
async function tellRetry(store: Store, held: HeldRun, failed: FailedTry): Promise<void> {
  const { failure, delayMs, attempt, of, next: use } = failed
  await store.transact(held.operator, async (unit) => {
    await lockHeld(unit, held)
    const retry = retryWait(failure, { at: new Date(unit.now.getTime() + delayMs), attempt, of, use })
    unit.emit({ type: 'run.retrying', session: held.session, run: held.id, retry })
  })
}

function retryWait(
  failure: ModelFailure,
  next: {
    readonly at: Date
    readonly attempt: number
    readonly of: number
    readonly use: string | undefined
  },
): RetryWait {
  return {
    at: next.at.toISOString(),
    attempt: next.attempt,
    of: next.of,
    because: failure.message,
    provider: failure.provider ?? 'the model provider',
    ...(failure.model === undefined ? {} : { model: failure.model }),
    ...(next.use === undefined ? {} : { use: next.use }),
  }
}

interface Answer {
  readonly turn: number
  readonly reply: ModelReply
  readonly spentMs: number
  readonly meter: RunMeter
}

interface Saved {
  readonly rows: CallRow[]
  readonly made: number
  readonly basis: Basis
}

function isSame(one: Basis, other: Basis): boolean {
  return one.settings === other.settings && one.toolCalls === other.toolCalls
}

function tellReply(unit: Unit, held: HeldRun, { turn, reply }: Answer, calls: readonly NewCall[]): void {
  unit.record({
    type: 'turn.replied',
    actor: { kind: 'agent', id: held.id },
    session: held.session,
    run: held.id,
    data: {
      turn,
      model: reply.model,
      text: reply.text.slice(0, 500),
      length: reply.text.length,
      calls: calls.map((call) => call.id),
      usage: { ...reply.usage },
    },
  })
  unit.emit({
    type: 'turn.replied',
    session: held.session,
    run: held.id,
    turn,
    text: storable(reply.text),
    calls: calls.length,
    model: storable(reply.model.slice(0, 200)),
    ...(reply.finish === 'length' ? { cutShort: true } : {}),
  })
}

function specsOf({ catalogue, shown }: RunPreparation): ToolSpec[] {
  return shown
    .flatMap((name) => catalogue.find(name) ?? [])
    .map(({ name, description, schema }) => ({ name, description, schema }))
}

function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resume) => {
    const timer = setTimeout(resume, ms)
    signal?.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        resume()
      },
      { once: true },
    )
  })
}

function triesText(retries: number): string {
  return ` It was tried again ${retries === 1 ? 'once' : `${retries} times`}.`
}
