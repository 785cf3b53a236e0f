/**
 * Proves that policy decides as its bundled rules read: generated calls against a second evaluator, written from
 * the rules by hand and sharing nothing with the first; then six properties under generated rules of an operator.
 */

import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Autonomy,
  type Decision,
  type Effect,
  idFrom,
  type Label,
  type Requester,
  type Resource,
  type Tier,
} from '@countersign/contract'
import {
  type CallFacts,
  type Classification,
  type ClassifyInput,
  classify,
  compilePolicies,
  decide as decideCall,
  explain,
  type PolicyFile,
  type PolicySet,
} from '@countersign/policy'
import type { Suite, SuiteOptions, SuiteResult } from '../suite.ts'

export const decide: Suite = {
  name: 'decide',
  defaultSize: 200_000,
  mutants: ['allow-first', 'ignore-forbid', 'taint-dropped', 'grant-covers-all'],
  run,
}

/** The two functions on trial; a mutant stands in for one of them. */
interface Subject {
  classify(input: ClassifyInput): Classification
  decide(facts: CallFacts, set: PolicySet): Decision
}

interface Call {
  readonly input: ClassifyInput
  readonly secrets: readonly string[]
  readonly unattended: boolean
  readonly granted: { readonly id: string } | null
}

type Random = () => number

const levels: readonly Autonomy[] = ['none', 'low', 'medium', 'high', 'full']
const shownFailures = 5
const callsPerRuleSet = 20

async function run(options: SuiteOptions): Promise<SuiteResult> {
  const { n, seed, mutant } = options
  const subject = subjectFor(mutant)
  const random = randomFrom(seed)
  const sets = levels.map((autonomy) => compiled(autonomy, []))
  const counts = { allow: 0, ask: 0, deny: 0 }
  let failures = 0
  const fail = (line: string): void => {
    failures++
    if (failures <= shownFailures) options.log(line)
  }
  // A mutant is caught by its first failures; the real thing is tried to the end.
  const goesOn = (): boolean => mutant === undefined || failures < shownFailures

  let trial = 0
  for (; trial < n && goesOn(); trial++) {
    if (trial % 1_000 === 999) await nextTurn()
    const call = generateCall(random)
    const set = pick(random, sets)
    const { decision, difference } = compare(subject, call, set)
    counts[decision.kind]++
    if (difference !== null) fail(`${difference} in ${JSON.stringify({ autonomy: set.autonomy, call })}`)
  }
  for (const set of sets) set.dispose()

  const ruleSets = Math.ceil(n / 200 / callsPerRuleSet)
  let propertyCalls = 0
  for (let at = 0; at < ruleSets && goesOn(); at++) {
    await nextTurn()
    propertyCalls += callsPerRuleSet
    for (const line of tryProperties(subject, random)) fail(line)
  }
  return { n: trial, failures, details: { ...counts, propertyCalls } }
}

function subjectFor(mutant: string | undefined): Subject {
  switch (mutant) {
    case undefined:
      return { classify, decide: decideCall }
    case 'allow-first':
      return {
        classify,
        decide(facts, set) {
          const decision = decideCall(facts, set)
          return decision.kind === 'ask' ? { ...decision, kind: 'allow' } : decision
        },
      }
    case 'ignore-forbid':
      return { classify, decide: decideByPermits }
    case 'taint-dropped': {
      const label: Label = { integrity: 'operator', confidentiality: 'public', sources: [] }
      return {
        classify: (input) => classify({ ...input, label }),
        decide: (facts, set) => decideCall({ ...facts, label }, set),
      }
    }
    case 'grant-covers-all':
      return {
        classify,
        decide(facts, set) {
          const decision = decideCall(facts, set)
          const covered = decision.kind === 'ask' && facts.granted !== null
          return covered ? { ...decision, kind: 'allow', grant: facts.granted.id } : decision
        },
      }
    default:
      throw new Error(`the decide suite has no mutant ${mutant}`)
  }
}

function decideByPermits(facts: CallFacts, set: PolicySet): Decision {
  const { decision, rules } = explain(facts, set)
  const permits = rules.filter(({ effect }) => effect === 'permit')
  if (permits.some(({ unapproved }) => unapproved)) return { ...decision, kind: 'allow' }
  return { ...decision, kind: permits.some(({ approved }) => approved) ? 'ask' : 'deny' }
}

