import { expect, it } from 'vitest'
import { evaluateOnce, loadRules, parseRule, validateRules } from './engine.ts'

const schema = 'entity A; action b appliesTo { principal: A, resource: A };'
const rule = 'permit(principal, action, resource);'

it('finds nothing in rules that fit the schema', () => {
  expect(validateRules(schema, { fits: rule })).toEqual([])
})

it('names the rule that does not fit', () => {
  expect(
    validateRules(schema, { odd: 'permit(principal, action, resource) when { context.y };' }),
  ).toMatchObject([{ id: 'odd', message: expect.stringContaining('attribute `y`'), offset: 43 }])
})

it.each([
  ['a rule', schema, 'permit(principal, action, resource) when {', 'failed to parse policy'],
  ['the schema', schema.slice(0, -20), rule, 'failed to parse schema'],
])('says where %s cannot be read', (_, given, text, message) => {
  const problems = validateRules(given, { broken: text })
  expect(problems).toMatchObject([{ message: expect.stringContaining(message) }])
  expect(problems[0]?.offset).toBeGreaterThan(0)
})

const question = {
  principal: { type: 'A', id: 'a' },
  resource: { type: 'A', id: 'a' },
  entities: [],
  context: {},
}

it('does not load what it cannot parse, and says why', () => {
  expect(loadRules({ broken: 'permit(' })).toMatchObject({
    kind: 'failed',
    message: expect.stringMatching(/\S/),
  })
})

it('says nothing of help where Cedar offers none', () => {
  const texts = [
    'permit(principal, action, resource) when { 1 + };',
    'permit(',
    'permit(principal, action, resource) when { x };',
  ]
  for (const text of texts) {
    const parsed = parseRule(text)
    expect(parsed.kind === 'invalid' && parsed.problem.message).not.toMatch(/\((null|undefined)\)|^$/)
  }
})

it('fails as a whole where one rule fails', () => {
  const texts = { fine: rule, failing: 'forbid(principal, action, resource) when { context.missing };' }
  expect(evaluateOnce(texts, question)).toMatchObject({
    kind: 'failed',
    message: expect.stringContaining('rule failing could not be evaluated'),
  })
  expect(evaluateOnce({ fine: rule }, question)).toEqual({ kind: 'permitted', determining: ['fine'] })
  expect(evaluateOnce({}, question)).toEqual({ kind: 'refused', determining: [] })
})

it('answers from a set that was loaded until it is released', () => {
  const loaded = loadRules({ fine: rule })
  if (loaded.kind !== 'loaded') throw new Error(loaded.message)
  expect(loaded.rules.evaluate(question).kind).toBe('permitted')
  loaded.rules.release()
  loaded.rules.release()
  expect(loaded.rules.evaluate(question)).toEqual({ kind: 'failed', message: 'this rule set was released' })
})
