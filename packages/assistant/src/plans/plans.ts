/**
 * Owns the plans of an operator: keeping them, beginning and holding their work, and what becomes of them when it
 * ends. Refuses to change a plan that is being carried out.
 */
import type { Limits, ModelPort } from '@countersign/agent'
import {
  type AddPlan,
  type ChangePlan,
  CountersignError,
  idFrom,
  isPlanRunning,
  isSkippable,
  type JsonObject,
  joinLabels,
  noteLabel,
  operatorLabel,
  Plan,
  type PlanChanged,
  type PlanDetail,
  type PlanList,
  type PlanPreview,
  type PlanStarted,
  type PlanStatus,
  type PlanStepState,
  type PlanView,
  planProblemText,
  planStart,
  type Schedule,
  type SessionId,
  type StoredRecord,
  startedPlan,
  type ToolCatalogue,
  type TriedCall,
  validatePlan,
} from '@countersign/contract'
import type { Actor, AdvanceGrants, RunEnd, RunPreparation, RunRow } from '@countersign/kernel'
import type { AssistantContext, AssistantTransaction } from '../assistant-context.ts'
import type { BeginWork } from '../begin-work.ts'
import type { ScheduledOrder } from '../schedules/order.ts'
import { readJournal } from './journal.ts'
import { planPort, sayingPort } from './port.ts'
import { leaseOf, previewPlan } from './preview.ts'
import { stepStates } from './states.ts'
import { lastWordsOf, turnsOf } from './turns.ts'

export const plansCollection = 'plans'
/** The agent whose work is a plan. */
export const planAgent = 'plan'

export interface PlansParts {
  readonly context: Pick<AssistantContext, 'operator' | 'records' | 'clock' | 'uuid'>
  /** Answers what a plan leaves to a model. */
  readonly model: ModelPort
  readonly begin: BeginWork
  readonly hold: (tx: AssistantTransaction, ids: readonly string[], held: boolean) => Promise<void>
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  readonly catalogue: () => Promise<ToolCatalogue>
  /** What the run of a plan is held to. */
  readonly limits: () => Promise<Limits>
  /** What the door would say; of the kernel, which is opened later. */
  readonly tryCall: (call: { readonly tool: string; readonly args: string }) => Promise<readonly TriedCall[]>
  /** Grants calls ahead, and says where that is recorded. */
  readonly lease: (lease: AdvanceGrants, actor: Actor) => Promise<number>
}

export interface Plans {
  list(query: { readonly status?: PlanStatus; readonly limit: number }): Promise<PlanList>
  detail(id: string): Promise<PlanDetail>
  add(plan: AddPlan, actor: Actor): Promise<PlanChanged>
  change(id: string, change: ChangePlan, actor: Actor): Promise<PlanChanged>
  remove(id: string, actor: Actor): Promise<number>
  preview(id: string): Promise<PlanPreview>
  execute(id: string, ahead: string | undefined, actor: Actor): Promise<PlanStarted>
  pause(id: string, actor: Actor): Promise<PlanChanged>
  resume(id: string, actor: Actor): Promise<PlanChanged>
  /** Leaves out a step that has not begun. */
  skip(id: string, step: string, actor: Actor): Promise<PlanChanged>
  /** What a run of a plan works with. */
  prepare(run: RunRow, catalogue: ToolCatalogue): Promise<RunPreparation>
  /** Begins a plan for a schedule, in this transaction and in this conversation, and says what its run is told. */
  order(tx: AssistantTransaction, schedule: Schedule, session: SessionId): Promise<ScheduledOrder | undefined>
  /** In the transaction that ends a run. Says how it ended for the plan: a plan that failed is an error. */
  ended(tx: AssistantTransaction, run: RunRow, end: RunEnd): Promise<RunEnd>
}

/** What is granted ahead is worth as long as a plan that waits for an answer over lunch. */
const leaseMinutes = 120
const clockActor: Actor = { kind: 'gateway', id: 'scheduler' }