function compare(
  subject: Subject,
  call: Call,
  set: PolicySet,
): { readonly decision: Decision; readonly difference: string | null } {
  const classification = subject.classify(call.input)
  const decision = subject.decide(factsOf(call, classification), set)
  const expected = referenceDecision(call, set.autonomy)
  const got = {
    base: classification.base,
    tier: decision.tier,
    kind: decision.kind,
    rules: decision.rules.map(({ id }) => id).toSorted(),
    grant: decision.grant ?? null,
  }
  const [is, should] = [JSON.stringify(got), JSON.stringify(expected)]
  return { decision, difference: is === should ? null : `decided ${is} where ${should} was expected` }
}

function factsOf(call: Call, classification: Classification): CallFacts {
  const { tool, effects, resources, label, requester, task } = call.input
  return {
    tool: { name: tool.name, category: tool.category },
    classification,
    effects,
    resources,
    secrets: call.secrets,
    label,
    requester,
    unattended: call.unattended,
    granted: call.granted,
    task,
  }
}

// The reference: what the tiers and the bundled rules say, in plain conditions.

function referenceTier(input: ClassifyInput): { readonly base: Tier; readonly tier: Tier } {
  let base = 0
  for (const { verb, scope, reversible, outward, leaves } of input.effects) {
    let tier = 0
    const changes = verb === 'write' || verb === 'delete'
    if (changes) tier = 1
    if (verb !== 'ask' && (verb === 'fetch' || scope !== 'inside' || leaves.length > 0)) tier = 2
    if (verb === 'send' || verb === 'execute' || verb === 'spend' || outward) tier = 3
    if (changes && scope === 'boundary') tier = 3
    if (!reversible && verb !== 'ask') tier = 3
    if (verb === 'authority') tier = 4
    base = Math.max(base, tier)
  }
  let tier = Math.max(base, input.tool.floor, input.tool.declaresEffects ? 0 : 3)
  const inner = ['private', 'loopback', 'link-local', 'other']
  let steps = input.identityFlags ? 1 : 0
  for (const resource of input.resources) {
    if (resource.type === 'exec' && resource.uninspectable && !resource.view) tier = Math.max(tier, 3)
  }
  if (input.resources.some((resource) => resource.type === 'url' && inner.includes(resource.addressClass)))
    steps++
  const tainted = input.label.integrity === 'untrusted' || input.requester.kind === 'webhook'
  const isDocument = isWritten(input.task)
  const isLook = (input.task?.look === true || input.task?.question === true) && tier + steps === 2
  if (tainted && tier + steps > (isDocument ? 1 : 0) && !isLook) steps++
  if (tier < 4) tier = Math.min(3, tier + steps)
  return { base: base as Tier, tier: tier as Tier }
}

/** The operator named it, asked for it, or nothing was there. */
function isWritten(task: ClassifyInput['task']): boolean {
  return task !== undefined && (task.fresh || task.named || task.asked !== null)
}

interface ReferenceDecision {
  readonly base: Tier
  readonly tier: Tier
  readonly kind: Decision['kind']
  readonly rules: readonly string[]
  readonly grant: string | null
}

function referenceDecision(call: Call, autonomy: Autonomy): ReferenceDecision {
  const { base, tier } = referenceTier(call.input)
  const answer = (kind: Decision['kind'], rules: readonly string[], grant: string | null = null) => ({
    base,
    tier,
    kind,
    rules: rules.toSorted(),
    grant,
  })
  const without = referenceRules(call, tier, autonomy, { approved: false, granted: false })
  if (without.forbids.length === 0 && without.permits.length > 0) return answer('allow', without.permits)

  const isOwnWork = call.input.label.integrity !== 'untrusted' && call.secrets.length === 0
  const granted = call.granted !== null && tier < 3 && isOwnWork
  const standing = referenceRules(call, tier, autonomy, { approved: false, granted })
  if (call.granted !== null && granted && standing.forbids.length === 0 && standing.permits.length > 0) {
    return answer('allow', standing.permits, call.granted.id)
  }
  const approved = referenceRules(call, tier, autonomy, { approved: true, granted })
  if (approved.forbids.length > 0) return answer('deny', approved.forbids)
  return answer('ask', standing.forbids.length > 0 ? standing.forbids : approved.permits)
}

