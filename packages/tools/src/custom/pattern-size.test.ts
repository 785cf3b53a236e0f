import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { readParameters } from './parameters.ts'
import { patternSize } from './pattern-size.ts'

const usual = [
  '^\\d{4}-\\d{2}-\\d{2}$',
  '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
  '^(?:[a-z0-9]{1,63}\\.)+[a-z]{2,24}$',
  '^\\p{L}[\\p{L} .\\]{}-]{0,99}$',
  '^(a|b){2}(c{3}d?)*$',
]

describe('the size of a pattern', () => {
  it.each([...usual, '((a{9}){9}){9}', '[]{9}]{9}', 'a{5,}b{0,7}', '\\{9{3}', '(a{9}){0}'])(
    'is not less than what it compiles to: %s',
    (pattern) => {
      const compiled = RE2JS.compile(RE2JS.translateRegExp(pattern)).programSize()
      expect(patternSize(pattern) * 2 + 10).toBeGreaterThanOrEqual(compiled)
    },
  )

  it('lets usual ones be and refuses what would keep the gateway from its work', () => {
    const schemaOf = (patterns: readonly string[]) => ({
      type: 'object',
      properties: { x: { type: 'string', allOf: patterns.map((pattern) => ({ pattern })) } },
    })
    expect(readParameters(schemaOf(usual)).kind).toBe('schema')
    const many = Array.from({ length: 122 }, (_, at) => `${'a{999}'.repeat(40)}${at}`)
    for (const bad of [many, ['(((a{99}){99}){99}){9}'], [`${'a{999}'.repeat(40)}`]])
      expect(readParameters(schemaOf(bad))).toMatchObject({ kind: 'refused' })
  })
})
