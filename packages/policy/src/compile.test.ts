import { describe, expect, test } from 'vitest'
import { bundledFiles, compilePolicies } from './compile.ts'
import { decide } from './decide.ts'
import { ruleLimits } from './source.ts'
import { autonomies, callOf, setOf } from './testing/calls.ts'

function problemsOf(text: string, name = 'mine.cedar') {
  const result = compilePolicies({ autonomy: 'medium', files: [{ name, text }] })
  if (result.kind === 'compiled') {
    result.set.dispose()
    return []
  }
  return result.problems
}

describe('compilePolicies', () => {
  test('compiles every bundled level, each rule with an id and a reason', () => {
    for (const autonomy of autonomies) {
      const set = setOf(autonomy)
      for (const rule of set.rules.values()) {
        expect(rule.id).toMatch(/^(base|level)\.[a-z-]+$/)
        expect(rule.why).not.toBe('')
      }
      set.dispose()
    }
  })

  test('finds the line and the file of a rule', () => {
    const set = setOf('low', {
      name: 'mine.cedar',
      text: '\n// mail\n@id("mail")\nforbid (principal, action, resource);',
    })
    expect(set.rules.get('mail')).toMatchObject({ file: 'mine.cedar', line: 3, effect: 'forbid', why: '' })
    set.dispose()
  })

  test('names a rule without an id after its place', () => {
    const set = setOf('low', { name: 'mine.cedar', text: '\nforbid (principal, action, resource);' })
    expect(set.rules.has('mine.cedar:2')).toBe(true)
    set.dispose()
  })

  test('refuses a rule that does not parse, at its line', () => {
    const [problem] = problemsOf('@id("a")\npermit (principal, action, resource)\nwhen { contxt.tier };')
    expect(problem).toMatchObject({ file: 'mine.cedar', line: 3 })
  })

  test('refuses a rule that the schema does not know, at its line', () => {
    const [problem] = problemsOf('permit (principal, action, resource)\nwhen {\n  context.recipientKnown\n};')
    expect(problem).toMatchObject({ file: 'mine.cedar', line: 3 })
    expect(problem?.message).toContain('recipientKnown')
  })

  test('refuses a template and a stray end of file', () => {
    expect(problemsOf('permit (principal == ?principal, action, resource);')).toHaveLength(1)
    expect(problemsOf('permit (principal, action, resource)')).toHaveLength(1)
  })

  test('refuses the id of another rule, bundled rules included', () => {
    const [problem] = problemsOf('@id("base.critical")\npermit (principal, action, resource);')
    expect(problem?.message).toContain('bundled/base.cedar:')
    const twice =
      '@id("a") permit (principal, action, resource);\n@id("a") forbid (principal, action, resource);'
    expect(problemsOf(twice)).toMatchObject([{ file: 'mine.cedar', line: 2 }])
  })

  test('refuses a rule so deep that it would break the engine, and the engine goes on', () => {
    const rule = (depth: number) =>
      `permit (principal, action, resource) when { ${'('.repeat(depth)}true${')'.repeat(depth)} };`
    expect(problemsOf(rule(1_000))).toHaveLength(1)
    expect(problemsOf(rule(ruleLimits.depth - 1))).toEqual([])
    const long = (operators: number) =>
      `permit (principal, action, resource) when { ${'('.repeat(20)}1${' + 1'.repeat(operators)}${')'.repeat(20)} == 1 };`
    expect(problemsOf(long(5_000))).toHaveLength(1)
    expect(problemsOf(long(ruleLimits.operators - 2))).toEqual([])
  })

  test('hashes the same rules to the same value in any order, and different rules to another', () => {
    const one = { name: 'one.cedar', text: '@id("one") forbid (principal, action, resource);' }
    const two = { name: 'two.cedar', text: '@id("two") permit (principal, action, resource);' }
    const both = setOf('low', one, two)
    const swapped = setOf('low', { ...two, text: `// note\n${two.text}` }, one)
    const narrower = setOf('low', one)
    expect(both.hash).toMatch(/^[0-9a-f]{64}$/)
    expect(swapped.hash).toBe(both.hash)
    expect(narrower.hash).not.toBe(both.hash)
    expect(setOf('medium', one, two).hash).not.toBe(both.hash)
  })

  test('denies with a disposed set, also after its place in the engine was taken', () => {
    const old = setOf('full')
    expect(decide(callOf('read'), old).kind).toBe('allow')
    old.dispose()
    old.dispose()
    const next = setOf('full')
    const other = setOf('full')
    expect(decide(callOf('read'), old)).toMatchObject({ kind: 'deny', rules: [] })
    next.dispose()
    expect(decide(callOf('read'), other).kind).toBe('allow')
    other.dispose()
  })

  test('shows the bundled rules that hold at a level', () => {
    expect(bundledFiles('low').map(({ name }) => name)).toEqual([
      'bundled/base.cedar',
      'bundled/level-low.cedar',
    ])
  })
})
