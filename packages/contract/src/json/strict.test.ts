import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalText } from './canonical.ts'
import { MAX_JSON_BYTES, MAX_JSON_DEPTH, parseStrict, type StrictRefusal } from './strict.ts'
import type { JsonValue } from './value.ts'

interface Pair {
  title: string
  refused: string
  reason: StrictRefusal
  position: number
  allowed: string
}

const pairs: Pair[] = [
  { title: 'empty text', refused: '', reason: 'empty', position: 0, allowed: '0' },
  { title: 'text of whitespace alone', refused: ' \n', reason: 'empty', position: 2, allowed: ' \n0\r\t' },
  {
    title: 'a byte order mark',
    refused: '\ufeff{}',
    reason: 'byte-order-mark',
    position: 0,
    allowed: '"\ufeff"',
  },
  { title: 'data after the value', refused: '{} {}', reason: 'trailing-data', position: 3, allowed: '{} ' },
  {
    title: 'a repeated key',
    refused: '{"a":1,"a":1}',
    reason: 'duplicate-key',
    position: 7,
    allowed: '{"a":1,"A":1}',
  },
  {
    title: 'a key repeated under another spelling',
    refused: '{"a":1,"\\u0061":2}',
    reason: 'duplicate-key',
    position: 7,
    allowed: '{"a":1,"\\u0062":2}',
  },
  {
    title: 'a repeated __proto__ key',
    refused: '{"__proto__":1,"__proto__":2}',
    reason: 'duplicate-key',
    position: 15,
    allowed: '{"__proto__":1,"constructor":2}',
  },
  {
    title: 'a repeated key in an inner object',
    refused: '[{"k":{"b":1,"b":2}}]',
    reason: 'duplicate-key',
    position: 13,
    allowed: '[{"b":{"b":1}},{"b":2}]',
  },
  {
    title: 'a raw lone surrogate',
    refused: '"\ud83d"',
    reason: 'lone-surrogate',
    position: 1,
    allowed: '"\ud83d\ude00"',
  },
  {
    title: 'an escaped high surrogate alone',
    refused: '"\\ud83d"',
    reason: 'lone-surrogate',
    position: 1,
    allowed: '"\\ud83d\\ude00"',
  },
  {
    title: 'an escaped low surrogate alone',
    refused: '"x\\ude00"',
    reason: 'lone-surrogate',
    position: 2,
    allowed: '"x\\ue000"',
  },
  {
    title: 'escaped surrogates in the wrong order',
    refused: '"\\ude00\\ud83d"',
    reason: 'lone-surrogate',
    position: 1,
    allowed: '"\\ud83d\\ude00"',
  },
  {
    title: 'a lone surrogate in a key',
    refused: '{"\\udfff":0}',
    reason: 'lone-surrogate',
    position: 2,
    allowed: '{"\\uffff":0}',
  },
  {
    title: 'an escaped high surrogate before a raw pair',
    refused: '"\\ud83d\ud83d\ude00"',
    reason: 'lone-surrogate',
    position: 1,
    allowed: '"\\ud83d\\ude00\ud83d\ude00"',
  },
  {
    title: 'a number beyond the doubles',
    refused: '[1e309]',
    reason: 'non-finite-number',
    position: 1,
    allowed: '[1e15]',
  },
  {
    title: 'the integer 2^53',
    refused: '9007199254740992',
    reason: 'unsafe-integer',
    position: 0,
    allowed: '9007199254740991',
  },
  {
    title: 'the integer -2^53',
    refused: '-9007199254740992',
    reason: 'unsafe-integer',
    position: 0,
    allowed: '-9007199254740991',
  },
  {
    title: 'an unsafe integer written with an exponent',
    refused: '9.007199254740992e15',
    reason: 'unsafe-integer',
    position: 0,
    allowed: '9.007199254740991E+15',
  },
  {
    title: 'an unsafe integer written with a fraction',
    refused: '9007199254740993.0',
    reason: 'unsafe-integer',
    position: 0,
    allowed: '9007199254740991.0',
  },
  {
    title: 'a large power of ten',
    refused: '{"n":1e300}',
    reason: 'unsafe-integer',
    position: 5,
    allowed: '{"n":1e-300}',
  },
  {
    title: 'a raw newline in a string',
    refused: '"a\nb"',
    reason: 'control-character',
    position: 2,
    allowed: '"a\\nb"',
  },
  {
    title: 'a raw control after an escape',
    refused: '"\\n\u001f"',
    reason: 'control-character',
    position: 3,
    allowed: '"\\n\u007f"',
  },
  { title: 'a raw NUL', refused: '"\u0000"', reason: 'control-character', position: 1, allowed: '"\\u0000"' },
  { title: 'a leading zero', refused: '01', reason: 'syntax', position: 0, allowed: '0.1' },
  { title: 'a leading zero after a minus', refused: '-01', reason: 'syntax', position: 1, allowed: '-0.1' },
  { title: 'a leading plus', refused: '+1', reason: 'syntax', position: 0, allowed: '1e+1' },
  { title: 'a bare minus', refused: '-', reason: 'syntax', position: 0, allowed: '-1' },
  { title: 'a fraction without digits', refused: '1.', reason: 'syntax', position: 1, allowed: '1.0' },
  {
    title: 'a number that starts with its point',
    refused: '.5',
    reason: 'syntax',
    position: 0,
    allowed: '0.5',
  },
  { title: 'an exponent without digits', refused: '1e+', reason: 'syntax', position: 1, allowed: '1e+0' },
  { title: 'a hexadecimal number', refused: '0x1', reason: 'trailing-data', position: 1, allowed: '0' },
  { title: 'NaN', refused: 'NaN', reason: 'syntax', position: 0, allowed: 'null' },
  { title: 'Infinity', refused: '[-Infinity]', reason: 'syntax', position: 1, allowed: '[-1]' },
  { title: 'a trailing comma in an array', refused: '[1,]', reason: 'syntax', position: 3, allowed: '[1]' },
  {
    title: 'a trailing comma in an object',
    refused: '{"a":1,}',
    reason: 'syntax',
    position: 7,
    allowed: '{"a":1}',
  },
  { title: 'a missing comma', refused: '[1 2]', reason: 'syntax', position: 3, allowed: '[1,2]' },
  { title: 'a missing colon', refused: '{"a" 1}', reason: 'syntax', position: 5, allowed: '{"a" :1}' },
  { title: 'a key without quotes', refused: '{a:1}', reason: 'syntax', position: 1, allowed: '{"a":1}' },
  { title: 'single quotes', refused: "'a'", reason: 'syntax', position: 0, allowed: '"a"' },
  { title: 'a comment', refused: '[1/**/]', reason: 'syntax', position: 2, allowed: '["/**/"]' },
  { title: 'an open array', refused: '[1', reason: 'syntax', position: 2, allowed: '[1]' },
  { title: 'an open object', refused: '{"a":1', reason: 'syntax', position: 6, allowed: '{"a":1}' },
  { title: 'an open string', refused: '"a', reason: 'syntax', position: 2, allowed: '"a"' },
  {
    title: 'an open string after an escape',
    refused: '"\\na',
    reason: 'syntax',
    position: 4,
    allowed: '"\\na"',
  },
  { title: 'an unknown escape', refused: '"\\v"', reason: 'syntax', position: 1, allowed: '"\\b\\f\\/"' },
  {
    title: 'a short unicode escape',
    refused: '"\\u12"',
    reason: 'syntax',
    position: 1,
    allowed: '"\\u1aF2"',
  },
  { title: 'a misspelt word', refused: 'True', reason: 'syntax', position: 0, allowed: 'true' },
  { title: 'a cut word', refused: '[fals]', reason: 'syntax', position: 1, allowed: '[false]' },
  {
    title: 'whitespace that JSON does not name',
    refused: '[\u00a01]',
    reason: 'syntax',
    position: 1,
    allowed: '[ 1]',
  },
]

