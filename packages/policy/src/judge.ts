/**
 * Owns judging a call by the facts that were gathered about it. The door judges a call once; whoever asks what another
 * policy would have said judges the same facts again, by the same functions.
 */
import { type Decision, highestGatewayTier } from '@countersign/contract'
import { type Classification, type ClassifyInput, classify } from './classify.ts'
import type { PolicySet } from './compile.ts'
import { decide } from './decide.ts'
import { type CallFacts, type CoveringGrant, isGrantable, type WorkFacts } from './facts.ts'
import type { GrantedAct } from './grants/granted-act.ts'

/** What a decision is made of, besides the policy and the grants. */
export interface JudgedFacts extends ClassifyInput {
  readonly secrets: readonly string[]
  readonly unattended: boolean
  /** What a grant can answer after untrusted content was read; left out, nothing. */
  readonly act?: GrantedAct | null | undefined
  readonly work?: WorkFacts | undefined
}

export interface BareFacts extends Omit<CallFacts, 'granted'> {
  /** Of the same call where a grant foresaw that untrusted content may lead to it; left out or null where none can. */
  readonly foreseen?: Classification | null | undefined
}

export interface BareJudgement {
  readonly decision: Decision
  /** A grant could still answer it. */
  readonly grantable: boolean
}

export function factsOf({ identityFlags, ...judged }: JudgedFacts): BareFacts {
  const input = { ...judged, identityFlags }
  const isTainted = judged.label.integrity === 'untrusted' && (judged.act ?? null) !== null
  const foreseen = isTainted ? classify({ ...input, isForeseen: true }) : null
  return { ...judged, classification: classify(input), foreseen }
}

/** As if there were no grant. */
export function judgeBare(facts: BareFacts, set: PolicySet): BareJudgement {
  const decision = decide({ ...facts, granted: null }, set)
  return { decision, grantable: decision.kind === 'ask' && mayBeGranted(facts) }
}

/** Whether some grant could speak for the call. */
export function mayBeGranted(facts: BareFacts): boolean {
  return isGrantable(facts) || isGrantable(asForeseen(facts), true)
}

/** What a grant foresaw is not raised by it; where the grant is no answer, everything is as without it. */
export function judgeGranted(facts: BareFacts, grant: CoveringGrant, set: PolicySet): Decision {
  if (grant.untrusted !== true || !facts.foreseen) return decide({ ...facts, granted: grant }, set)
  const decision = decide({ ...asForeseen(facts), granted: grant }, set)
  // A level may let the lower tier through by itself: the tier is lower by the grant.
  return decision.kind === 'allow'
    ? { ...decision, grant: grant.id }
    : decide({ ...facts, granted: null }, set)
}

function asForeseen(facts: BareFacts): BareFacts {
  return { ...facts, classification: facts.foreseen ?? facts.classification }
}

/** What the gateway may not seal is asked about, whatever policy allows. */
export function withinGatewayReach(decision: Decision): Decision {
  if (decision.kind !== 'allow' || decision.tier <= highestGatewayTier) return decision
  const reason = `${decision.reason} Such a call needs the seal of your device.`
  return { ...decision, kind: 'ask', reason }
}
