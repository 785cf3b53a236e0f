import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isClosedObject } from './reply.ts'

test('takes every written object as closed and no proper prefix of it', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })), fc.nat(), (value, cut) => {
      const text = JSON.stringify(value)
      expect(isClosedObject(` ${text}\n`)).toBe(true)
      expect(isClosedObject(text.slice(0, cut % text.length))).toBe(false)
    }),
    { numRuns: 300 },
  )
})

test('takes nothing but one object as closed', () => {
  for (const text of ['', '12', '[{}]', '{}{}', '{} x', '"{}"', '{"a":"}"', '{"a":"\\"}']) {
    expect(isClosedObject(text)).toBe(false)
  }
})
