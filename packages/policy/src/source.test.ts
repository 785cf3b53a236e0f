import { describe, expect, test } from 'vitest'
import { lineOf, splitStatements } from './source.ts'

describe('splitStatements', () => {
  test('gives each rule the line where it begins, after blank lines and comments', () => {
    const text =
      '// first; not a rule\n\n@id("a;b")\npermit (principal, action, resource);\n// end\nforbid (x);'
    expect(splitStatements(text).map(({ line, text: rule }) => [line, rule])).toEqual([
      [3, '@id("a;b")\npermit (principal, action, resource);'],
      [6, 'forbid (x);'],
    ])
  })

  test('is not led astray by quotes and comment marks inside strings', () => {
    const text = '@why("say \\"; // no\\"") permit (a); @why("http://x") permit (b);'
    expect(splitStatements(text)).toHaveLength(2)
  })

  test('ends a comment where Cedar ends it, so that a lone carriage return cannot hide a rule', () => {
    expect(splitStatements('// note\rforbid (principal, action, resource);')).toHaveLength(1)
  })

  test('keeps what is left without a semicolon, so that it is refused and not dropped', () => {
    expect(splitStatements('permit (a); forbid (b)').map(({ text }) => text)).toEqual([
      'permit (a);',
      'forbid (b)',
    ])
    expect(splitStatements('"stray" permit (a);').map(({ text }) => text)).toEqual(['"stray" permit (a);'])
  })

  test('begins a rule after a comment and not in it, and at a string', () => {
    const [rule] = splitStatements('// said before\n  "odd" permit (a);')
    expect(rule).toMatchObject({ text: '"odd" permit (a);', line: 2 })
  })

  test('takes a semicolon at the very beginning for a statement of its own', () => {
    expect(splitStatements(';permit (a);').map(({ text }) => text)).toEqual([';', 'permit (a);'])
  })

  test('finds no depth where there is no bracket', () => {
    expect(splitStatements('permit;')).toMatchObject([{ depth: 0, operators: 0 }])
  })

  test('counts depth and operators outside strings only', () => {
    const [rule] = splitStatements('permit (a) when { ((b.c && d >= "((..") ) };')
    expect(rule).toMatchObject({ depth: 3, operators: 4 })
  })
})

describe('lineOf', () => {
  test('counts bytes, as Cedar does', () => {
    const [rule] = splitStatements('\n@why("é")\npermit (a)\nwhen { b };')
    const at = Buffer.from('@why("é")\npermit (a)\nwhen').length
    expect(rule && lineOf(rule, at)).toBe(4)
  })
})
