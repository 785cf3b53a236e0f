/**
 * Owns the moment of decision for a turn's calls: one transaction in which each is denied, asked about, or intended
 * with its permit spent. Calls that touch what an earlier one changes wait for it and are judged again.
 */
import {
  type ApprovalSubject,
  type CallId,
  type Chain,
  type Decision,
  idFrom,
  type ParkReason,
  type Permit,
  permitLifetimeMs,
  type Requester,
  type Resource,
} from '@countersign/contract'
import { longestWaitMs } from '../approvals/approvals.ts'
import { spendGrant } from '../approvals/grants.ts'
import { takeRoom } from '../approvals/inbox.ts'
import { ask } from '../approvals/questions.ts'
import { highestGatewayTier } from '../permits/permits.ts'
import { json, type Unit } from '../store/store.ts'
import { type Assessed, assess } from './assess.ts'
import { type CallRow, emitEnded, type JudgedCall, writeJudged } from './calls.ts'
import { chainsOf } from './chain.ts'
import { type Caller, type DispatchPorts, heed } from './context.ts'
import { refusalOf } from './middleware.ts'
import { type CanonicalCall, prepareOwn } from './prepare.ts'
import { composeSubject } from './subject.ts'

export interface Intended {
  readonly row: CallRow
  readonly permit: Permit
}

export type Judged =
  | {
      readonly kind: 'go'
      readonly intended: readonly Intended[]
      /** Those that would ask and wait until there is room for it. */
      readonly held: readonly CallId[]
    }
  | { readonly kind: 'parked'; readonly on: ParkReason }
  | { readonly kind: 'stopped' }

export interface Candidate {
  readonly row: CallRow
  readonly assessed: Assessed
}

export async function judge(
  caller: Caller,
  rows: readonly CallRow[],
  mayPark: boolean,
  ports: DispatchPorts,
): Promise<Judged> {
  const policy = ports.policies.current()
  const asked = ports.clock()
  const all = await candidatesOf(caller, rows, { policy, now: asked }, ports)
  const candidates = independentOf(all)
  const chainOf = await chainsOf(caller, rows, ports)

  const { value } = await ports.store.transact(caller.held.operator, async (unit): Promise<Judged> => {
    const heeded = await heed(unit, caller, ports)
    if (heeded.kind !== 'go') return heeded
    const judged: JudgedCall[] = []
    const intended: Intended[] = []
    let room: number | undefined
    const mayAsk = async () => {
      room = (room ?? (await takeRoom(unit, caller.held.id))) - 1
      return room >= 0
    }
    for (const candidate of candidates) {
      const outcome = await judgeOne(
        unit,
        caller,
        candidate,
        { policy: policy.hash, asked, chain: chainOf(candidate.row) },
        { ...ports, mayAsk },
      )
      judged.push(outcome)
      if (outcome.permit) intended.push({ row: candidate.row, permit: outcome.permit })
    }
    await writeJudged(unit, judged)
    const waits = judged.find((call) => call.state === 'asked')
    if (!mayPark || !waits || intended.length > 0 || candidates.length < all.length) {
      const held = judged.filter((call) => call.state === 'proposed').map((call) => call.id)
      return { kind: 'go', intended, held }
    }
    const on = waits.approval ? 'approval' : 'question'
    await ports.park(unit, caller.held, on)
    return { kind: 'parked', on }
  })
  return value
}

/** Looks at the calls of each requester together; a call that no longer fits its tool is told so. */
async function candidatesOf(
  caller: Caller,
  rows: readonly CallRow[],
  at: { readonly policy: ReturnType<DispatchPorts['policies']['current']>; readonly now: Date },
  ports: DispatchPorts,
): Promise<Candidate[]> {
  const found = new Map<CallRow, Candidate>()
  const canonical: { row: CallRow; call: CanonicalCall }[] = []
  for (const row of rows) {
    const prepared = prepareOwn({ tool: row.tool, args: row.args }, caller.catalogue)
    if (prepared.kind === 'canonical') canonical.push({ row, call: prepared.call })
    else found.set(row, { row, assessed: { kind: 'impossible', reason: prepared.reason } })
  }
  const { executors, store } = ports
  const shared = { executors, store, ...at }
  for (const theirs of Map.groupBy(canonical, ({ row }) => json(row.requester)).values()) {
    const [first] = theirs
    if (!first) continue
    const calls = theirs.map(({ call }) => call)
    const assessed = await assess(calls, circumstancesOf(caller, first.row), shared)
    for (const [index, { row }] of theirs.entries())
      found.set(row, { row, assessed: assessed[index] ?? lost })
  }
  return rows.flatMap((row) => found.get(row) ?? [])
}

const lost: Assessed = { kind: 'impossible', reason: 'The executor did not answer.' }

function circumstancesOf(caller: Caller, row: CallRow) {
  return {
    operator: caller.held.operator,
    session: caller.held.session,
    run: caller.held.id,
    label: caller.label,
    requester: weaker(row.requester, caller.requester),
    unattended: caller.work.unattended,
    agent: caller.work.agent,
    goal: caller.work.goal,
  }
}

/** The one who may do less: a tool gives nobody more than they have, and nobody more than its maker had. Pure. */
export function weaker(maker: Requester | null, caller: Requester): Requester {
  const order = ['operator', 'schedule', 'peer', 'webhook']
  return maker && order.indexOf(maker.kind) > order.indexOf(caller.kind) ? maker : caller
}

