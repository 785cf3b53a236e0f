/** A remembered answer is the answer that the engine would give to the whole call, for any rules and after any change. */
import type { Autonomy, Label, Requester } from '@countersign/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { PolicySet } from './compile.ts'
import { decide } from './decide.ts'
import { loadRules } from './engine.ts'
import type { CallFacts } from './facts.ts'
import { autonomies, callOf, type ShapeName, setOf, shapes } from './testing/calls.ts'

/** Everything that the schema knows, in heads and conditions, read in every way that Cedar has. */
const conditions = fc
  .array(
    fc.constantFrom(
      'context.tier + 1 > 2',
      'context.tier <= 2',
      'context["autonomy"] == "high"',
      'context.integrity != "operator"',
      'context.confidentiality == "secret"',
      'context.unattended',
      'context.reads == context.changes',
      'context.egress || context.outward',
      'context.irreversible',
      'context.uninspectable',
      'context.outside',
      'context.secrets.isEmpty()',
      'context.hosts.contains("example.org")',
      'context.paths.containsAny(["notes/a.md", "/etc/hosts"])',
      'context.folders.contains("/etc")',
      'context.methods == ["GET"]',
      'context has hosts && context.hosts.isEmpty()',
      '(if context.granted then context.reads else context.approved)',
      'principal == Requester::"webhook-7"',
      'principal is Requester in RequesterKind::"peer"',
      '[RequesterKind::"schedule", RequesterKind::"webhook"].contains(RequesterKind::"peer") || principal in [RequesterKind::"schedule"]',
      'resource == Tool::"second"',
      'resource in [Category::"system", Category::"custom"]',
      'resource is Tool in Category::"network_read"',
      '[Tool::"first", Tool::"third"].contains(resource)',
      '{of: resource, by: principal} == {of: Tool::"first", by: Requester::"operator"}',
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.map((part) => `(${part})`).join(' && '))

const heads = fc.constantFrom(
  '(principal, action, resource)',
  '(principal == Requester::"webhook-7", action, resource)',
  '(principal in RequesterKind::"peer", action, resource)',
  '(principal, action, resource == Tool::"third")',
  '(principal, action, resource in Category::"file_write")',
)

const rules = fc.array(
  fc
    .tuple(fc.constantFrom('permit', 'forbid'), heads, conditions, fc.boolean())
    .map(
      ([effect, head, when, asks]) =>
        `${effect} ${head} when { ${when} }${asks ? ' unless { context.approved }' : ''};`,
    ),
  { maxLength: 4 },
)

const calls: fc.Arbitrary<CallFacts> = fc
  .record({
    shape: fc.constantFrom(...(Object.keys(shapes) as ShapeName[])),
    tool: fc.constantFrom('first', 'second', 'third'),
    requesterId: fc.constantFrom('operator', 'webhook-7', 'peer'),
    integrity: fc.constantFrom<Label['integrity']>('operator', 'paired', 'tool', 'untrusted'),
    confidentiality: fc.constantFrom<Label['confidentiality']>('public', 'private', 'secret'),
    requester: fc.constantFrom<Requester['kind']>('operator', 'peer', 'schedule', 'webhook'),
    unattended: fc.boolean(),
    granted: fc.boolean(),
    identityFlags: fc.boolean(),
  })
  .map(({ shape, tool, requesterId, integrity, confidentiality, ...options }) => {
    const call = callOf(shape, { ...options, label: { integrity, confidentiality } })
    return {
      ...call,
      tool: { ...call.tool, name: tool },
      requester: { ...call.requester, id: requesterId },
    }
  })

/** The same rules, given every fact at every question. */
function forgetful(set: PolicySet): PolicySet {
  const texts = Object.fromEntries([...set.rules].map(([id, { text }]) => [id, text]))
  const loaded = loadRules(texts)
  if (loaded.kind === 'failed') throw new Error(loaded.message)
  return {
    ...set,
    needs: {
      attributes: 'all',
      categories: true,
      requesters: true,
      tools: true,
      requesterKinds: 'all',
      places: [],
    },
    evaluate: loaded.rules.evaluate,
    dispose: loaded.rules.release,
  }
}

const policy = fc.tuple(fc.constantFrom<Autonomy>(...autonomies), rules)
const compiled = ([autonomy, texts]: readonly [Autonomy, readonly string[]]) =>
  setOf(
    autonomy,
    ...texts.map((text, at) => ({ name: `rule-${at}.cedar`, text: `@id("mine-${at}") ${text}` })),
  )

describe('what is remembered', () => {
  test('decides as the engine does with every fact before it, also once another policy took its place', () => {
    fc.assert(
      fc.property(policy, policy, fc.array(calls, { minLength: 8, maxLength: 8 }), (first, second, some) => {
        const [before, after] = [compiled(first), compiled(second)]
        const [plainBefore, plainAfter] = [forgetful(before), forgetful(after)]
        // Twice and in turns, so that most answers are remembered ones and each policy is asked after the other.
        for (const call of [...some, ...some.toReversed()]) {
          expect(decide(call, before)).toEqual(decide(call, plainBefore))
          expect(decide(call, after)).toEqual(decide(call, plainAfter))
        }
        for (const set of [before, after, plainBefore, plainAfter]) set.dispose()
      }),
      { numRuns: 20, endOnFailure: true },
    )
  })

  test('is forgotten with its policy: a set that was let go of denies what it allowed', () => {
    const set = setOf('high')
    const call = callOf('read')
    expect(decide(call, set).kind).toBe('allow')
    set.dispose()
    expect(decide(call, set).kind).toBe('deny')
  })
})