describe('parseStrict', () => {
  for (const { title, refused, reason, position, allowed } of pairs) {
    test(`refuses ${title} and accepts its nearest neighbour`, () => {
      expect(parseStrict(refused)).toEqual({ kind: 'refused', reason, position })
      expect(parseStrict(allowed)).toEqual({ kind: 'value', value: JSON.parse(allowed) })
    })
  }

  test('refuses one level more than the deepest allowed nesting', () => {
    const arrays = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
    const objects = (depth: number) => `${'{"a":'.repeat(depth)}0${'}'.repeat(depth)}`
    expect(parseStrict(arrays(MAX_JSON_DEPTH)).kind).toBe('value')
    expect(parseStrict(objects(MAX_JSON_DEPTH)).kind).toBe('value')
    expect(parseStrict(arrays(MAX_JSON_DEPTH + 1))).toMatchObject({
      reason: 'too-deep',
      position: MAX_JSON_DEPTH,
    })
    expect(parseStrict(objects(MAX_JSON_DEPTH + 1))).toMatchObject({ reason: 'too-deep' })
    expect(parseStrict('['.repeat(1_000_000))).toMatchObject({ reason: 'too-deep' })
    expect(parseStrict('[[],[]]', { depth: 2 }).kind).toBe('value')
    expect(parseStrict('[[[]]]', { depth: 2 })).toMatchObject({ reason: 'too-deep' })
  })

  test('refuses one byte more than the largest allowed text, counted in UTF-8', () => {
    for (const [character, bytes] of [
      ['a', 1],
      ['é', 2],
      ['€', 3],
      ['😀', 4],
    ] as const) {
      const room = MAX_JSON_BYTES - 2
      const count = Math.floor(room / bytes)
      const full = `"${character.repeat(count)}${'a'.repeat(room - count * bytes)}"`
      expect(parseStrict(full).kind).toBe('value')
      expect(parseStrict(`${full} `)).toMatchObject({ reason: 'too-large', position: full.length })
    }
    expect(parseStrict('[0]', { bytes: 3 }).kind).toBe('value')
    expect(parseStrict('[10]', { bytes: 3 })).toMatchObject({ reason: 'too-large' })
  })

  test('keeps __proto__ as a member and leaves the prototype alone', () => {
    const parsed = parseStrict('{"__proto__":{"polluted":true}}')
    if (parsed.kind !== 'value') throw new Error('expected a value')
    const value = parsed.value as Record<string, unknown>
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(value['polluted']).toBeUndefined()
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  test('keeps doubles as ECMAScript reads them', () => {
    for (const text of [
      '-0',
      '0.1',
      '1e-400',
      '5e-324',
      '4.35',
      '0.30000000000000004',
      '123456789.123456789',
    ]) {
      expect(parseStrict(text)).toEqual({ kind: 'value', value: Number(text) })
    }
  })

  test('reads every canonical text back to the value it came from', () => {
    fc.assert(
      fc.property(strictValue(), (value) => {
        expect(parseStrict(canonicalText(value))).toEqual({ kind: 'value', value })
      }),
      { numRuns: 500 },
    )
  })

  test('agrees with JSON.parse on whatever it accepts', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '"b":',
      '\\',
      '\\u',
      '00e9',
      '-',
      '0',
      '1',
      '.',
      'e',
      '+',
      'true',
      'null',
      ' ',
      '\n',
      '\ud83d',
      '\ude00',
      'x',
    )
    const text = fc.oneof(
      fc.array(fragment, { maxLength: 12 }).map((parts) => parts.join('')),
      fc.json(),
      fc.tuple(fc.json(), fc.nat(), fragment).map(([json, at, part]) => {
        const cut = at % (json.length + 1)
        return json.slice(0, cut) + part + json.slice(cut)
      }),
    )
    fc.assert(
      fc.property(text, (candidate) => {
        const parsed = parseStrict(candidate)
        if (parsed.kind === 'value') expect(parsed.value).toEqual(JSON.parse(candidate))
        else if (parsed.reason === 'syntax') expect(() => JSON.parse(candidate)).toThrow(SyntaxError)
      }),
      { numRuns: 3_000 },
    )
  })
})

function strictValue(): fc.Arbitrary<JsonValue> {
  const text = fc.string({ unit: 'binary' })
  const number = fc
    .double({ noNaN: true, min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER })
    .map((value) => (value === 0 ? 0 : value))
  return fc.letrec<{ value: JsonValue }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 6, depthSize: 'small' },
      text,
      number,
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 5 }),
      fc.dictionary(fc.oneof(text, fc.constantFrom('__proto__', 'constructor', '', '1')), tie('value'), {
        maxKeys: 5,
        noNullPrototype: true,
      }),
    ),
  })).value
}
