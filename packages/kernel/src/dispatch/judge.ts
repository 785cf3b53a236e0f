/**
 * Owns the moment of decision for a turn's calls: one transaction in which each is denied, asked about, or intended
 * with its permit spent. Calls that touch what an earlier one changes wait for it and are judged again.
 */
import {
  type ApprovalSubject,
  type Decision,
  idFrom,
  type ParkReason,
  type Permit,
  permitLifetimeMs,
  type Resolution,
} from '@countersign/contract'
import { spendGrant } from '../approvals/grants.ts'
import { ask } from '../approvals/questions.ts'
import { highestGatewayTier } from '../permits/permits.ts'
import type { Unit } from '../store/store.ts'
import { type Assessed, assess } from './assess.ts'
import { type CallRow, type JudgedCall, writeJudged } from './calls.ts'
import { type Caller, type DispatchPorts, heed, requestLifetimeMs } from './context.ts'
import { type CanonicalCall, prepare } from './prepare.ts'
import { composeSubject } from './subject.ts'

export interface Intended {
  readonly row: CallRow
  readonly permit: Permit
}

export type Judged =
  | { readonly kind: 'go'; readonly intended: readonly Intended[] }
  | { readonly kind: 'parked'; readonly on: ParkReason }
  | { readonly kind: 'stopped' }

interface Candidate {
  readonly row: CallRow
  readonly call: CanonicalCall
  readonly assessed: Assessed
}

export async function judge(
  caller: Caller,
  rows: readonly CallRow[],
  mayPark: boolean,
  ports: DispatchPorts,
): Promise<Judged> {
  const proposed = rows.map((row) => ({ row, call: canonicalOf(row, ports) }))
  const policy = ports.policies.current()
  const circumstances = { ...circumstancesOf(caller), unattended: caller.unattended }
  const assessed = await assess(
    proposed.map(({ call }) => call),
    circumstances,
    { executor: ports.executor, store: ports.store, policy, now: ports.clock() },
  )
  const all = proposed.map((one, index) => ({ ...one, assessed: assessed[index] ?? lost }))
  const candidates = independentOf(all)

  const { value } = await ports.store.transact(caller.held.operator, async (unit): Promise<Judged> => {
    const heeded = await heed(unit, caller, ports)
    if (heeded.kind !== 'go') return heeded
    const judged: JudgedCall[] = []
    const intended: Intended[] = []
    for (const candidate of candidates) {
      const outcome = await judgeOne(unit, caller, candidate, policy.hash, ports)
      judged.push(outcome)
      if (outcome.permit) intended.push({ row: candidate.row, permit: outcome.permit })
    }
    await writeJudged(unit, judged)
    const waits = judged.find((call) => call.state === 'asked')
    if (!mayPark || !waits || intended.length > 0 || candidates.length < all.length)
      return { kind: 'go', intended }
    const on = waits.approval ? 'approval' : 'question'
    await ports.park(unit, caller.held, on)
    return { kind: 'parked', on }
  })
  return value
}

/** A call that was canonical when it was proposed and is not any more meets a changed catalogue; it is told so. */
function canonicalOf(row: CallRow, ports: DispatchPorts): CanonicalCall {
  const prepared = prepare({ tool: row.tool, args: row.args }, ports.catalogue)
  if (prepared.kind === 'canonical') return prepared.call
  throw new Error(`${row.id} is no longer valid: ${prepared.reason}`)
}

const lost: Assessed = { kind: 'impossible', reason: 'The executor did not answer.' }

function circumstancesOf(caller: Caller) {
  return {
    operator: caller.held.operator,
    session: caller.held.session,
    run: caller.held.id,
    label: caller.label,
    requester: caller.requester,
  }
}

async function judgeOne(
  unit: Unit,
  caller: Caller,
  { row, call, assessed }: Candidate,
  policy: string,
  ports: DispatchPorts,
): Promise<JudgedCall> {
  const nothing = { id: row.id, approval: null, permit: null, decision: null, outcome: null }
  if (assessed.kind === 'impossible') {
    record(unit, caller, row, 'call.impossible', { tool: row.tool, reason: assessed.reason })
    end(unit, caller, row, 'invalid', assessed.reason)
    return { ...nothing, state: 'ended', outcome: 'invalid', text: assessed.reason }
  }
  const decision = await finalDecision(unit, assessed.decision)
  const { resolution } = assessed
  const judged = { ...nothing, decision }
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
    end(unit, caller, row, 'denied', decision.reason)
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
      circumstances: { ...circumstancesOf(caller), unattended: caller.unattended },
      gateway: ports.gateway,
      executor: ports.executor.identity,
      policy,
      cause: caller.cause,
      approval,
      now: unit.now,
      lifetimeMs,
      nonce: ports.nonce(),
    })
  if (decision.kind === 'ask') {
    const { subject, card } = compose(idFrom('apr', ports.uuid()), requestLifetimeMs)
    const approval = await ports.approvals.request(unit, subject, card, caller.says)
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
    args: subject.args.slice(0, 1_000),
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

function end(unit: Unit, caller: Caller, row: CallRow, outcome: 'denied' | 'invalid', summary: string): void {
  unit.emit({
    type: 'call.ended',
    session: caller.held.session,
    run: caller.held.id,
    call: row.id,
    tool: row.tool,
    headline: row.headline,
    outcome,
    summary,
    undoable: false,
  })
}

function summaryOf(decision: Decision) {
  return { tier: decision.tier, reason: decision.reason, rules: decision.rules.map((rule) => rule.id) }
}

/** The calls of the batch that touch nothing which an earlier one of it changes. */
function independentOf(candidates: readonly Candidate[]): Candidate[] {
  const changed = new Set<string>()
  const seen = new Set<string>()
  const independent: Candidate[] = []
  for (const candidate of candidates) {
    const touched = candidate.assessed.kind === 'assessed' ? touchedBy(candidate.assessed.resolution) : []
    const clashes = touched.some(({ path, changes }) => changed.has(path) || (changes && seen.has(path)))
    for (const { path, changes } of touched) {
      seen.add(path)
      if (changes) changed.add(path)
    }
    if (!clashes) independent.push(candidate)
  }
  return independent
}

function touchedBy(resolution: Resolution): { path: string; changes: boolean }[] {
  return resolution.resources.flatMap((resource) =>
    resource.type === 'file'
      ? [
          {
            path: `${resource.root}:${resource.path}`,
            changes: resource.op === 'write' || resource.op === 'delete',
          },
        ]
      : [],
  )
}
