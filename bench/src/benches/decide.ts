/**
 * Policy's decision against the bare engine. The bare side gets the very requests that the decision makes, already
 * built, and only evaluates them: one for what is allowed as it stands, two for what asks or is denied.
 */
import * as cedar from '@cedar-policy/cedar-wasm/nodejs'
import type { Autonomy, Decision, Effect, Resource } from '@countersign/contract'
import {
  type CallFacts,
  classify,
  compilePolicies,
  decide as decideCall,
  type PolicySet,
} from '@countersign/policy'
import type { Bench, BenchOptions, BenchResult, Goal } from '../bench.ts'
import { median, rounded } from '../sample.ts'

export const decide: Bench = {
  name: 'decide',
  about: 'decisions/s, against the same evaluations on bare cedar-wasm',
  run: ({ small, note }) => Promise.resolve(measure(small, note)),
}

type EngineRequest = Parameters<PolicySet['evaluate']>[0]

interface Call {
  readonly facts: CallFacts
  readonly requests: readonly EngineRequest[]
}

const bareName = 'bare'
const autonomy: Autonomy = 'medium'

function measure(small: boolean, note: BenchOptions['note']): BenchResult {
  const set = compiled()
  preparseBare(set)
  const calls = {
    allow: callOf('allow', 'read_file', [effect({ verb: 'read' })], [file('read')], set),
    ask: callOf('ask', 'write_file', [effect({ verb: 'write', reversible: false })], [file('write')], set),
    deny: callOf(
      'deny',
      'execute_shell',
      [effect({ verb: 'execute', reversible: false, leaves: ['anything'] })],
      [shell],
      set,
    ),
  }
  const mixes = { ...calls, mixed: [calls.allow, calls.ask, calls.deny, calls.allow] }
  const size = small ? { rounds: 41, repeats: 60 } : { rounds: 201, repeats: 100 }
  const results = Object.entries(mixes).map(([name, mix]) => {
    const result = compare([mix].flat(), set, size)
    note(`decide ${name}: ${result.decisionsPerSecond}/s, ratio ${result.ratio}`)
    return [name, result] as const
  })
  set.dispose()
  return {
    figures: { ...Object.fromEntries(results), autonomy, rules: set.rules.size },
    goals: results.map(
      ([name, { ratio }]): Goal => ({
        name: `${name}.ratio`,
        value: ratio,
        kind: 'ratio',
        limit: { atLeast: 0.7 },
      }),
    ),
  }
}

function compare(calls: readonly Call[], set: PolicySet, size: { rounds: number; repeats: number }) {
  let asked = 0
  /** Every call is another person's, because a set remembers what it was asked before. */
  const ours = () => {
    let denied = 0
    for (let index = 0; index < size.repeats; index += 1)
      for (const { facts } of calls) {
        asked += 1
        const requester = { ...facts.requester, id: `operator-${asked}` }
        if (decideCall({ ...facts, requester }, set).kind === 'deny') denied += 1
      }
    return denied
  }
  const again = () => {
    let denied = 0
    for (let index = 0; index < size.repeats; index += 1)
      for (const { facts } of calls) if (decideCall(facts, set).kind === 'deny') denied += 1
    return denied
  }
  const bare = () => {
    let refused = 0
    for (let index = 0; index < size.repeats; index += 1)
      for (const call of calls) for (const request of call.requests) if (!isPermitted(request)) refused += 1
    return refused
  }
  const pairs = Array.from({ length: size.rounds + 1 }, () => ({
    ours: elapsed(ours),
    bare: elapsed(bare),
  })).slice(1)
  const decisions = size.repeats * calls.length
  return {
    decisionsPerSecond: rounded((decisions / median(pairs.map((pair) => pair.ours))) * 1_000),
    rememberedPerSecond: rounded((decisions / median([1, 2, 3].map(() => elapsed(again)))) * 1_000),
    barePerSecond: rounded((decisions / median(pairs.map((pair) => pair.bare))) * 1_000),
    ratio: rounded(median(pairs.map((pair) => pair.bare / pair.ours))),
  }
}

function elapsed(work: () => number): number {
  const began = performance.now()
  work()
  return performance.now() - began
}

function isPermitted(request: EngineRequest): boolean {
  const answer = cedar.statefulIsAuthorized({
    principal: request.principal,
    action: { type: 'Action', id: 'call' },
    resource: request.resource,
    context: request.context,
    preparsedPolicySetId: bareName,
    entities: request.entities,
  })
  if (answer.type === 'failure') throw new Error(answer.errors[0]?.message ?? 'The bare engine failed.')
  return answer.response.decision === 'allow'
}

function preparseBare(set: PolicySet): void {
  const staticPolicies = Object.fromEntries([...set.rules.values()].map((rule) => [rule.id, rule.text]))
  const answer = cedar.preparsePolicySet(bareName, { staticPolicies })
  if (answer.type === 'failure') throw new Error(answer.errors[0]?.message ?? 'The bare engine has no rules.')
}

function compiled(): PolicySet {
  const result = compilePolicies({ autonomy, files: [] })
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.problems))
  return result.set
}

/** Decides once to see which requests are made, and that the decision is the one that the mix is named after. */
function callOf(
  expected: Decision['kind'],
  name: string,
  effects: readonly Effect[],
  resources: readonly Resource[],
  set: PolicySet,
): Call {
  const tool = { name, category: 'files', floor: 0 as const, declaresEffects: true }
  const label = { integrity: 'operator' as const, confidentiality: 'private' as const, sources: [] }
  const requester = { kind: 'operator' as const, id: 'operator' }
  const shared = { tool, effects, resources, label, requester }
  const classification = classify({ ...shared, identityFlags: false })
  const facts: CallFacts = { ...shared, secrets: [], classification, unattended: false, granted: null }
  const requests: EngineRequest[] = []
  const watched: PolicySet = {
    ...set,
    evaluate: (request) => {
      requests.push(structuredClone(request))
      return set.evaluate(request)
    },
  }
  const { kind, reason } = decideCall(facts, watched)
  if (kind !== expected) throw new Error(`${name} should ${expected} and does not: ${reason}`)
  return { facts, requests }
}

function effect(changes: Partial<Effect> & Pick<Effect, 'verb'>): Effect {
  return { object: 'notes/a.txt', scope: 'inside', reversible: true, outward: false, leaves: [], ...changes }
}

function file(op: 'read' | 'write'): Resource {
  const path = '/home/operator/workspace/notes/a.txt'
  return { type: 'file', root: 'workspace', path, op, identity: 'absent', content: null }
}

const shell: Resource = {
  type: 'exec',
  path: '/bin/sh',
  content: '0'.repeat(64),
  argv: ['sh', '-c', 'make'],
  cwd: '/home/operator/workspace',
  environment: '0'.repeat(64),
  uninspectable: true,
  view: null,
}
