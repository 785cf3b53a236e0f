import { describe, expect, it } from 'vitest'
import { argumentsOf, fieldsOf, formValuesOf } from './arguments-form.ts'

const schema = {
  properties: {
    to: { type: 'string', description: 'who gets it' },
    count: { type: 'integer' },
    loud: { type: 'boolean' },
    mode: { enum: ['a', 'b'] },
    tags: { type: 'array' },
  },
  required: ['to'],
}
const given = { to: 'ana', count: 2 }
const fields = fieldsOf(schema, given)
const made = (change: Record<string, string | boolean>) =>
  argumentsOf(fields, { ...formValuesOf(fields, given), ...change }, given)

describe('the form of a call', () => {
  it('has a field of the right kind for each argument', () => {
    expect(fields.map(({ name, kind, required }) => [name, kind, required])).toEqual([
      ['to', 'text', true],
      ['count', 'number', false],
      ['loud', 'flag', false],
      ['mode', 'choice', false],
      ['tags', 'json', false],
    ])
  })

  it('gives the same arguments back when nothing was changed', () => {
    expect(made({})).toEqual({ kind: 'args', args: JSON.stringify(given) })
  })

  it('takes what was typed and leaves out what stayed empty', () => {
    expect(made({ to: 'bea', loud: true, tags: '["x"]' })).toEqual({
      kind: 'args',
      args: '{"to":"bea","count":2,"loud":true,"tags":["x"]}',
    })
  })

  it.each([
    [{ count: 'two' }, 'count'],
    [{ count: '' }, 'count'],
    [{ tags: '[' }, 'tags'],
  ])('names the field that is wrong in %j', (change, name) => {
    expect(made(change)).toMatchObject({ kind: 'problem', name })
  })
})
