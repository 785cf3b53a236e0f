/**
 * Owns for whom a call is made besides its run: whoever began the work. Adds questions, so that what is forbidden to one
 * of them is forbidden to the work that they hand on.
 */
import type { CallFacts } from './facts.ts'
import type { RuleNeeds } from './needs.ts'

/** The same call as each of them would make it; nothing where no rule asks who makes it. */
export function withOrigins(
  facts: CallFacts,
  { attributes }: Pick<RuleNeeds, 'attributes'>,
): readonly CallFacts[] {
  const isAsked = attributes === 'all' || ['agent', 'goal', 'session'].some((name) => attributes.has(name))
  return isAsked ? (facts.work?.origins ?? []).map((work) => ({ ...facts, work })) : []
}
