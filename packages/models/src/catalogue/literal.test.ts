import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readLiteral } from './literal.ts'

const read = (text: string) => readLiteral(text, 0)

describe('reading data out of a program', () => {
  it('reads what a bundler writes', () => {
    const text = `[{ id: "a", 'b-c': .5, d: 2e5, e: !0, f: !1, g: void 0, h: [1, -2,], i: \`two
lines\`, j: null, "k": 'it\\'s \\u00e9\\x41\\n' }]; function after() {}`
    expect(read(text)).toMatchObject({
      kind: 'read',
      value: [
        {
          id: 'a',
          'b-c': 0.5,
          d: 200_000,
          e: true,
          f: false,
          h: [1, -2],
          i: 'two\nlines',
          j: null,
          k: "it's éA\n",
        },
      ],
      end: text.indexOf(';'),
    })
  })

  it('reads every JSON text as JSON does', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
        const text = JSON.stringify(value)
        if (text.includes('__proto__')) return
        expect(read(text)).toEqual({ kind: 'read', value: JSON.parse(text), end: text.length })
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    '[process.exit()]',
    '[new Date()]',
    '[() => 1]',
    '[a]',
    '[`${1}`]',
    '[1 + 1]',
    '[...x]',
    '{ get a() { return 1 } }',
    '{ [a]: 1 }',
    '{ a }',
    '{ __proto__: { b: 1 } }',
    '{ "__proto__": 1 }',
    '["unfinished]',
    '[1, 2',
    '["\\q"]',
    '[/x/]',
    '[truely]',
    '',
    '['.repeat(100),
  ])('refuses what is not plain data: %s', (text) => {
    expect(read(text).kind).toBe('refused')
  })

  it('comes to an end whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'[]{}:,"\'`\\$!01a_. \n-e/'.split('')) }), (text) => {
        expect(['read', 'refused']).toContain(read(text).kind)
      }),
      { numRuns: 2_000 },
    )
  })
})
