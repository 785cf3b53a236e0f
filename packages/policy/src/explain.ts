/** Owns the long answer to why: every rule, whether it matched, both evaluations and how the tier came about. */
import type { Decision, RuleRef, Tier } from '@countersign/contract'
import type { PolicySet } from './compile.ts'
import { decide } from './decide.ts'
import { type CallFacts, isGranted, requestOf } from './facts.ts'

export interface ExplainedRule extends RuleRef {
  readonly effect: 'permit' | 'forbid'
  /** Whether its condition holds as the call stands, and whether it would once approved. */
  readonly unapproved: boolean
  readonly approved: boolean
}

export interface ExplainedEvaluation {
  readonly approved: boolean
  readonly outcome: 'permitted' | 'refused' | 'failed'
  readonly determining: readonly string[]
}

export interface Explanation {
  readonly decision: Decision
  readonly tier: { readonly base: Tier; readonly final: Tier; readonly raised: readonly string[] }
  readonly evaluations: readonly [ExplainedEvaluation, ExplainedEvaluation]
  readonly rules: readonly ExplainedRule[]
}

/** Parses the rules anew, so it is for a person who asks and not for the path of a call. Total like decide. */
export function explain(facts: CallFacts, set: PolicySet): Explanation {
  const decision = decide(facts, set)
  try {
    return explained(facts, set, decision)
  } catch {
    // Decide met the same fault in the same facts and its reason says what it was.
    const nothing = { outcome: 'failed', determining: [] } as const
    return {
      decision,
      tier: { base: decision.tier, final: decision.tier, raised: [] },
      evaluations: [
        { approved: false, ...nothing },
        { approved: true, ...nothing },
      ],
      rules: [...set.rules.values()].map((rule) => explainedRule(rule, false, false)),
    }
  }
}

function explained(facts: CallFacts, set: PolicySet, decision: Decision): Explanation {
  const { base, tier, raised } = facts.classification
  const look = (approved: boolean) => {
    const request = requestOf(facts, set)
    request.context.approved = approved
    request.context.granted = isGranted(facts)
    const outcome = set.evaluate(request)
    const determining = outcome.kind === 'failed' ? [] : outcome.determining
    const evaluation: ExplainedEvaluation = { approved, outcome: outcome.kind, determining }
    return { evaluation, matching: set.matching(request) }
  }
  const unapproved = look(false)
  const approved = look(true)
  return {
    decision,
    tier: { base, final: tier, raised },
    evaluations: [unapproved.evaluation, approved.evaluation],
    rules: [...set.rules.values()].map((rule) =>
      explainedRule(rule, unapproved.matching.has(rule.id), approved.matching.has(rule.id)),
    ),
  }
}

function explainedRule(
  { id, file, line, why, effect }: RuleRef & { effect: 'permit' | 'forbid' },
  unapproved: boolean,
  approved: boolean,
): ExplainedRule {
  return { id, file, line, why, effect, unapproved, approved }
}