export function createPlans(parts: PlansParts): Plans {
  const { context } = parts
  const { operator, records } = context

  async function found(tx: Pick<AssistantTransaction, 'records'>, id: string): Promise<PlanRecord> {
    const record = await tx.records.get(plansCollection, id)
    if (!record) throw missing(id)
    return keptOf(record)
  }

  /** For a change: whoever comes second waits here, and then sees what the first made of it. */
  async function locked(tx: AssistantTransaction, id: string): Promise<PlanRecord> {
    await lock(tx, id)
    return found(tx, id)
  }

  function put(
    tx: AssistantTransaction,
    { record, plan }: PlanRecord,
    change: Partial<Plan>,
  ): Promise<StoredRecord> {
    const data = { ...plan, ...change } as unknown as JsonObject
    return tx.records.replace(plansCollection, record.id, record.version, data, record.label)
  }

  async function change(id: string, given: ChangePlan, actor: Actor): Promise<PlanChanged> {
    const { version, ...changes } = given
    return changed(async (tx) => {
      const kept = await locked(tx, id)
      requireIdle(kept)
      if (version !== undefined && version !== kept.plan.version)
        throw new CountersignError('conflict', `The plan has version ${kept.plan.version}, not ${version}.`, {
          next: `Look at it again with \`countersign plan show ${id}\`.`,
        })
      const after = await put(tx, kept, { ...changes, version: kept.plan.version + 1 })
      note(tx, 'plan.changed', actor, after, { fields: Object.keys(changes) })
      return after
    })
  }

  async function changed(work: (tx: AssistantTransaction) => Promise<StoredRecord>): Promise<PlanChanged> {
    const { value, ledger } = await records.change(operator, work)
    return { ok: true, ledger, plan: viewOf(value) }
  }

  async function preview(id: string): Promise<PlanPreview> {
    const { record, plan } = await records.read(operator, (tx) => found(tx, id))
    const catalogue = await parts.catalogue()
    return previewPlan({ id, plan, label: record.label, catalogue, tryCall: parts.tryCall })
  }

  /** The lease comes first: without the work that it is for, its session never is. */
  async function execute(id: string, ahead: string | undefined, actor: Actor): Promise<PlanStarted> {
    const kept = await records.read(operator, (tx) => found(tx, id))
    requireIdle(kept)
    requireValid(kept, await parts.catalogue())
    const session = idFrom('ses', context.uuid())
    const calls = ahead === undefined ? [] : leaseOf(requireDigest(await preview(id), ahead, id))
    if (calls.length > 0) await parts.lease({ session, calls, minutes: leaseMinutes }, actor)
    const { value, ledger } = await records.change(operator, async (tx) => {
      const now = await locked(tx, id)
      requireIdle(now)
      if (now.plan.version !== kept.plan.version) throw changedMeanwhile(id)
      await parts.hold(tx, [id], false)
      await parts.begin(
        tx,
        {
          key: `plan/${id}/${now.record.version}`,
          ...planStart(id, now.plan),
          agent: planAgent,
          goal: now.plan.goalId,
          about: id,
          session,
        },
        {
          requester: { kind: 'operator', id: actor.id },
          // The operator says that it begins; what it is called and does, whoever made it said.
          label: joinLabels(now.record.label ?? operatorLabel, noteLabel),
          run: null,
        },
      )
      const after = await put(tx, now, startedPlan(now.plan, session, tx.now))
      note(tx, 'plan.started', actor, after, { session, version: now.plan.version, ahead: calls.length })
      return after
    })
    return { ok: true, ledger, plan: viewOf(value), session, ahead: calls.length }
  }

  function turnTo(id: string, from: PlanStatus, to: PlanStatus, actor: Actor): Promise<PlanChanged> {
    return changed(async (tx) => {
      const kept = await locked(tx, id)
      if (kept.plan.status !== from) throw wrongState(kept, to === 'paused' ? 'be paused' : 'go on')
      await parts.hold(tx, [id], to === 'paused')
      const after = await put(tx, kept, { status: to })
      note(tx, to === 'paused' ? 'plan.paused' : 'plan.resumed', actor, after)
      return after
    })
  }

  function skip(id: string, step: string, actor: Actor): Promise<PlanChanged> {
    return changed(async (tx) => {
      const kept = await locked(tx, id)
      const { plan } = kept
      if (!isPlanRunning(plan)) throw wrongState(kept, 'leave out a step')
      const turns = plan.run === null ? undefined : await turnsOf(tx.db, plan.run)
      const now = stepStates(plan, turns?.messages ?? [], turns?.waiting).find((each) => each.step === step)
      requireSkippable(plan, step, now?.state)
      const after = await put(tx, kept, { skipped: [...plan.skipped, step] })
      note(tx, 'plan.step_skipped', actor, after, { step })
      return after
    })
  }

  async function prepare(run: RunRow, catalogue: ToolCatalogue): Promise<RunPreparation> {
    const common = {
      system: '',
      limits: await parts.limits(),
      catalogue,
      restrict: (all: ToolCatalogue) => all,
      shown: [],
      historyTokens: Number.MAX_SAFE_INTEGER,
      purpose: 'planning' as const,
    }
    const saying = (text: string): RunPreparation => ({
      ...common,
      label: operatorLabel,
      port: sayingPort(text),
    })
    const record = await records.read(operator, (tx) =>
      run.about === null ? Promise.resolve(undefined) : tx.records.get(plansCollection, run.about),
    )
    if (!record)
      return saying('This conversation is only for a plan that has ended. Write in another conversation.')
    const kept = keptOf(record)
    const { plan } = kept
    if (plan.session !== run.session_id || !isPlanRunning(plan))
      return saying(`The plan “${plan.name}” is not running here. Run it again to start over.`)
    const problems = run.turn === 0 ? validatePlan(plan, catalogue) : []
    if (problems.length > 0) {
      const words = problems.map((problem) => `- ${planProblemText(problem)}`).join('\n')
      return saying(
        `The plan “${plan.name}” cannot start:\n${words}\n{"ended":"failed","words":"it could not start"}`,
      )
    }
    if (plan.run !== run.id)
      await records.change(operator, async (tx) => {
        const now = await locked(tx, record.id)
        if (now.plan.session === run.session_id) await put(tx, now, { run: run.id })
      })
    const skipped = async () =>
      (await records.read(operator, (tx) => found(tx, record.id)).catch(() => kept)).plan.skipped
    const port = planPort({ plan, model: parts.model, clock: context.clock, skipped, wait: parts.wait })
    return { ...common, label: record.label ?? operatorLabel, port }
  }

  /** One that is gone or under way already begins nothing, and its run says so. */
  async function order(
    tx: AssistantTransaction,
    { does }: Schedule,
    session: SessionId,
  ): Promise<ScheduledOrder | undefined> {
    if (does.kind !== 'plan') return undefined
    await lock(tx, does.plan)
    const record = await tx.records.get(plansCollection, does.plan)
    const kept = record && keptOf(record)
    if (!kept || isPlanRunning(kept.plan)) return undefined
    const { plan } = kept
    await parts.hold(tx, [does.plan], false)
    const after = await put(tx, kept, startedPlan(plan, session, tx.now))
    note(tx, 'plan.started', clockActor, after, { session, version: plan.version, ahead: 0 })
    return {
      text: planStart(does.plan, plan).text,
      agent: planAgent,
      about: does.plan,
      goal: plan.goalId,
      label: kept.record.label,
    }
  }

  async function ended(tx: AssistantTransaction, run: RunRow, end: RunEnd): Promise<RunEnd> {
    if (run.agent !== planAgent || run.about === null) return end
    const elsewhere: RunEnd =
      end.reason === 'completed' ? { reason: 'error', message: 'The plan did not run here.' } : end
    await lock(tx, run.about)
    const record = await tx.records.get(plansCollection, run.about)
    if (!record) return elsewhere
    const kept = keptOf(record)
    if (kept.plan.session !== run.session_id || !isPlanRunning(kept.plan)) return elsewhere
    const { status, result } = await endStatusOf(tx, run, end)
    await parts.hold(tx, [record.id], false)
    const after = await put(tx, kept, { status, result, run: run.id, endedAt: tx.now.toISOString() })
    tx.record({
      type: 'plan.ended',
      actor: { kind: 'agent', id: run.id },
      session: run.session_id,
      run: run.id,
      data: { plan: record.id, name: keptOf(after).plan.name, status, result },
    })
    return end.reason === 'completed' && status === 'failed' ? { reason: 'error', message: result } : end
  }

  return {
    async list({ status, limit }) {
      const where = status === undefined ? {} : { where: { status } }
      const page = await records.read(operator, (tx) => tx.records.list(plansCollection, { ...where, limit }))
      return { plans: page.records.map(viewOf), total: page.total }
    },
    async detail(id) {
      const catalogue = await parts.catalogue()
      return records.read(operator, async (tx) => {
        const { record, plan } = await found(tx, id)
        const turns = plan.run === null ? undefined : await turnsOf(tx.db, plan.run)
        const states = stepStates(plan, turns?.messages ?? [], turns?.waiting)
        return { plan: viewOf(record), problems: validatePlan(plan, catalogue), states }
      })
    },
    add: (given, actor) =>
      changed(async (tx) => {
        const data = Plan.parse(given) as unknown as JsonObject
        const id = `plan_${context.uuid().replaceAll('-', '')}`
        const added = await tx.records.insert(plansCollection, id, data, null)
        note(tx, 'plan.added', actor, added, { steps: given.steps.length })
        return added
      }),
    change,
    async remove(id, actor) {
      const { ledger } = await records.change(operator, async (tx) => {
        const kept = await locked(tx, id)
        requireIdle(kept)
        await tx.records.remove(plansCollection, id, kept.record.version)
        note(tx, 'plan.removed', actor, kept.record)
      })
      return ledger
    },
    preview,
    execute,
    pause: (id, actor) => turnTo(id, 'in_progress', 'paused', actor),
    resume: (id, actor) => turnTo(id, 'paused', 'in_progress', actor),
    skip,
    prepare,
    order,
    ended,
  }
}

