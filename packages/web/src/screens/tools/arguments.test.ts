import { expect, test } from 'vitest'
import { argumentsOf, argumentText } from './arguments.ts'

const schema = {
  type: 'object',
  required: ['path'],
  properties: {
    path: { type: 'string', description: 'Where.' },
    lines: { type: 'integer' },
    hidden: { type: 'boolean' },
    mode: { enum: ['read', 'write'] },
    tags: { type: 'array' },
  },
}
const list = argumentsOf(schema)

test('says of each argument what it is and whether it must be given', () => {
  expect(list.map(({ name, kind, required }) => [name, kind, required])).toEqual([
    ['path', 'text', true],
    ['lines', 'number', false],
    ['hidden', 'boolean', false],
    ['mode', 'choice', false],
    ['tags', 'other', false],
  ])
  expect(argumentsOf({})).toEqual([])
})

test('leaves out what was left empty, and keeps the types of the rest', () => {
  expect(argumentText(list, { path: 'a', lines: '3', hidden: 'true', tags: '["x"]' })).toBe(
    '{"path":"a","lines":3,"hidden":true,"tags":["x"]}',
  )
  expect(argumentText(list, {})).toBe('{"path":""}')
})

test('sends what cannot be read as it is, so that the gateway can say what is wrong', () => {
  expect(argumentText(list, { path: 'a', lines: 'many', tags: '[' })).toBe(
    '{"path":"a","lines":"many","tags":"["}',
  )
})
