import { expect, it } from 'vitest'
import { validateRules } from './engine.ts'

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