function lock(tx: AssistantTransaction, id: string): Promise<void> {
  return tx.lockRecords(plansCollection, { id })
}

interface PlanRecord {
  readonly record: StoredRecord
  readonly plan: Plan
}

function keptOf(record: StoredRecord): PlanRecord {
  return { record, plan: Plan.parse(record.data) }
}

function viewOf(record: StoredRecord): PlanView {
  const { id, label, createdAt, updatedAt } = record
  return { id, ...keptOf(record).plan, label, createdAt, updatedAt }
}

async function endStatusOf(
  tx: AssistantTransaction,
  run: RunRow,
  { reason, message }: RunEnd,
): Promise<{ status: PlanStatus; result: string }> {
  if (reason === 'completed') {
    const text = await lastWordsOf(tx.db, run.id)
    const told = readJournal([{ role: 'assistant', text, calls: [] }]).ended
    return told
      ? { status: told.status, result: told.words }
      : { status: 'failed', result: 'it did not say how it ended' }
  }
  return { status: reason === 'manual' ? 'cancelled' : 'failed', result: message.slice(0, 500) }
}

function requireIdle(kept: PlanRecord): void {
  if (isPlanRunning(kept.plan)) throw wrongState(kept, 'be changed or begun')
}

function requireSkippable({ steps }: Plan, id: string, state: PlanStepState['state'] | undefined): void {
  const step = steps.find((each) => each.id === id)
  if (!step) throw new CountersignError('not_found', `The plan has no step ${id}.`)
  if (!isSkippable(step))
    throw new CountersignError('usage', `“${step.name}” holds other steps or decides about them.`, {
      next: 'Skip the steps in it instead.',
    })
  if (state !== 'later' && state !== 'ready')
    throw new CountersignError('conflict', `“${step.name}” has started already, or is over.`, {
      next: 'Deny its request, or stop the run.',
    })
}

