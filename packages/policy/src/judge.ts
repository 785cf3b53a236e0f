/**
 * Owns judging a call by the facts that were gathered about it. The door judges a call once; whoever asks what another
 * policy would have said judges the same facts again, by the same functions.
 */
import { type Decision, highestGatewayTier } from '@countersign/contract'
import { type ClassifyInput, classify } from './classify.ts'
import type { PolicySet } from './compile.ts'
import { decide } from './decide.ts'
import { type CallFacts, isGrantable } from './facts.ts'

/** What a decision is made of, besides the policy and the grants. */
export interface JudgedFacts extends ClassifyInput {
  readonly secrets: readonly string[]
  readonly unattended: boolean
}

export type BareFacts = Omit<CallFacts, 'granted'>

export interface BareJudgement {
  readonly decision: Decision
  /** A grant could still answer it. */
  readonly grantable: boolean
}

export function factsOf({ identityFlags, ...judged }: JudgedFacts): BareFacts {
  return { ...judged, classification: classify({ ...judged, identityFlags }) }
}

/** As if there were no grant. */
export function judgeBare(facts: BareFacts, set: PolicySet): BareJudgement {
  const decision = decide({ ...facts, granted: null }, set)
  return { decision, grantable: decision.kind === 'ask' && isGrantable(facts) }
}

export function judgeGranted(facts: BareFacts, grant: string, set: PolicySet): Decision {
  return decide({ ...facts, granted: { id: grant } }, set)
}

/** What the gateway may not seal is asked about, whatever policy allows. */
export function withinGatewayReach(decision: Decision): Decision {
  if (decision.kind !== 'allow' || decision.tier <= highestGatewayTier) return decision
  const reason = `${decision.reason} Such a call needs the seal of your device.`
  return { ...decision, kind: 'ask', reason }
}
