import { expect, test } from 'vitest'
import { decide } from './decide.ts'
import { explain } from './explain.ts'
import type { CallFacts } from './facts.ts'
import { callOf, setOf } from './testing/calls.ts'

test('lists every rule, whether it matched before and after an approval, and the tier maths', () => {
  const set = setOf('high')
  const facts = callOf('write', { label: { integrity: 'untrusted', confidentiality: 'private' } })
  const explanation = explain(facts, set)
  expect(explanation.decision).toEqual(decide(facts, set))
  expect(explanation.tier).toEqual({ base: 1, final: 2, raised: ['untrusted content led to this call'] })
  expect(explanation.evaluations).toEqual([
    { approved: false, outcome: 'refused', determining: ['base.rule-of-two'] },
    { approved: true, outcome: 'permitted', determining: ['base.approval', 'level.high'] },
  ])
  expect(explanation.rules.map(({ id }) => id)).toEqual([...set.rules.keys()])
  const matched = explanation.rules.filter((rule) => rule.unapproved || rule.approved)
  expect(
    matched.map(({ id, effect, unapproved, approved }) => ({ id, effect, unapproved, approved })),
  ).toEqual([
    { id: 'base.approval', effect: 'permit', unapproved: false, approved: true },
    { id: 'base.rule-of-two', effect: 'forbid', unapproved: true, approved: false },
    { id: 'level.high', effect: 'permit', unapproved: true, approved: true },
  ])
  set.dispose()
})

test('explains facts of a wrong shape as a denial', () => {
  const set = setOf('full')
  const { decision, evaluations } = explain({ tool: { name: 'x' } } as CallFacts, set)
  expect(decision.kind).toBe('deny')
  expect(evaluations.map(({ outcome }) => outcome)).toEqual(['failed', 'failed'])
  set.dispose()
})