function requireValid({ record, plan }: PlanRecord, catalogue: ToolCatalogue): void {
  const problems = validatePlan(plan, catalogue)
  if (problems.length === 0) return
  throw new CountersignError('usage', `The plan cannot start. ${problems.map(planProblemText).join(' ')}`, {
    next: `See it with \`countersign plan graph ${record.id}\`, and fix the problems it shows.`,
  })
}

function requireDigest(preview: PlanPreview, ahead: string, id: string): PlanPreview {
  if (preview.digest === ahead) return preview
  throw new CountersignError('conflict', 'The calls to approve in advance differ from what was shown.', {
    next: `Look at it again with \`countersign plan preview ${id}\`.`,
  })
}

function changedMeanwhile(id: string): CountersignError {
  return new CountersignError('conflict', 'The plan was changed meanwhile.', {
    next: `Look at it again with \`countersign plan show ${id}\`.`,
  })
}

function wrongState({ record, plan }: PlanRecord, act: string): CountersignError {
  const words: Record<PlanStatus, string> = {
    pending: 'has not begun',
    in_progress: 'is being carried out',
    paused: 'is paused',
    completed: 'is carried out',
    failed: 'has failed',
    cancelled: 'was stopped',
  }
  const next = isPlanRunning(plan)
    ? `Stop it with \`countersign run stop ${plan.run ?? '<run>'}\`, or wait until it ends.`
    : `Run it with \`countersign plan run ${record.id}\`.`
  return new CountersignError(
    'conflict',
    `The plan “${plan.name}” ${words[plan.status]}, so it cannot ${act}.`,
    { next },
  )
}

function missing(id: string): CountersignError {
  return new CountersignError('not_found', `There is no plan ${id}.`, {
    next: 'See them with `countersign plan list`.',
  })
}

function note(
  tx: AssistantTransaction,
  type: string,
  actor: Actor,
  record: StoredRecord,
  data: JsonObject = {},
): void {
  const { name } = keptOf(record).plan
  tx.record({ type, actor, data: { plan: record.id, name, ...data } })
}