async function judgeOne(
  unit: Unit,
  caller: Caller,
  { row, assessed }: Candidate,
  bound: { readonly policy: string; readonly asked: Date; readonly chain: Chain },
  ports: DispatchPorts & { mayAsk(): Promise<boolean> },
): Promise<JudgedCall> {
  const nothing = { id: row.id, approval: null, permit: null, decision: null, outcome: null }
  if (assessed.kind === 'impossible') {
    record(unit, caller, row, 'call.impossible', { tool: row.tool, reason: assessed.reason })
    emitEnded(unit, row, { outcome: 'invalid', summary: assessed.reason })
    return { ...nothing, state: 'ended', outcome: 'invalid', text: assessed.reason }
  }
  const { call, resolution } = assessed
  const circumstances = circumstancesOf(caller, row)
  const again = row.decision !== null
  const passing = {
    id: row.id,
    tool: call.tool,
    args: call.args,
    requester: circumstances.requester,
    again,
    run: { ...caller.work, id: caller.held.id, session: caller.held.session },
    tier: assessed.decision.tier,
    effects: resolution.effects,
    resources: resolution.resources,
  }
  const refusal = await refusalOf(unit, passing, ports.middleware)
  if (typeof refusal === 'object') {
    record(unit, caller, row, 'call.simulated', { tool: row.tool })
    emitEnded(unit, row, { outcome: 'ok', summary: refusal.instead })
    return { ...nothing, state: 'ended', outcome: 'ok', text: refusal.instead }
  }
  if (refusal !== undefined) {
    record(unit, caller, row, 'call.refused', { tool: row.tool, reason: refusal })
    emitEnded(unit, row, { outcome: 'denied', summary: refusal })
    return { ...nothing, state: 'ended', outcome: 'denied', text: refusal }
  }
  const decision = await finalDecision(unit, assessed.decision)
  const judged = { ...nothing, decision }
  const asks = decision.kind === 'ask' || (decision.kind === 'allow' && call.tool.runs === 'operator')
  if (asks && !(await ports.mayAsk())) return { ...judged, state: 'proposed', text: '' }
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
    record(unit, caller, row, 'call.denied', { tool: row.tool, ...summaryOf(decision) })
    emitEnded(unit, row, { outcome: 'denied', summary: decision.reason })
    return { ...judged, state: 'ended', outcome: 'denied', text: `Refused by policy: ${decision.reason}` }
  }
  if (decision.kind === 'allow' && call.tool.runs === 'operator') {
    const question = {
      kind: 'operator' as const,
      session: caller.held.session,
      run: caller.held.id,
      call: row.id,
    }
    const asked = call.tool.question?.(call.value) ?? { text: call.headline, choices: [] }
    await ask(unit, { ...question, ...asked }, ports.uuid)
    return { ...judged, state: 'asked', text: '' }
  }
  const compose = (approval: ApprovalSubject['approval'], lifetimeMs: number) =>
    composeSubject({
      call,
      row,
      resolution,
      decision,
      circumstances,
      gateway: ports.gateway,
      executor: ports.executors[call.tool.runs === 'house' ? 'house' : 'executor'].identity,
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
      agentSays: caller.says,
      replaces: row.edited_from,
      offers: assessed.offers(),
    })
    return { ...judged, state: 'asked', text: '', approval: approval.id }
  }
  const { subject } = compose(null, permitLifetimeMs)
  const { permit, digest } = ports.permits.mint(subject, unit.now)
  recordIntent(unit, caller, row, permit, digest)
  return { ...judged, state: 'intended', text: '', permit }
}

/** What the gateway may not seal is asked about, and a grant that ended meanwhile does not count. */
async function finalDecision(unit: Unit, decision: Decision): Promise<Decision> {
  if (decision.kind !== 'allow') return decision
  if (decision.tier > highestGatewayTier)
    return {
      ...decision,
      kind: 'ask',
      reason: `${decision.reason} A T${decision.tier} call needs the seal of your device.`,
    }
  if (decision.grant === undefined || (await spendGrant(unit, decision.grant))) return decision
  const { grant: _ended, ...rest } = decision
  return { ...rest, kind: 'ask', reason: 'The grant that covered this call has ended.' }
}

export function recordIntent(unit: Unit, caller: Caller, row: CallRow, permit: Permit, digest: string): void {
  const { subject } = permit
  record(unit, caller, row, 'effect.intended', {
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

export function record(
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
export function independentOf(candidates: readonly Candidate[]): Candidate[] {
  const touched = { reads: new Set<string>(), adds: new Set<string>(), changes: new Set<string>() }
  const clashes = ({ path, mode }: Touch) =>
    touched.changes.has(path) ||
    (mode !== 'adds' && touched.adds.has(path)) ||
    (mode !== 'reads' && touched.reads.has(path))
  return candidates.filter(({ assessed }) => {
    const touches = assessed.kind === 'assessed' ? assessed.resolution.resources.flatMap(touchesOf) : []
    const isFree = !touches.some(clashes)
    for (const { path, mode } of touches) touched[mode].add(path)
    return isFree
  })
}

interface Touch {
  readonly path: string
  /** Those who add do not disturb each other, only those who list. */
  readonly mode: 'reads' | 'adds' | 'changes'
}

function touchesOf(resource: Resource): Touch[] {
  if (resource.type !== 'file' && resource.type !== 'record') return []
  const changes = resource.op === 'write' || resource.op === 'delete'
  const mode = changes ? 'changes' : 'reads'
  if (resource.type === 'file') return [{ path: `${resource.root}:${resource.path}`, mode }]
  const collection = `record:${resource.collection}`
  if (resource.id === '*') return [{ path: collection, mode }]
  const whole: Touch = { path: collection, mode: changes ? 'adds' : 'reads' }
  return resource.version === null ? [whole] : [whole, { path: `${collection}:${resource.id}`, mode }]
}
