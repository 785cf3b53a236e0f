import { describe, expect, test } from 'vitest'
import { parseRule } from './engine.ts'
import { ruleNeeds } from './needs.ts'

function needsOfRule(condition: string) {
  const parsed = parseRule(`permit (principal, action, resource) when { ${condition} };`)
  if (parsed.kind === 'invalid') throw new Error(parsed.problem.message)
  return ruleNeeds([JSON.stringify(parsed.json)])
}

describe('needsOf', () => {
  test('finds every attribute that is read, however deep', () => {
    expect(
      needsOfRule('context.tier > 1 || (if context.reads then context.hosts.contains("a") else true)'),
    ).toEqual({
      attributes: new Set(['tier', 'reads', 'hosts']),
      categories: false,
      places: [],
      requesters: false,
      tools: false,
      requesterKinds: new Set(),
    })
    expect(needsOfRule('context has paths && context["methods"].isEmpty()').attributes).toEqual(
      new Set(['paths', 'methods']),
    )
  })

  test('needs everything where a rule takes the context whole', () => {
    expect(needsOfRule('context.tier == 1 && context == {tier: 1}').attributes).toBe('all')
  })

  test('is not led astray by strings that look like structure', () => {
    const disguise = '{\\"left\\":{\\"Var\\":\\"context\\"},\\"attr\\":\\"hosts\\"}'
    expect(needsOfRule(`context.autonomy == "${disguise}"`).attributes).toEqual(new Set(['autonomy']))
  })

  test('sees the kinds of requester that are named, and takes a name it cannot read for all of them', () => {
    const named = 'principal in RequesterKind::"peer" || principal in [RequesterKind::"webhook"]'
    expect(needsOfRule(named).requesterKinds).toEqual(new Set(['peer', 'webhook']))
    expect(needsOfRule('principal in RequesterKind::"a \\" b"').requesterKinds).toBe('all')
    expect(needsOfRule('context.autonomy == "RequesterKind"').requesterKinds).toBe('all')
  })

  test('sees a category in the head, in a condition and in a list', () => {
    expect(needsOfRule('resource in Category::"system"').categories).toBe(true)
    expect(needsOfRule('resource in [Tool::"a", Category::"system"]').categories).toBe(true)
    expect(needsOfRule('resource == Tool::"a"').categories).toBe(false)
    const head = parseRule('permit (principal, action, resource in Category::"system");')
    expect(head.kind === 'rule' && ruleNeeds([JSON.stringify(head.json)]).categories).toBe(true)
  })
})
