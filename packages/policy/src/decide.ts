/** Decides whether a call may run. Pure and total: no clock, no I/O, no throw; whatever goes wrong denies. */
import type { Decision, RuleRef } from '@countersign/contract'
import type { PolicyRule, PolicySet } from './compile.ts'
import type { Evaluation } from './engine.ts'
import { type CallFacts, type CallRequest, isGranted, requestOf } from './facts.ts'
import { allowedBecause, asksBecause, deniedBecause, failedBecause } from './reason.ts'
import { withPlaces } from './touched-places.ts'

/**
 * Three answers from an engine that knows two: what is permitted as it stands is allowed, what would be permitted
 * with an approval asks, the rest is denied. A grant is tried only after the call was refused without it, so that
 * the decision names a grant only where it made the difference.
 */
export function decide(facts: CallFacts, set: PolicySet): Decision {
  try {
    // A rule about a place holds for a call that goes through it without naming it.
    return withPlaces(facts, set.needs)
      .map((each) => evaluated(each, set))
      .reduce(stricter, evaluated(facts, set))
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

function stricter(first: Decision, other: Decision): Decision {
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
    : askOrDeny(facts, set, request, unapproved)
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

function askOrDeny(
  facts: CallFacts,
  set: PolicySet,
  request: CallRequest,
  unapproved: CompletedEvaluation,
): Decision {
  request.context.approved = true
  const approved = set.evaluate(request)
  if (approved.kind === 'failed') return failure(facts, approved.message)
  const asks = approved.kind === 'permitted'
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
