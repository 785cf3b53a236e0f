import type { JsonObject } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { growthOf, mostGrowth } from '../../../../tests/harness/src/growth.ts'
import { parserOf, readParameters } from './parameters.ts'

const object = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  ...more,
})
const parse = (schema: JsonObject, value: unknown) => {
  const read = readParameters(schema)
  if (read.kind === 'refused') throw new Error(read.reason)
  return parserOf(read.schema)(value)
}

describe('the parameters of a custom tool', () => {
  it('are read from an object or its text, and take nothing that they do not name', () => {
    const schema = object({ city: { type: 'string' } }, { required: ['city'], additionalProperties: true })
    for (const given of [schema, JSON.stringify(schema)]) expect(readParameters(given).kind).toBe('schema')
    expect(parse(schema, { city: 'Oslo' })).toEqual({ kind: 'args', args: { city: 'Oslo' } })
    expect(parse(schema, { city: 'Oslo', extra: 1 })).toEqual({
      kind: 'invalid',
      problems: ['must NOT have additional properties: extra'],
    })
    expect(parse(schema, {})).toMatchObject({ kind: 'invalid' })
    expect(parse(schema, { city: 7 })).toEqual({ kind: 'invalid', problems: ['city: must be string'] })
  })

  it('fill defaults in without changing what was given', () => {
    const given = {}
    const schema = object({ unit: { type: 'string', enum: ['c', 'f'], default: 'c' } })
    expect(parse(schema, given)).toEqual({ kind: 'args', args: { unit: 'c' } })
    expect(given).toEqual({})
    expect(parse(schema, { unit: 'k' })).toEqual({
      kind: 'invalid',
      problems: ['unit: must be equal to one of the allowed values: ["c","f"]'],
    })
  })

  it('may nest, and use anyOf, formats and unions of types', () => {
    const schema = object({
      at: { type: ['string', 'null'], format: 'date-time' },
      list: {
        type: 'array',
        items: object({ n: { type: 'integer', minimum: 1 } }),
        maxItems: 3,
        uniqueItems: true,
      },
      either: { anyOf: [{ type: 'string' }, { type: 'number' }] },
    })
    expect(parse(schema, { at: null, list: [{ n: 1 }], either: 2 }).kind).toBe('args')
    expect(parse(schema, { list: [{ n: 1 }, { n: 1 }] }).kind).toBe('invalid')
    expect(parse(schema, { list: [{ n: 0 }] })).toMatchObject({ problems: ['list.0.n: must be >= 1'] })
  })

  it('match patterns with work in proportion to the text', async () => {
    const schema = object({ code: { type: 'string', pattern: '^(a+)+$' } })
    expect(parse(schema, { code: 'aaa' }).kind).toBe('args')
    const almost = (length: number) => ({ code: `${'a'.repeat(length)}!` })
    const growth = await growthOf(4_000, almost, (args) => {
      expect(parse(schema, args).kind).toBe('invalid')
    })
    expect(growth).toBeLessThan(mostGrowth)
  })

  it.each([
    ['a reference', object({ a: { $ref: '#/properties/b' }, b: {} })],
    ['a reference to elsewhere', object({ a: { $ref: 'https://example.test/schema' } })],
    ['definitions', { ...object({}), $defs: {} }],
    ['a name of its own', { ...object({}), $id: 'x' }],
    ['an asynchronous schema', { ...object({}), $async: true }],
    ['another keyword', object({ a: { type: 'string', contentEncoding: 'base64' } })],
    ['names by pattern', object({ a: { type: 'object', patternProperties: { x: {} } } })],
    ['a pattern that looks back', object({ a: { type: 'string', pattern: '(a)\\1' } })],
    ['a pattern that is too long', object({ a: { type: 'string', pattern: 'a'.repeat(301) } })],
    ['unique items without end', object({ a: { type: 'array', uniqueItems: true } })],
    [
      'a property that objects have',
      JSON.parse('{"type":"object","properties":{"__proto__":{}}}') as JsonObject,
    ],
    ['a type that does not exist', object({ a: { type: 'text' } })],
    ['no object', { type: 'string' }],
    ['a schema that is a list', object({ a: [] })],
    ['a schema too deep', Array.from({ length: 20 }).reduce<JsonObject>((s) => object({ a: s }), object({}))],
    ['a schema too large', object({ a: { type: 'string', description: 'x'.repeat(33_000) } })],
  ])('refuse %s', (_, schema) => {
    expect(readParameters(schema)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/^The parameters cannot be used: .+\.$/) as string,
    })
  })

  it('refuse text that is no JSON', () => {
    expect(readParameters('{type: object}').kind).toBe('refused')
    expect(readParameters('{"type":"object","type":"object"}').kind).toBe('refused')
  })

  it('refuse arguments that are too large or too deep to be carried on', () => {
    const schema = object({ a: {} })
    const deep = (levels: number) => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`) as never
    expect(parse(schema, { a: deep(29) }).kind).toBe('args')
    expect(parse(schema, { a: deep(30) }).kind).toBe('invalid')
    expect(parse(schema, { a: 'x'.repeat(300_000) }).kind).toBe('invalid')
    for (const value of [null, [], 'x', undefined, { a: 1n }])
      expect(parse(schema, value).kind).toBe('invalid')
  })
})