function referenceRules(
  { input, secrets, unattended }: Call,
  tier: Tier,
  autonomy: Autonomy,
  consent: { readonly approved: boolean; readonly granted: boolean },
): { readonly permits: readonly string[]; readonly forbids: readonly string[] } {
  const { integrity, confidentiality } = input.label
  const who = input.requester.kind
  const verbs = input.effects.map(({ verb }) => verb)
  const looks = verbs.some((verb) => verb === 'read' || verb === 'list' || verb === 'fetch')
  const changes = verbs.some((verb) => ['write', 'delete', 'execute', 'spend', 'authority'].includes(verb))
  const leaves = input.effects.some(
    ({ verb, outward, leaves: what }) => outward || what.length > 0 || verb === 'fetch' || verb === 'send',
  )
  const blind = input.resources.some(
    (resource) => resource.type === 'exec' && resource.uninspectable && !resource.view,
  )
  const idle = tier === 0 && !looks && !changes && !leaves

  const permits: string[] = []
  if (consent.approved) permits.push('base.approval')
  if (consent.granted) permits.push('base.grant')
  if (idle) permits.push('base.question')
  const free = { none: -1, low: 0, medium: 1, high: 2, full: 3 }[autonomy]
  if (tier <= free) permits.push(`level.${autonomy}`)
  const isPlainLook = input.task?.look === true && confidentiality === 'public' && secrets.length === 0
  if (autonomy === 'medium' && tier === 2 && isPlainLook) permits.push('level.medium-look')
  const isSaid = input.task?.question === true && tier === 2
  if (autonomy === 'medium' && isSaid && confidentiality !== 'secret' && secrets.length === 0)
    permits.push('level.medium-question')
  const isReader = input.task?.reader === true && tier === 2
  if (isReader && confidentiality === 'public' && secrets.length === 0) permits.push('base.reader')

  const forbids: string[] = []
  if (blind && leaves) forbids.push('base.uninspectable-network')
  if (tier === 4 && (who === 'peer' || who === 'webhook')) forbids.push('base.critical-requester')
  if (!consent.approved) {
    if (tier === 4) forbids.push('base.critical')
    if (blind) forbids.push('base.uninspectable')
    if (secrets.length > 0) forbids.push('base.secret-used')
    if (confidentiality === 'secret' && leaves) forbids.push('base.secret-leaves')
    if (integrity === 'untrusted') {
      const isDocument = isWritten(input.task)
      const isMild = isDocument && tier < 2 && !leaves
      const isLetThrough = (isMild || isSaid) && confidentiality === 'private'
      if (confidentiality !== 'public' && (leaves || changes) && !isLetThrough)
        forbids.push('base.rule-of-two')
      if (tier > 2) forbids.push('base.untrusted-outward')
    }
    if (!consent.granted) {
      if (confidentiality === 'private' && leaves && integrity !== 'untrusted' && !isSaid)
        forbids.push('base.private-leaves')
      if (input.resources.some(isLookOutside)) forbids.push('base.outside')
      if (unattended && tier > 1 && !isReader) forbids.push('base.unattended')
      if ((who === 'peer' || who === 'webhook') && tier > 0 && !isReader) forbids.push(`base.${who}`)
      if (who === 'schedule' && tier > 1 && !isReader) forbids.push('base.schedule')
    }
    if (autonomy === 'none' && !idle && !isReader) forbids.push('level.none')
  }
  return { permits, forbids }
}

function isLookOutside(resource: Resource): boolean {
  return resource.type === 'file' && resource.root === 'host' && ['read', 'list'].includes(resource.op)
}

// The properties.

const rank = { deny: 0, ask: 1, allow: 2 } as const

