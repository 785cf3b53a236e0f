/** Owns the one sentence that says why. Speaks from effects and rules, never from words of a model. */
import type { Effect } from '@countersign/contract'
import { floorClause, tierOfEffect } from './classify.ts'
import type { PolicyRule } from './compile.ts'
import type { CallFacts, WorkFacts } from './facts.ts'

export function allowedBecause(facts: CallFacts, byGrant: boolean): string {
  const effect = worstEffect(facts.effects)
  const doing =
    taskClause(facts) ?? (effect === undefined ? 'it touches nothing' : doingOfAll(facts.effects, effect))
  return byGrant ? `Allowed by your grant: ${doing}.` : `Allowed: ${doing}.`
}

/** Why it runs although it crosses a boundary, or strangers' words may have led to it. */
function taskClause({ task, label }: CallFacts): string | undefined {
  if (task?.reader) return 'looking at a public page, with nothing known but one question'
  if (task?.listed) return 'asking the web what your words alone ask for, and nothing else leaves'
  if (task?.question) return 'asking the web in words that you said, and nothing else leaves'
  if (task?.look) return 'looking at a public page, with nothing private in reach'
  if (label.integrity !== 'untrusted') return undefined
  if (task?.fresh) return 'making a new document, with nothing changed that was there before'
  if (task?.named) return 'writing a document that you named, which can be undone'
  if (task?.asked) return `asked for in your words: ${task.asked.words}`
  return undefined
}

/** A forbid that an approval lifts says why by itself; where no rule spoke, the call does. */
export function asksBecause(facts: CallFacts, forbid: PolicyRule | undefined): string {
  if (forbid !== undefined) return asking(clauseOf(forbid))
  const raised = facts.classification.raised.at(-1)
  if (raised !== undefined)
    return asking(
      raised === floorClause(facts.classification.tier) ? 'this kind of action always asks' : raised,
    )
  const effect = worstEffect(facts.effects)
  return asking(effect === undefined ? 'nothing you set up allows this, so it asks' : concernOf(effect))
}

export function deniedBecause(forbid: PolicyRule | undefined): string {
  return sentence('Denied', forbid === undefined ? 'no rule allows it' : clauseOf(forbid))
}

/** A rule about somebody else holds, because the work is theirs. */
export function heldToOrigin(reason: string, origin: WorkFacts | undefined): string {
  return origin === undefined
    ? reason
    : `${reason} This holds because the agent ${origin.agent} began the work in ${origin.session}.`
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

/** To take something away here and put it there is one act. */
function doingOfAll(effects: readonly Effect[], worst: Effect): string {
  const does = (verb: Effect['verb']) =>
    effects.some((effect) => effect.verb === verb && tierOfEffect(effect) === tierOfEffect(worst))
  return does('delete') && does('write') ? `moving or replacing ${changed[worst.scope]}` : doingOf(worst)
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
      return `${doingOf(effect)} asks at this autonomy level`
  }
}

function clauseOf(rule: PolicyRule): string {
  return rule.why === '' ? `rule ${rule.id}` : rule.why
}

function asking(clause: string): string {
  const words = clause.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}

function sentence(opening: string, clause: string): string {
  return `${opening}: ${clause.replaceAll(/\s+/g, ' ').trim().replace(/\.$/, '')}.`
}

const changed: Readonly<Record<Effect['scope'], string>> = {
  inside: 'inside the workspace',
  opened: 'what other users of this machine get at',
  'host-run': 'what a program of this machine runs when you start it',
  boundary: 'what acts outside the workspace',
}
