import type { Autonomy, Label, Requester } from '@countersign/contract'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decide } from './decide.ts'
import type { CallFacts } from './facts.ts'
import type { PolicyFile } from './source.ts'
import { autonomies, callOf, type ShapeName, setOf, shapes } from './testing/calls.ts'

const rank = { deny: 0, ask: 1, allow: 2 } as const

const calls: fc.Arbitrary<CallFacts> = fc
  .record({
    name: fc.constantFrom(...(Object.keys(shapes) as ShapeName[])),
    integrity: fc.constantFrom<Label['integrity']>('operator', 'paired', 'tool', 'untrusted'),
    confidentiality: fc.constantFrom<Label['confidentiality']>('public', 'private', 'secret'),
    requester: fc.constantFrom<Requester['kind']>('operator', 'peer', 'schedule', 'webhook'),
    unattended: fc.boolean(),
    granted: fc.boolean(),
    identityFlags: fc.boolean(),
  })
  .map(({ name, integrity, confidentiality, ...options }) =>
    callOf(name, { ...options, label: { integrity, confidentiality } }),
  )

const conditions = fc
  .array(
    fc.constantFrom(
      'true',
      'context.reads',
      '!context.changes',
      'context.egress',
      'context.outward',
      'context.tier >= 1',
      'context.tier == 2',
      'context.granted',
      'context.unattended',
      'context.integrity == "untrusted"',
      'context.hosts.contains("example.org")',
      'principal in RequesterKind::"peer"',
      'resource in Category::"file_write"',
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(' && '))

const permits = conditions.map((when) => `permit (principal, action, resource) when { ${when} };`)
const tightenings = fc.oneof(
  conditions.map((when) => `forbid (principal, action, resource) when { ${when} };`),
  conditions.map(
    (when) => `forbid (principal, action, resource) when { ${when} } unless { context.approved };`,
  ),
)
const levels = fc.constantFrom<Autonomy>(...autonomies)
const someCalls = fc.array(calls, { minLength: 10, maxLength: 10 })

function kindsOf(some: readonly CallFacts[], autonomy: Autonomy, files: readonly PolicyFile[]) {
  const set = setOf(autonomy, ...files)
  const kinds = some.map((call) => decide(call, set).kind)
  set.dispose()
  return kinds
}

const named = (texts: readonly string[]): readonly PolicyFile[] =>
  texts.map((text, at) => ({ name: `file-${at}.cedar`, text: `@id("mine-${at}") ${text}` }))

describe('for any rules of the operator', () => {
  test('adding a forbid or an ask rule never allows more', () => {
    fc.assert(
      fc.property(
        levels,
        fc.array(permits, { maxLength: 2 }),
        tightenings,
        someCalls,
        (autonomy, before, added, some) => {
          const was = kindsOf(some, autonomy, named(before))
          const is = kindsOf(some, autonomy, named([...before, added]))
          is.forEach((kind, at) => expect(rank[kind]).toBeLessThanOrEqual(rank[was[at] ?? 'deny']))
        },
      ),
      { numRuns: 15 },
    )
  })

  test('the order of files decides nothing', () => {
    const rules = fc.array(fc.oneof(permits, tightenings), { minLength: 2, maxLength: 4 })
    fc.assert(
      fc.property(levels, rules, someCalls, (autonomy, texts, some) => {
        const files = named(texts)
        expect(kindsOf(some, autonomy, files.toReversed())).toEqual(kindsOf(some, autonomy, files))
      }),
      { numRuns: 10 },
    )
  })

  test('an outright forbid wins over every permit, and no permit frees T4', () => {
    fc.assert(
      fc.property(levels, fc.array(permits, { maxLength: 3 }), someCalls, (autonomy, texts, some) => {
        const forbidden = kindsOf(some, autonomy, named([...texts, 'forbid (principal, action, resource);']))
        expect(forbidden.every((kind) => kind === 'deny')).toBe(true)
        const permitted = kindsOf(some, autonomy, named([...texts, 'permit (principal, action, resource);']))
        some.forEach(({ classification }, at) => {
          if (classification.tier === 4) expect(permitted[at]).not.toBe('allow')
        })
      }),
      { numRuns: 10 },
    )
  })
})
