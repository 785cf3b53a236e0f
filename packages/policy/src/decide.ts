/** Decides whether a call may run. Pure and total: no clock, no I/O, no throw; whatever goes wrong denies. */
import type { Decision, RuleRef } from '@countersign/contract'
import type { PolicyRule, PolicySet } from './compile.ts'
import type { Evaluation } from './engine.ts'
import { type CallFacts, type CallRequest, isGranted, requestOf } from './facts.ts'
import { allowedBecause, asksBecause, deniedBecause, failedBecause, heldToOrigin } from './reason.ts'
import { withPlaces } from './touched-places.ts'
import { withOrigins } from './work-origins.ts'

/**
 * Three answers from an engine that knows two: what is permitted as it stands is allowed, what would be permitted
 * with an approval asks, the rest is denied. A grant is tried only after the call was refused without it, so that
 * the decision names a grant only where it made the difference.
 */
export function decide(facts: CallFacts, set: PolicySet): Decision {
  try {
    // A rule about a place holds for a call that goes through it without naming it.
    const cases = [facts, ...withPlaces(facts, set.needs)]
    const own = cases.map((each) => evaluated(each, set)).reduce(stricter)
    return cases
      .flatMap((each) => withOrigins(each, set.needs))
      .flatMap((each) => forbidden(each, set) ?? [])
      .reduce(stricter, own)
  } catch (error) {
    return {
      kind: 'deny',
      tier: 4,
      rules: [],
      raised: [],
      reason: failedBecause(error instanceof Error ? error.message : String(error)),
    }
  }
}

const strictness = { allow: 0, ask: 1, deny: 2 } as const

/** Of two that let the call through, the one that needed a grant: it made the difference. */
function stricter(first: Decision, other: Decision): Decision {
  if (first.kind === other.kind) return first.grant === undefined && other.grant !== undefined ? other : first
  return strictness[other.kind] > strictness[first.kind] ? other : first
}

function evaluated(facts: CallFacts, set: PolicySet): Decision {
  const request = requestOf(facts, set)
  let unapproved = set.evaluate(request)
  if (unapproved.kind === 'permitted') return allow(facts, set, unapproved, false)
  if (unapproved.kind === 'refused' && isGranted(facts)) {
    request.context.granted = true
    unapproved = set.evaluate(request)
    if (unapproved.kind === 'permitted') return allow(facts, set, unapproved, true)
  }
  return unapproved.kind === 'failed'
    ? failure(facts, unapproved.message)
    : askOrDeny(facts, set, { request, unapproved, isEnough: (approved) => approved.kind === 'permitted' })
}

/** What forbids the call to whoever began its work; what permits it is looked at for the caller alone. */
function forbidden(facts: CallFacts, set: PolicySet): Decision | null {
  const request = requestOf(facts, set)
  let unapproved = set.evaluate(request)
  if (isForbidden(unapproved) && isGranted(facts)) {
    request.context.granted = true
    unapproved = set.evaluate(request)
    if (unapproved.kind !== 'failed' && !isForbidden(unapproved)) return allow(facts, set, unapproved, true)
  }
  if (unapproved.kind === 'failed') return failure(facts, unapproved.message)
  if (!isForbidden(unapproved)) return null
  const isEnough = (approved: CompletedEvaluation) => !isForbidden(approved)
  const decision = askOrDeny(facts, set, { request, unapproved, isEnough })
  return { ...decision, reason: heldToOrigin(decision.reason, facts.work) }
}

/** A refusal that names no rule only says that nothing permits. */
function isForbidden(evaluation: Evaluation): boolean {
  return evaluation.kind === 'refused' && evaluation.determining.length > 0
}

type CompletedEvaluation = Exclude<Evaluation, { kind: 'failed' }>

function allow(facts: CallFacts, set: PolicySet, permitted: CompletedEvaluation, byGrant: boolean): Decision {
  const decision: Decision = {
    kind: 'allow',
    tier: facts.classification.tier,
    rules: refsOf(set, permitted.determining),
    raised: [...facts.classification.raised],
    reason: allowedBecause(facts, byGrant),
  }
  if (byGrant && facts.granted !== null) decision.grant = facts.granted.id
  return decision
}

interface UnapprovedCall {
  readonly request: CallRequest
  readonly unapproved: CompletedEvaluation
  /** Whether an approval would be all that is missing. */
  readonly isEnough: (approved: CompletedEvaluation) => boolean
}

function askOrDeny(
  facts: CallFacts,
  set: PolicySet,
  { request, unapproved, isEnough }: UnapprovedCall,
): Decision {
  request.context.approved = true
  const approved = set.evaluate(request)
  if (approved.kind === 'failed') return failure(facts, approved.message)
  const asks = isEnough(approved)
  // A refusal names its forbids; where none spoke, what speaks is the permit that waits for the approval.
  const forbids = asks ? unapproved.determining : approved.determining
  const first = forbids[0] === undefined ? undefined : set.rules.get(forbids[0])
  return {
    kind: asks ? 'ask' : 'deny',
    tier: facts.classification.tier,
    rules: refsOf(set, asks && forbids.length === 0 ? approved.determining : forbids),
    raised: [...facts.classification.raised],
    reason: asks ? asksBecause(facts, first) : deniedBecause(first),
  }
}

function failure(facts: CallFacts, message: string): Decision {
  return {
    kind: 'deny',
    tier: facts.classification.tier,
    rules: [],
    raised: [...facts.classification.raised],
    reason: failedBecause(message),
  }
}

function refsOf(set: PolicySet, ids: readonly string[]): RuleRef[] {
  return ids
    .map((id) => set.rules.get(id))
    .filter((rule): rule is PolicyRule => rule !== undefined)
    .map(({ id, file, line, why }) => ({ id, file, line, why }))
}