function tryProperties(subject: Subject, random: Random): readonly string[] {
  const broken: string[] = []
  const autonomy = pick(random, levels)
  const files = Array.from({ length: 1 + below(random, 3) }, (_, at) =>
    ruleFile(`given-${at}`, generateRule(random)),
  )
  const tightening = ruleFile('added', generateTightening(random))
  const given = compiled(autonomy, files)
  const shuffled = compiled(autonomy, files.toReversed())
  const tightened = compiled(autonomy, [...files, tightening])
  const forbidden = compiled(autonomy, [...files, ruleFile('stop', 'forbid (principal, action, resource);')])
  const failing = compiled(autonomy, [...files, ruleFile('overflow', overflowingRule)])
  const about = JSON.stringify({ autonomy, rules: [...files, tightening].map(({ text }) => text) })

  if (shuffled.hash !== given.hash) broken.push(`order changed the hash of ${about}`)
  for (let at = 0; at < callsPerRuleSet; at++) {
    const call = generateCall(random)
    const facts = factsOf(call, subject.classify(call.input))
    const decision = subject.decide(facts, given)
    const expect = (holds: boolean, property: string): void => {
      if (!holds) broken.push(`${property}: ${about} ${JSON.stringify(call)}`)
    }
    expect(sameDecision(subject.decide(facts, shuffled), decision), 'order of files changed a decision')
    expect(
      rank[subject.decide(facts, tightened).kind] <= rank[decision.kind],
      'an added forbid or ask rule allowed more',
    )
    expect(subject.decide(facts, forbidden).kind === 'deny', 'a permit won over a forbid')
    expect(subject.decide(facts, failing).kind === 'deny', 'a rule that failed to evaluate did not deny')
    expect(
      decision.kind === 'deny' || decision.rules.length > 0,
      'something other than a denial came about without a rule',
    )
    expect(subject.decide(damaged(random, facts), given).kind === 'deny', 'damaged facts did not deny')
  }
  for (const set of [given, shuffled, tightened, forbidden, failing]) set.dispose()
  return broken
}

function sameDecision(left: Decision, right: Decision): boolean {
  const ids = ({ rules }: Decision) => rules.map(({ id }) => id).toSorted()
  return left.kind === right.kind && JSON.stringify(ids(left)) === JSON.stringify(ids(right))
}

const overflowingRule =
  'forbid (principal, action, resource) when { (context.tier + 2) * 9223372036854775807 < 0 };'

const conditions = [
  'context.reads',
  'context.changes',
  '!context.egress',
  'context.outward',
  'context.irreversible',
  'context.uninspectable',
  'context.unattended',
  'context.granted',
  'context.tier >= 1',
  'context.tier == 2',
  'context.tier < 3',
  'context.integrity == "untrusted"',
  'context.confidentiality != "public"',
  'context.autonomy == "full"',
  'context.hosts.contains("example.org")',
  'context.folders.contains("/home/me")',
  'context.outside',
  'context.secrets.contains("secret-1")',
  'context.methods.containsAny(["POST", "PUT"])',
  'principal in RequesterKind::"peer"',
  'principal == Requester::"requester-1"',
  'resource in Category::"system"',
  'resource == Tool::"tool-2"',
]

export function generateRule(random: Random): string {
  return below(random, 2) === 0 ? `permit ${generateBody(random)};` : generateTightening(random)
}

function generateTightening(random: Random): string {
  const body = `forbid ${generateBody(random)}`
  return below(random, 2) === 0 ? `${body};` : `${body} unless { context.approved };`
}

function generateBody(random: Random): string {
  const parts = Array.from({ length: 1 + below(random, 3) }, () => pick(random, conditions))
  return `(principal, action, resource) when { ${parts.join(pick(random, [' && ', ' || ']))} }`
}

function ruleFile(name: string, rule: string): PolicyFile {
  return { name: `${name}.cedar`, text: `@id("${name}") ${rule}` }
}

function damaged(random: Random, facts: CallFacts): CallFacts {
  const damage: Record<string, unknown>[] = [
    { effects: null },
    { resources: undefined },
    { label: {} },
    { requester: { kind: 'operator', id: 7 } },
    { tool: { name: '\udc00', category: 'system' } },
    { classification: { tier: 'low', base: 0, raised: [] } },
    { unattended: 'no' },
    { requester: { kind: 'cousin', id: 'requester-1' } },
    { label: { ...facts.label, integrity: 'splendid' } },
    { effects: [{ ...facts.effects[0], verb: 'vanish' }] },
    { resources: [{ type: 'moon' }] },
  ]
  return { ...facts, ...pick(random, damage) } as CallFacts
}

function compiled(autonomy: Autonomy, files: readonly PolicyFile[]): PolicySet {
  const result = compilePolicies({ autonomy, files })
  if (result.kind === 'invalid') throw new Error(`rules do not compile: ${JSON.stringify(result.problems)}`)
  return result.set
}

// The calls.

const verbs: readonly Effect['verb'][] = [
  'read',
  'list',
  'write',
  'delete',
  'fetch',
  'send',
  'execute',
  'spend',
  'ask',
  'authority',
]
const hash = '0'.repeat(64)

