/** Owns reading a rule as a sentence. What it has no words for is shown as it is written, never left out. */
import type { Language, RuleEffect } from '@countersign/contract'
import type { PolicyRule } from './compile.ts'
import { parseRule } from './engine.ts'
import { type RuleWords, ruleWords } from './rule-words.ts'
import type { Loosening } from './tightening.ts'

export interface SaidRule {
  readonly effect: RuleEffect
  readonly sentence: string
}

type Json = Readonly<Record<string, unknown>>

export function sayRule(rule: PolicyRule, language: Language = 'en'): SaidRule {
  const words = ruleWords[language]
  const parsed = parseRule(rule.text)
  if (parsed.kind === 'invalid') return { effect: 'refuse', sentence: words.asWritten(rule.text) }
  const json = parsed.json as unknown as Json
  const conditions = json['conditions'] as readonly { readonly kind: string; readonly body: unknown }[]
  const lifted = rule.effect === 'forbid' && conditions.some(isLiftedByApproval)
  const effect: RuleEffect = rule.effect === 'permit' ? 'allow' : lifted ? 'ask' : 'refuse'
  const start = words[effect](subjectOf(json, words))
  const said = conditions.reduce((clause, { kind, body }) => {
    if (lifted && kind === 'unless') {
      // That an approval lifts it is what asking means; what else lifts it is said.
      const others = partsOf('||', body).filter((part) => attributeOf(part) !== 'approved')
      return others.length === 0
        ? clause
        : words.unless(clause, others.map((part) => clauseOf(part, words)).join(words.or))
    }
    return words[kind === 'when' ? 'when' : 'unless'](clause, clauseOf(body, words))
  }, start)
  const isHandedOn = rule.effect === 'forbid' && namesWork(conditions)
  return { effect, sentence: isHandedOn ? `${said}. ${words.handedOn}` : `${said}.` }
}

/** Such a forbid holds for whoever began the work, too. */
function namesWork(conditions: unknown): boolean {
  return /\{"left":\{"Var":"context"\},"attr":"(?:agent|goal|session)"\}/.test(JSON.stringify(conditions))
}

export function sayLoosening(loosening: Loosening, language: Language = 'en'): string {
  const { loosenings } = ruleWords[language]
  switch (loosening.kind) {
    case 'level':
      return loosenings.level(loosening.from, loosening.to)
    case 'passkey':
      return loosenings.passkey(loosening.tool)
    default:
      return loosenings[loosening.kind](loosening.rule)
  }
}

function isLiftedByApproval({ kind, body }: { readonly kind: string; readonly body: unknown }): boolean {
  return kind === 'unless' && partsOf('||', body).some((part) => attributeOf(part) === 'approved')
}

function subjectOf(json: Json, words: RuleWords): string {
  const resource = scopeOf(json['resource'])
  const principal = scopeOf(json['principal'])
  const what =
    resource === null
      ? words.anything
      : resource.type === 'Category'
        ? words.category(resource.id)
        : words.tool(resource.id)
  if (principal === null) return what
  const who =
    principal.type === 'RequesterKind' ? words.requesters[principal.id] : words.requester(principal.id)
  return words.by(what, who ?? words.requester(principal.id))
}

interface Named {
  readonly type: string
  readonly id: string
}

function scopeOf(scope: unknown): Named | null {
  const { entity } = (scope ?? {}) as { readonly entity?: Named }
  return entity ?? null
}

/** The parts of a chain of the same operator. */
function partsOf(operator: '&&' | '||', node: unknown): readonly unknown[] {
  const pair = (node as Json)[operator] as { readonly left: unknown; readonly right: unknown } | undefined
  return pair ? [...partsOf(operator, pair.left), ...partsOf(operator, pair.right)] : [node]
}

function attributeOf(node: unknown): string | null {
  const access = (node as Json)['.'] as { readonly left: Json; readonly attr: string } | undefined
  return access && access.left['Var'] === 'context' ? access.attr : null
}

function clauseOf(node: unknown, words: RuleWords): string {
  for (const [operator, join] of [
    ['&&', words.and],
    ['||', words.or],
  ] as const) {
    const parts = partsOf(operator, node)
    if (parts.length > 1) return parts.map((part) => bracketed(part, operator, words)).join(join)
  }
  const attribute = attributeOf(node)
  const flag = attribute === null ? undefined : words.flags[attribute]
  const said = flag ?? emptyOf(node, words)
  if (said) return said[0]
  return (
    negationOf(node, words) ??
    comparisonOf(node, words) ??
    setOf(node, words) ??
    whoOf(node, words) ??
    asWritten(node, words)
  )
}

/** Where both operators meet, brackets say which goes first. */
function bracketed(part: unknown, within: '&&' | '||', words: RuleWords): string {
  const said = clauseOf(part, words)
  return partsOf(within === '&&' ? '||' : '&&', part).length > 1 ? `(${said})` : said
}

function negationOf(node: unknown, words: RuleWords): string | null {
  const negated = (node as Json)['!'] as { readonly arg: unknown } | undefined
  if (!negated) return null
  const attribute = attributeOf(negated.arg)
  const flag = (attribute === null ? undefined : words.flags[attribute]) ?? emptyOf(negated.arg, words)
  return flag ? flag[1] : words.not(clauseOf(negated.arg, words))
}

function emptyOf(node: unknown, words: RuleWords): readonly [string, string] | undefined {
  const asked = (node as Json)['isEmpty'] as { readonly arg: unknown } | undefined
  return asked && words.empties[attributeOf(asked.arg) ?? '']
}

function comparisonOf(node: unknown, words: RuleWords): string | null {
  for (const comparison of ['<=', '<', '>=', '>', '==', '!=']) {
    const pair = (node as Json)[comparison] as { readonly left: unknown; readonly right: unknown } | undefined
    if (!pair) continue
    const attribute = attributeOf(pair.left)
    const value = valueOf(pair.right)
    if (attribute === null || value === null) return null
    if (attribute === 'tier') return words.tier(comparison, words.tiers[Number(value)] ?? value)
    const name = words.attributes[attribute]
    if (name === undefined) return null
    if ('Set' in (pair.right as Json)) return comparison === '==' ? words.only(name, value) : null
    if (comparison === '==') return words.is(name, value)
    return comparison === '!=' ? words.isNot(name, value) : null
  }
  return null
}

function setOf(node: unknown, words: RuleWords): string | null {
  for (const method of ['contains', 'containsAny']) {
    const pair = (node as Json)[method] as { readonly left: unknown; readonly right: unknown } | undefined
    if (!pair) continue
    const name = words.attributes[attributeOf(pair.left) ?? '']
    const value = valueOf(pair.right, words.or)
    return name === undefined || value === null ? null : words.contains(name, value)
  }
  return null
}

function whoOf(node: unknown, words: RuleWords): string | null {
  const pair = (node as Json)['in'] as { readonly left: Json; readonly right: Json } | undefined
  const kind = (pair?.right['Value'] as { readonly __entity?: Named } | undefined)?.__entity
  const who = pair?.left['Var'] === 'principal' && kind ? words.requesters[kind.id] : undefined
  return who === undefined ? null : words.asked(who)
}

function valueOf(node: unknown, join = ', '): string | null {
  const { Value: value, Set: set } = node as { readonly Value?: unknown; readonly Set?: readonly unknown[] }
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (!Array.isArray(set)) return null
  const parts = set.map((each) => valueOf(each))
  return parts.every((part) => part !== null) ? parts.join(join) : null
}

function asWritten(node: unknown, words: RuleWords): string {
  return words.asWritten(JSON.stringify(node))
}
