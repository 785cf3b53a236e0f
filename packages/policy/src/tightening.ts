/**
 * Owns the question whether a change of policy can only ask more or refuse more. In doubt it loosens: what is not
 * shown to be a tightening here needs the operator in person.
 */
import { Autonomy } from '@countersign/contract'
import type { PolicyRule, PolicySet } from './compile.ts'

export interface ComparedPolicy {
  readonly set: PolicySet
  readonly passkeyTools: readonly string[]
}

export type Loosening =
  | { readonly kind: 'level'; readonly from: Autonomy; readonly to: Autonomy }
  /** A rule reads the level, so that nobody can tell what another level means to it. */
  | { readonly kind: 'level-read'; readonly rule: string }
  | { readonly kind: 'allows'; readonly rule: string }
  | { readonly kind: 'no-longer-forbids'; readonly rule: string }
  /** A rule that may fail makes every call fail; without it they no longer do. */
  | { readonly kind: 'no-longer-fails'; readonly rule: string }
  | { readonly kind: 'passkey'; readonly tool: string }

/** Every way in which the second may let through what the first does not. Empty for a tightening. */
export function looseningsOf(before: ComparedPolicy, after: ComparedPolicy): readonly Loosening[] {
  const [was, is] = [ownRules(before.set), ownRules(after.set)]
  const [wasTexts, isTexts] = [new Set(was.map(textOf)), new Set(is.map(textOf))]
  const added = is.filter((rule) => !wasTexts.has(textOf(rule)))
  const removed = was.filter((rule) => !isTexts.has(textOf(rule)))
  return [
    ...levelLoosenings(before.set, after.set, is),
    ...added
      .filter(({ effect }) => effect === 'permit')
      .map(({ id }) => ({ kind: 'allows' as const, rule: id })),
    ...removed.flatMap((rule): Loosening[] => {
      if (rule.effect === 'forbid') return [{ kind: 'no-longer-forbids', rule: rule.id }]
      return mayFail(rule) ? [{ kind: 'no-longer-fails', rule: rule.id }] : []
    }),
    ...before.passkeyTools
      .filter((tool) => !after.passkeyTools.includes(tool))
      .map((tool) => ({ kind: 'passkey' as const, tool })),
  ]
}

function levelLoosenings(before: PolicySet, after: PolicySet, rules: readonly PolicyRule[]): Loosening[] {
  if (before.autonomy === after.autonomy) return []
  const rank = (level: Autonomy) => Autonomy.options.indexOf(level)
  if (rank(after.autonomy) > rank(before.autonomy))
    return [{ kind: 'level', from: before.autonomy, to: after.autonomy }]
  // A bare `context` may be read as a whole, by a name that this look does not find.
  return rules
    .filter(({ text }) => /autonomy|context\s*(?!\s*\.)/.test(text))
    .map(({ id }) => ({ kind: 'level-read' as const, rule: id }))
}

/** Only arithmetic can fail in a rule that fits the schema, with numbers as with dates and whatever else has a type of its own. */
function mayFail({ text }: PolicyRule): boolean {
  return /[+*-]|\b(?:datetime|decimal|duration|ip)\b/.test(
    text.replaceAll(/"(?:\\[^]|[^"\\])*"|\/\/[^\n\r]*/g, ''),
  )
}

function ownRules({ rules }: PolicySet): PolicyRule[] {
  return [...rules.values()].filter(({ file }) => !file.startsWith('bundled/'))
}

const textOf = ({ text }: PolicyRule) => text