export function generateCall(random: Random): Call {
  const declaresEffects = below(random, 10) > 0
  return {
    input: {
      tool: {
        name: `tool-${below(random, 5)}`,
        category: pick(random, ['file_read', 'file_write', 'network_read', 'system', 'custom']),
        floor: pick<Tier>(random, [0, 0, 0, 0, 0, 1, 2, 3, 4]),
        declaresEffects,
      },
      effects: Array.from({ length: pick(random, [0, 1, 1, 1, 2, 3]) }, () => generateEffect(random)),
      resources: Array.from({ length: pick(random, [0, 1, 1, 2]) }, () => generateResource(random)),
      label: {
        integrity: pick<Label['integrity']>(random, ['operator', 'paired', 'tool', 'untrusted']),
        confidentiality: pick<Label['confidentiality']>(random, ['public', 'private', 'secret']),
        sources: [],
      },
      requester: {
        kind: pick<Requester['kind']>(random, ['operator', 'operator', 'peer', 'schedule', 'webhook']),
        id: `requester-${below(random, 3)}`,
      },
      identityFlags: below(random, 10) === 0,
      task: {
        fresh: below(random, 4) === 0,
        named: below(random, 6) === 0,
        look: below(random, 4) === 0,
        question: below(random, 5) === 0,
        // Where the question comes from decides nothing here: whether its list stands is looked at the door.
        listed: null,
        reader: below(random, 5) === 0,
        asked: below(random, 6) === 0 ? { plan: 'ask', item: 0, count: 1, words: 'change files' } : null,
        // It decides nothing here: what would ask is held at the door.
        unasked: below(random, 6) === 0 ? 'ask' : null,
      },
    },
    secrets: below(random, 6) === 0 ? [`secret-${below(random, 3)}`] : [],
    unattended: below(random, 3) === 0,
    granted: below(random, 3) === 0 ? { id: `grant-${below(random, 9)}` } : null,
  }
}

/** Mostly mild, since one harsh effect hides all that stands beside it. */
function generateEffect(random: Random): Effect {
  return {
    verb:
      below(random, 2) === 0
        ? pick(random, ['read', 'list', 'write', 'fetch', 'ask'] as const)
        : pick(random, verbs),
    object: 'something',
    scope: below(random, 4) === 0 ? 'boundary' : 'inside',
    reversible: below(random, 5) > 0,
    outward: below(random, 8) === 0,
    leaves: below(random, 6) === 0 ? ['a text'] : [],
  }
}

function generateResource(random: Random): Resource {
  switch (below(random, 5)) {
    case 0:
      return {
        type: 'url',
        scheme: 'https',
        host: pick(random, ['example.org', 'example.com', '10.0.0.1']),
        port: 443,
        method: pick(random, ['GET', 'POST']),
        addressClass: pick(random, ['name', 'public', 'private', 'loopback', 'link-local', 'other'] as const),
        redirects: 'refused',
        carries: 'address',
      }
    case 1:
      return {
        type: 'exec',
        path: '/usr/bin/make',
        content: hash,
        argv: ['make'],
        cwd: '/',
        environment: hash,
        uninspectable: below(random, 2) === 0,
        view: below(random, 2) === 0 ? { named: [], needs: [], below: false } : null,
      }
    case 2:
      return { type: 'peer', channel: 'mail', account: 'me', peer: 'bob' }
    case 3:
      return {
        type: 'node',
        node: idFrom('node', hash.slice(0, 32)),
        executor: idFrom('exe', hash.slice(0, 32)),
        key: hash,
        name: 'laptop',
        capability: 'camera',
        op: 'read',
        object: '',
        content: null,
      }
    default:
      return {
        type: 'file',
        root: pick(random, ['workspace', 'host'] as const),
        path: pick(random, ['/home/me/notes/a.txt', '/etc/hosts', 'a.txt', '/', '']),
        op: pick(random, ['read', 'list', 'write', 'delete'] as const),
        identity: 'absent',
        content: null,
      }
  }
}

function pick<T>(random: Random, some: readonly T[]): T {
  return some[below(random, some.length)] as T
}

function below(random: Random, limit: number): number {
  return Math.floor(random() * limit)
}

/** Mulberry32: small, fast and the same everywhere. */
function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
