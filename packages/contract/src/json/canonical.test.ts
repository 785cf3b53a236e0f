import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalText, MAX_CANONICAL_DEPTH, NotCanonical } from './canonical.ts'
import type { JsonValue } from './value.ts'

const cyclic: unknown[] = []
cyclic.push({ inner: cyclic })
const shared = { a: 1 }
const hidden = Object.defineProperty({ a: 1 }, 'b', { value: 2, enumerable: false })
const computed = Object.defineProperty({}, 'a', { get: () => 1, enumerable: true })
class Point {
  x = 1
}
class Numbers extends Array {}

const pairs: { title: string; refused: unknown; allowed: unknown; text: string }[] = [
  { title: 'undefined', refused: undefined, allowed: null, text: 'null' },
  { title: 'an undefined member', refused: { a: undefined }, allowed: { a: null }, text: '{"a":null}' },
  { title: 'an undefined item', refused: [undefined], allowed: [null], text: '[null]' },
  { title: 'a function', refused: () => 1, allowed: 1, text: '1' },
  { title: 'a function member', refused: { a: () => 1 }, allowed: { a: 1 }, text: '{"a":1}' },
  { title: 'a bigint', refused: 1n, allowed: 1, text: '1' },
  { title: 'a symbol', refused: [Symbol('a')], allowed: ['a'], text: '["a"]' },
  { title: 'a symbol key', refused: { [Symbol('a')]: 1 }, allowed: { a: 1 }, text: '{"a":1}' },
  { title: 'NaN', refused: [Number.NaN], allowed: [0], text: '[0]' },
  { title: 'infinity', refused: -Infinity, allowed: -Number.MAX_VALUE, text: '-1.7976931348623157e+308' },
  {
    title: 'a lone surrogate in a string',
    refused: 'a\ud800',
    allowed: 'a\ud800\udc00',
    text: '"a\u{10000}"',
  },
  {
    title: 'a lone surrogate in a key',
    refused: { '\udc00': 1 },
    allowed: { '\ue000': 1 },
    text: '{"\ue000":1}',
  },
  {
    title: 'a date',
    refused: new Date(0),
    allowed: new Date(0).toISOString(),
    text: '"1970-01-01T00:00:00.000Z"',
  },
  { title: 'a map', refused: new Map([['a', 1]]), allowed: { a: 1 }, text: '{"a":1}' },
  { title: 'a class instance', refused: new Point(), allowed: { x: 1 }, text: '{"x":1}' },
  { title: 'an array subclass', refused: Numbers.from([1]), allowed: [1], text: '[1]' },
  { title: 'bytes', refused: new Uint8Array([1]), allowed: [1], text: '[1]' },
  { title: 'a boxed number', refused: Object(1), allowed: 1, text: '1' },
  { title: 'a toJSON method', refused: { toJSON: () => 1 }, allowed: { toJSON: 1 }, text: '{"toJSON":1}' },
  { title: 'a hidden member', refused: hidden, allowed: { a: 1, b: 2 }, text: '{"a":1,"b":2}' },
  { title: 'a computed member', refused: computed, allowed: { a: 1 }, text: '{"a":1}' },
  { title: 'a sparse array', refused: holed(), allowed: [1, null, 2], text: '[1,null,2]' },
  {
    title: 'a hole made up for by a named member',
    refused: Object.assign(holed(), { x: 1 }),
    allowed: [],
    text: '[]',
  },
  { title: 'a named member on an array', refused: Object.assign([1], { x: 1 }), allowed: [1], text: '[1]' },
  { title: 'a cycle', refused: cyclic, allowed: [shared, shared], text: '[{"a":1},{"a":1}]' },
  { title: 'too deep a nesting', refused: nested(MAX_CANONICAL_DEPTH + 1), allowed: nested(2), text: '[[]]' },
]

describe('canonicalText', () => {
  for (const { title, refused, allowed, text } of pairs) {
    test(`refuses ${title} and writes its nearest neighbour`, () => {
      expect(() => canonicalText(refused as JsonValue)).toThrow(NotCanonical)
      expect(canonicalText(allowed as JsonValue)).toBe(text)
    })
  }

  test('says where the refused part is', () => {
    const refusal = capture(() => canonicalText({ list: [0, { deep: Number.NaN }] }))
    expect(refusal).toBeInstanceOf(TypeError)
    expect(refusal).toMatchObject({ name: 'NotCanonical', path: ['list', 1, 'deep'] })
  })

  test('writes the deepest allowed nesting', () => {
    expect(canonicalText(nested(MAX_CANONICAL_DEPTH))).toHaveLength(MAX_CANONICAL_DEPTH * 2)
  })

  test('writes negative zero as zero', () => {
    expect(canonicalText([-0, { a: -0 }])).toBe('[0,{"a":0}]')
  })

  test('orders keys by UTF-16 code unit, so a surrogate pair precedes U+E000', () => {
    expect(canonicalText({ '\ue000': 1, '\u{1f600}': 2, b: 3, a: 4, '10': 5, '9': 6 })).toBe(
      '{"10":5,"9":6,"a":4,"b":3,"\u{1f600}":2,"\ue000":1}',
    )
  })

  test('writes __proto__ as a member and accepts objects without a prototype', () => {
    expect(canonicalText(JSON.parse('{"b":1,"__proto__":{"a":1}}') as JsonValue)).toBe(
      '{"__proto__":{"a":1},"b":1}',
    )
    expect(canonicalText(Object.assign(Object.create(null), { a: 1 }) as JsonValue)).toBe('{"a":1}')
  })

  test('does not depend on the order in which members were added', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.integer(), { noNullPrototype: true }), (members) => {
        const reversed = Object.fromEntries(Object.entries(members).reverse())
        expect(canonicalText(reversed)).toBe(canonicalText(members))
      }),
    )
  })
})

function nested(depth: number): JsonValue {
  let value: JsonValue[] = []
  for (let level = 1; level < depth; level += 1) value = [value]
  return value
}

function holed(): number[] {
  return Object.assign([], { 0: 1, 2: 2 })
}

function capture(action: () => unknown): unknown {
  try {
    action()
    return undefined
  } catch (error) {
    return error
  }
}
