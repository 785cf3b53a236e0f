/**
 * Owns the moment of decision for a turn's calls: one transaction in which each is denied, asked about, or intended
 * with its permit spent. Calls that touch what an earlier one changes wait for it and are authorized again.
 */
import {
  type ApprovalSubject,
  type CallId,
  type Chain,
  type Decision,
  heldText,
  idFrom,
  joinLabels,
  type Label,
  type ParkReason,
  type Permit,
  permitLifetimeMs,
  questionsText,
  questionsToldSummary,
  type Requester,
  type Resource,
  type ToolFacts,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { heldBy, type TaskFacts, withinGatewayReach } from '@countersign/policy'
import { spendGrant } from '../approvals/grants.ts'
import { lockFreeSpace } from '../approvals/inbox.ts'
import { askQuestion } from '../approvals/questions.ts'
import { longestWaitMs } from '../approvals/requests.ts'
import { stillStands, tellQuestions } from '../asked-for/lists.ts'
import { keepUnasked } from '../asked-for/unasked.ts'
import { updateHeld } from '../store/run-row.ts'
import { json, type Unit } from '../store/store.ts'
import { ancestorsOf, originsOf } from './ancestors.ts'
import { type CountedCall, takeRates } from './call-rates.ts'
import { type CallRow, type DecidedCall, emitEnded, writeDecidedCalls } from './call-rows.ts'
import { type CanonicalCall, canonicalizeOwn } from './canonicalize.ts'
import { type CallAssessment, classifyAndDecide, type FreeQuestions } from './classify-and-decide.ts'
import { composeSubject } from './compose-subject.ts'
import {
  type Caller,
  checkStopAndPause,
  type DispatchPorts,
  renewTools,
  type SettingsMoved,
} from './dispatch-ports.ts'
import { unseenFor } from './file-labels.ts'
import { ledgerAlarmRefusal } from './ledger-alarm.ts'
import { listAskedFor } from './list-asked-for.ts'
import { middlewareRefusal } from './middleware.ts'
import { chainsOf } from './request-chain.ts'

export interface IntendedCall {
  readonly row: CallRow
  readonly permit: Permit
}

export type Authorization =
  | {
      readonly kind: 'go'
      readonly intended: readonly IntendedCall[]
      /** Those that would ask and wait until the inbox has space. */
      readonly held: readonly CallId[]
    }
  | { readonly kind: 'parked'; readonly on: ParkReason }
  | { readonly kind: 'stopped' }

/** What the operator's words ask for is known only now: the calls are judged again. */
interface WishesListed {
  readonly kind: 'wishes'
}

export interface CallCandidate {
  readonly row: CallRow
  readonly assessment: CallAssessment
}

/** A tool that was switched off since its call was proposed is not there any more. */
export async function authorize(
  caller: Caller,
  rows: readonly CallRow[],
  mayPark: boolean,
  ports: DispatchPorts,
): Promise<Authorization> {
  for (;;) {
    const authorization = await authorizeAsKnown(caller, rows, mayPark, ports)
    if (authorization.kind === 'moved') await renewTools(caller, authorization.settings, ports.tools)
    else if (authorization.kind !== 'wishes') return authorization
  }
}

async function authorizeAsKnown(
  caller: Caller,
  rows: readonly CallRow[],
  mayPark: boolean,
  ports: DispatchPorts,
): Promise<Authorization | SettingsMoved | WishesListed> {
  const policy = ports.policies.current()
  const asked = ports.clock()
  const all = await candidatesOf(caller, rows, { policy, now: asked }, ports)
  if (await listsAskedFor(caller, all, ports)) return { kind: 'wishes' }
  const candidates = independentCalls(all)
  const chainOf = await chainsOf(caller, rows, ports)
  let { label } = caller

  const { value } = await ports.store.transact(
    caller.held.operator,
    async (unit): Promise<Authorization | SettingsMoved> => {
      const check = await checkStopAndPause(unit, caller, ports)
      if (check.kind !== 'go') return check
      const rates = await takeRates(unit, countedCalls(caller, candidates), ports.callsPerMinute)
      const middleware = [...(check.ledgerAlarm ? [ledgerAlarmRefusal] : []), rates, ...ports.middleware]
      const decided: DecidedCall[] = []
      const intended: IntendedCall[] = []
      let space: number | undefined
      const mayAsk = async () => {
        space = (space ?? (await lockFreeSpace(unit, caller.held.id))) - 1
        return space >= 0
      }
      for (const candidate of candidates) {
        const outcome = await authorizeOne(
          unit,
          caller,
          candidate,
          { policy: policy.hash, asked, chain: chainOf(candidate.row) },
          { ...ports, middleware, mayAsk },
        )
        decided.push(outcome)
        if (outcome.permit) intended.push({ row: candidate.row, permit: outcome.permit })
      }
      await writeDecidedCalls(unit, decided)
      const unasked = decided.filter(({ outcome }) => outcome === 'held').map(({ id }) => id)
      await keepUnasked(unit, caller.held, unasked, ports.uuid)
      label = await takeIn(unit, caller, decided)
      const waits = decided.find((call) => call.state === 'asked')
      if (!mayPark || !waits || intended.length > 0 || candidates.length < all.length) {
        const held = decided.filter((call) => call.state === 'proposed').map((call) => call.id)
        return { kind: 'go', intended, held }
      }
      const on = waits.approval ? 'approval' : 'question'
      await ports.park(unit, caller.held, on)
      return { kind: 'parked', on }
    },
  )
  caller.label = label
  return value
}

/** What the operator does by hand is not counted, nor what is decided anew. */
function countedCalls(caller: Caller, candidates: readonly CallCandidate[]): CountedCall[] {
  if (caller.byHand) return []
  return candidates.flatMap(({ row, assessment }) =>
    assessment.kind === 'assessed' && row.decision === null
      ? [
          {
            id: row.id,
            tool: assessment.call.tool,
            made: madeTool(assessment.call, caller),
            requester: caller.requester,
          },
        ]
      : [],
  )
}

/** The program of a made tool is run by a hidden one, which is told the name of the made one by its record. */
function madeTool({ tool, args }: CanonicalCall, { catalogue }: Caller): ToolFacts | undefined {
  if (!tool.hidden) return undefined
  const { name } = JSON.parse(args) as { readonly name?: unknown }
  const made = typeof name === 'string' ? catalogue.find(name) : undefined
  return made?.origin ? made : undefined
}

/** Only where something would ask that the operator's words may have asked for, or may not. */
async function listsAskedFor(
  { held, readAskedFor }: Caller,
  candidates: readonly CallCandidate[],
  ports: DispatchPorts,
): Promise<boolean> {
  const wouldAsk = candidates.some(
    ({ assessment }) =>
      assessment.kind === 'assessed' && assessment.needsWishes && assessment.decision.kind === 'ask',
  )
  return wouldAsk && readAskedFor !== undefined && (await listAskedFor(held, readAskedFor, ports))
}

/** An answer in the place of a call was made from something, as the result of a call is. */
async function takeIn(unit: Unit, caller: Caller, decided: readonly DecidedCall[]): Promise<Label> {
  const brought = decided.flatMap((call) => call.brought ?? [])
  if (brought.length === 0) return caller.label
  const label = brought.reduce(joinLabels, caller.label)
  await updateHeld(unit, caller.held, { label: json(label) })
  return label
}

/** Looks at the calls of each requester together; a call that no longer fits its tool is told so. */
async function candidatesOf(
  caller: Caller,
  rows: readonly CallRow[],
  at: { readonly policy: ReturnType<DispatchPorts['policies']['current']>; readonly now: Date },
  ports: DispatchPorts,
): Promise<CallCandidate[]> {
  const found = new Map<CallRow, CallCandidate>()
  const canonical: { row: CallRow; call: CanonicalCall }[] = []
  for (const row of rows) {
    const canonicalized = canonicalizeOwn({ tool: row.tool, args: row.args }, caller.catalogue)
    if (canonicalized.kind === 'canonical') canonical.push({ row, call: canonicalized.call })
    else found.set(row, { row, assessment: { kind: 'impossible', reason: canonicalized.reason } })
  }
  const { executors, store } = ports
  const shared = { executors, store, ...at }
  const origins = originsOf(await ancestorsOf(caller, ports))
  for (const theirs of Map.groupBy(canonical, ({ row }) => json(row.requester)).values()) {
    const [first] = theirs
    if (!first) continue
    const calls = theirs.map(({ call }) => call)
    const assessments = await classifyAndDecide(
      calls,
      { ...contextOfCall(caller, first.row), origins },
      shared,
    )
    for (const [index, { row }] of theirs.entries())
      found.set(row, { row, assessment: assessments[index] ?? lost })
  }
  return rows.flatMap((row) => found.get(row) ?? [])
}

const lost: CallAssessment = { kind: 'impossible', reason: 'The executor did not answer.' }

function contextOfCall(caller: Caller, row: CallRow) {
  return {
    operator: caller.held.operator,
    session: caller.held.session,
    run: caller.held.id,
    label: caller.label,
    requester: weakerRequester(row.requester, caller.requester),
    unattended: caller.work.unattended,
    agent: caller.work.agent,
    goal: caller.work.goal,
    firstHand: isFirstHand(caller.work),
    inReader: caller.inReader,
  }
}

/** What another run, a schedule or a record began is work that was handed on. */
function isFirstHand({ parent, schedule, about }: Caller['work']): boolean {
  return (parent ?? null) === null && schedule === null && (about ?? null) === null
}

/** The one who may do less: a tool gives nobody more than they have, and nobody more than its maker had. Pure. */
export function weakerRequester(maker: Requester | null, caller: Requester): Requester {
  const order = ['operator', 'schedule', 'peer', 'webhook']
  return maker && order.indexOf(maker.kind) > order.indexOf(caller.kind) ? maker : caller
}

async function authorizeOne(
  unit: Unit,
  caller: Caller,
  { row, assessment }: CallCandidate,
  bound: { readonly policy: string; readonly asked: Date; readonly chain: Chain },
  ports: DispatchPorts & { mayAsk(): Promise<boolean> },
): Promise<DecidedCall> {
  const nothing = { id: row.id, approval: null, permit: null, decision: null, outcome: null, judged: null }
  if (assessment.kind === 'impossible') {
    recordCallEntry(unit, caller, row, 'call.impossible', { tool: row.tool, reason: assessment.reason })
    emitEnded(unit, row, { outcome: 'invalid', summary: assessment.reason })
    const { reason: text, brought } = assessment
    return { ...nothing, state: 'ended', outcome: 'invalid', text, ...(brought ? { brought } : {}) }
  }
  const { call, resolution } = assessment
  const context = contextOfCall(caller, row)
  const again = row.decision !== null
  const inReview = {
    id: row.id,
    tool: call.tool,
    args: call.args,
    requester: context.requester,
    again,
    run: { ...caller.work, id: caller.held.id, session: caller.held.session },
    tier: assessment.decision.tier,
    effects: resolution.effects,
    resources: resolution.resources,
  }
  const refusal = await middlewareRefusal(unit, inReview, ports.middleware)
  if (typeof refusal === 'object') {
    recordCallEntry(unit, caller, row, 'call.simulated', { tool: row.tool })
    emitEnded(unit, row, { outcome: 'ok', summary: refusal.instead })
    return { ...nothing, state: 'ended', outcome: 'ok', text: refusal.instead, brought: refusal.label }
  }
  if (refusal !== undefined) {
    recordCallEntry(unit, caller, row, 'call.refused', { tool: row.tool, reason: refusal })
    emitEnded(unit, row, { outcome: 'denied', summary: refusal })
    return { ...nothing, state: 'ended', outcome: 'denied', text: refusal }
  }
  const { task } = assessment.facts
  const decision = await finalDecision(unit, assessment.decision, { task, mustAsk: caller.mustAsk })
  const decided = {
    ...nothing,
    decision,
    judged: { ...assessment.facts, argsHash: sha256Hex(call.args), policy: bound.policy },
  }
  if (await isHeld(unit, caller, row, decision, task)) {
    recordCallEntry(unit, caller, row, 'call.held', { tool: row.tool, ...summaryOf(decision) })
    emitEnded(unit, row, { outcome: 'held', summary: heldText })
    return { ...decided, state: 'ended', outcome: 'held', text: heldText }
  }
  if (await isTold(unit, caller, row, decision, assessment.instead)) {
    const { list = '', questions = [] } = assessment.instead ?? {}
    recordCallEntry(unit, caller, row, 'call.questions_told', {
      tool: row.tool,
      list,
      ...summaryOf(decision),
    })
    const told = { outcome: 'denied' as const, summary: questionsToldSummary }
    emitEnded(unit, row, told)
    return { ...decided, ...told, state: 'ended', text: questionsText(questions) }
  }
  const asks = decision.kind === 'ask' || (decision.kind === 'allow' && call.tool.runs === 'operator')
  if (asks && !(await ports.mayAsk())) return { ...decided, state: 'proposed', text: '' }
  unit.emit({
    type: 'call.decided',
    session: caller.held.session,
    run: caller.held.id,
    call: row.id,
    tool: row.tool,
    headline: row.headline,
    decision,
  })
  if (decision.kind === 'deny') {
    recordCallEntry(unit, caller, row, 'call.denied', { tool: row.tool, ...summaryOf(decision) })
    emitEnded(unit, row, { outcome: 'denied', summary: decision.reason })
    return { ...decided, state: 'ended', outcome: 'denied', text: `Refused by policy: ${decision.reason}` }
  }
  if (decision.kind === 'allow' && call.tool.runs === 'operator') {
    const question = {
      kind: 'operator' as const,
      session: caller.held.session,
      run: caller.held.id,
      call: row.id,
    }
    const asked = call.tool.question?.(call.value) ?? { text: call.headline, choices: [] }
    await askQuestion(unit, { ...question, ...asked }, ports.uuid)
    return { ...decided, state: 'asked', text: '' }
  }
  const unseen = await unseenFor(unit.db, resolution.resources)
  const compose = (approval: ApprovalSubject['approval'], lifetimeMs: number) =>
    composeSubject({
      call,
      row,
      resolution,
      unseen,
      decision,
      context,
      gateway: ports.gateway,
      audience: assessment.audience,
      ...bound,
      cause: caller.cause,
      approval,
      now: unit.now,
      lifetimeMs,
      nonce: ports.nonce(),
    })
  if (decision.kind === 'ask') {
    const { subject, card } = compose(idFrom('apr', ports.uuid()), longestWaitMs)
    const approval = await ports.approvals.request(unit, {
      subject,
      card,
      agentSays: caller.lastReplyText,
      replaces: row.edited_from,
      offers: assessment.offers(),
    })
    return { ...decided, state: 'asked', text: '', approval: approval.id }
  }
  const { subject } = compose(null, permitLifetimeMs)
  const { permit, digest } = ports.permits.mint(subject, unit.now)
  recordIntent(unit, caller, row, permit, digest)
  return { ...decided, state: 'intended', text: '', permit }
}

/**
 * Nobody asked for it, by a reading of the operator's words that still stands. What the operator wrote or lets be asked
 * themselves is never held.
 */
async function isHeld(
  unit: Unit,
  { mustAsk }: Caller,
  { edited_from: edited }: CallRow,
  decision: Decision,
  task: TaskFacts | undefined,
): Promise<boolean> {
  const list = heldBy(decision, task)
  return list !== null && mustAsk !== true && edited === null && (await stillStands(unit, list))
}

/**
 * The model is told which questions are free before the operator is asked for its own, in one turn for each of their
 * messages. What the operator wrote or was asked about before, and what a program asks for, is not answered so.
 */
async function isTold(
  unit: Unit,
  { mustAsk }: Caller,
  { edited_from: edited, parent_id: parent, decision: before, turn }: CallRow,
  decision: Decision,
  instead: FreeQuestions | null,
): Promise<boolean> {
  if (instead === null || decision.kind !== 'ask') return false
  if (mustAsk === true || edited !== null || parent !== null || before !== null) return false
  return tellQuestions(unit, instead.list, turn)
}

/** What the gateway may not seal is asked about; a grant that ended and a wish that was taken back do not count. */
async function finalDecision(
  unit: Unit,
  decision: Decision,
  { task, mustAsk }: { readonly task: TaskFacts | undefined; readonly mustAsk: boolean | undefined },
): Promise<Decision> {
  const within = withinGatewayReach(decision)
  if (within.kind !== 'allow') return within
  if (mustAsk) return { ...within, kind: 'ask', reason: 'Nobody had asked for it, and you let it be asked.' }
  const list = task?.asked?.plan ?? task?.listed ?? null
  if (list !== null && !(await stillStands(unit, list)))
    return { ...within, kind: 'ask', reason: 'You took back what you had asked for.' }
  if (within.grant === undefined || (await spendGrant(unit, within.grant))) return within
  const { grant: _ended, ...rest } = within
  return { ...rest, kind: 'ask', reason: 'The grant that covered this call has ended.' }
}

export function recordIntent(unit: Unit, caller: Caller, row: CallRow, permit: Permit, digest: string): void {
  const { subject } = permit
  recordCallEntry(unit, caller, row, 'effect.intended', {
    tool: subject.tool.name,
    tier: subject.tier,
    effect: subject.tool.effect,
    headline: row.headline,
    ...(caller.catalogue.find(row.tool)?.discreet ? {} : { args: subject.args.slice(0, 1_000) }),
    argsHash: subject.argsHash,
    digest,
    nonce: subject.nonce,
    key: subject.key,
    policy: subject.policy,
    rules: subject.rules,
    seal: permit.seal.by,
    ...(subject.approval ? { approval: subject.approval } : {}),
    ...(subject.grant ? { grant: subject.grant } : {}),
  })
}

export function recordCallEntry(
  unit: Unit,
  caller: Caller,
  row: CallRow,
  type: string,
  data: Parameters<Unit['record']>[0]['data'],
): void {
  unit.record({
    type,
    actor: { kind: 'agent', id: caller.held.id },
    session: caller.held.session,
    run: caller.held.id,
    call: row.id,
    data,
  })
}

function summaryOf(decision: Decision) {
  return { tier: decision.tier, reason: decision.reason, rules: decision.rules.map((rule) => rule.id) }
}

/** The calls of the batch that neither touch what an earlier one of it changes nor change what an earlier one saw. Pure. */
export function independentCalls(candidates: readonly CallCandidate[]): CallCandidate[] {
  const workspace = { viewed: false, run: false, changed: false }
  const touched = { reads: new Set<string>(), adds: new Set<string>(), changes: new Set<string>() }
  const clashes = ({ path, mode }: ResourceTouch) =>
    touched.changes.has(path) ||
    (mode !== 'adds' && touched.adds.has(path)) ||
    (mode !== 'reads' && touched.reads.has(path))
  return candidates.filter(({ assessment }) => {
    const resources = assessment.kind === 'assessed' ? assessment.resolution.resources : []
    const touches = resources.flatMap(touchesOf)
    const isFree = !touches.some(clashes) && !disturbs(workspace, resources)
    for (const { path, mode } of touches) touched[mode].add(path)
    workspace.viewed ||= resources.some(isViewed)
    workspace.run ||= resources.some(({ type }) => type === 'exec')
    workspace.changed ||= resources.some(isFileChange)
    return isFree
  })
}

/** A program over a view sees the whole workspace, and what it changes should be there for those after it. */
function disturbs(
  earlier: { readonly viewed: boolean; readonly run: boolean; readonly changed: boolean },
  resources: readonly Resource[],
): boolean {
  if (resources.some(isViewed)) return earlier.run || earlier.changed
  return earlier.viewed && resources.some((resource) => resource.type === 'exec' || isFileChange(resource))
}

function isViewed(resource: Resource): boolean {
  return resource.type === 'exec' && resource.view !== null
}

function isFileChange(resource: Resource): boolean {
  const changes = resource.type === 'file' && (resource.op === 'write' || resource.op === 'delete')
  return changes && resource.root === 'workspace'
}

interface ResourceTouch {
  readonly path: string
  /** Those who add do not disturb each other, only those who list. */
  readonly mode: 'reads' | 'adds' | 'changes'
}

function touchesOf(resource: Resource): ResourceTouch[] {
  if (resource.type !== 'file' && resource.type !== 'record') return []
  const changes = resource.op === 'write' || resource.op === 'delete'
  const mode = changes ? 'changes' : 'reads'
  if (resource.type === 'file') return [{ path: `${resource.root}:${resource.path}`, mode }]
  const collection = `record:${resource.collection}`
  if (resource.id === '*') return [{ path: collection, mode }]
  const whole: ResourceTouch = { path: collection, mode: changes ? 'adds' : 'reads' }
  return resource.version === null ? [whole] : [whole, { path: `${collection}:${resource.id}`, mode }]
}
