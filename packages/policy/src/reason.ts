/** Owns the one sentence that says why. Speaks from effects and rules, never from words of a model. */
import type { Effect } from '@countersign/contract'
import { tierOfEffect } from './classify.ts'
import type { PolicyRule } from './compile.ts'
import type { CallFacts } from './facts.ts'

export function allowedBecause(facts: CallFacts, byGrant: boolean): string {
  const effect = worstEffect(facts.effects)
  const doing = effect === undefined ? 'it touches nothing' : doingOf(effect)
  return byGrant ? `Allowed by your grant: ${doing}.` : `Allowed: ${doing}.`
}

/** A forbid that an approval lifts says why by itself; where no rule spoke, the call does. */
export function asksBecause(facts: CallFacts, forbid: PolicyRule | undefined): string {
  if (forbid !== undefined) return sentence('Asks', clauseOf(forbid))
  const raised = facts.classification.raised.at(-1)
  if (raised !== undefined) return sentence('Asks', raised)
  const effect = worstEffect(facts.effects)
  return sentence('Asks', effect === undefined ? 'no rule allows it freely' : concernOf(effect))
}

export function deniedBecause(forbid: PolicyRule | undefined): string {
  return sentence('Denied', forbid === undefined ? 'no rule allows it' : clauseOf(forbid))
}

export function failedBecause(message: string): string {
  return sentence('Denied', `policy could not be evaluated (${message})`)
}

function worstEffect(effects: readonly Effect[]): Effect | undefined {
  let worst: Effect | undefined
  for (const effect of effects) {
    if (worst === undefined || tierOfEffect(effect) > tierOfEffect(worst)) worst = effect
  }
  return worst
}

function doingOf(effect: Effect): string {
  const where = effect.scope === 'boundary' ? 'outside the workspace' : 'inside the workspace'
  const what = changed[effect.scope]
  switch (effect.verb) {
    case 'read':
      return `reading ${where}`
    case 'list':
      return `listing ${where}`
    case 'write':
      return `writing ${what}`
    case 'delete':
      return `deleting ${what}`
    case 'fetch':
      return 'fetching from another host'
    case 'send':
      return 'sending to somebody else'
    case 'execute':
      return 'running a command'
    case 'spend':
      return 'spending money'
    case 'ask':
      return 'asking you a question'
    case 'authority':
      return 'opening a credential or changing who is in charge'
  }
}

function concernOf(effect: Effect): string {
  switch (effect.verb) {
    case 'send':
      return 'somebody else will see what is sent'
    case 'execute':
      return 'running a command cannot be undone'
    case 'spend':
      return 'money that is spent does not come back'
    case 'authority':
      return 'this hands out authority of yours'
    case 'ask':
      return 'somebody else will see the question'
    case 'fetch':
      return effect.outward ? 'somebody else will see it' : 'it reaches another host'
    case 'read':
    case 'list':
    case 'write':
    case 'delete':
      if (effect.outward) return 'somebody else will see it'
      if (!effect.reversible) return `${doingOf(effect)} cannot be undone`
      if (effect.leaves.length > 0) return 'something leaves this machine'
      return `${doingOf(effect)} is not free at this autonomy level`
  }
}

function clauseOf(rule: PolicyRule): string {
  return rule.why === '' ? `rule ${rule.id}` : rule.why
}

function sentence(opening: string, clause: string): string {
  return `${opening}: ${clause.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')}.`
}

const changed: Readonly<Record<Effect['scope'], string>> = {
  inside: 'inside the workspace',
  'host-run': 'what a program of this machine runs when you start it',
  boundary: 'what acts outside the workspace',
}
