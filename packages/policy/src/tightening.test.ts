import type { Autonomy } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { compilePolicies } from './compile.ts'
import { looseningsOf } from './tightening.ts'

function policy(autonomy: Autonomy, rules: readonly string[] = [], passkeyTools: readonly string[] = []) {
  const files = rules.map((text, at) => ({ name: `rule-${at}.cedar`, text }))
  const result = compilePolicies({ autonomy, files })
  if (result.kind === 'invalid') throw new Error(JSON.stringify(result.problems))
  return { set: result.set, passkeyTools }
}

const permit = 'permit (principal, action, resource) when { context.tier <= 2 };'
const forbid = 'forbid (principal, action, resource) when { context.outward };'
const ask = 'forbid (principal, action, resource) when { context.outward } unless { context.approved };'
const kinds = (...[before, after]: Parameters<typeof looseningsOf>) =>
  looseningsOf(before, after).map(({ kind }) => kind)

describe('a change that can only ask more', () => {
  it.each([
    ['a lower level', policy('high'), policy('low')],
    ['a new forbid', policy('medium'), policy('medium', [forbid])],
    ['a permit that goes', policy('medium', [permit]), policy('medium')],
    ['another passkey tool', policy('medium'), policy('medium', [], ['execute_shell'])],
    ['nothing', policy('medium', [permit, ask]), policy('medium', [ask, permit])],
    ['a comment', policy('medium', [forbid]), policy('medium', [`// why\n${forbid}`])],
  ])('is %s', (_name, before, after) => {
    expect(looseningsOf(before, after)).toEqual([])
  })
})

describe('a change that may let something through', () => {
  it.each([
    ['a higher level', policy('low'), policy('medium'), ['level']],
    ['a new permit', policy('low'), policy('low', [permit]), ['allows']],
    ['a forbid that goes', policy('low', [forbid]), policy('low'), ['no-longer-forbids']],
    [
      'a refusal that becomes a question',
      policy('low', [forbid]),
      policy('low', [ask]),
      ['no-longer-forbids'],
    ],
    ['a passkey tool that goes', policy('low', [], ['a']), policy('low'), ['passkey']],
    [
      'a lower level that a rule waits for',
      policy('high', ['permit (principal, action, resource) when { context.autonomy == "low" };']),
      policy('low', ['permit (principal, action, resource) when { context.autonomy == "low" };']),
      ['level-read'],
    ],
    [
      'a permit that could fail',
      policy('low', [
        'permit (principal, action, resource) when { context.tier * 9223372036854775807 > 0 };',
      ]),
      policy('low'),
      ['no-longer-fails'],
    ],
    [
      'a permit whose dates could run over',
      policy('low', [
        'permit (principal, action, resource) when { datetime("2026-01-01").offset(duration("9223372036854775807ms")) > datetime("2026-01-01") };',
      ]),
      policy('low'),
      ['no-longer-fails'],
    ],
    [
      'a forbid that keeps its name and reaches less far',
      policy('low', [`@id("mine") ${forbid}`]),
      policy('low', [
        '@id("mine") forbid (principal, action, resource) when { context.outward && context.tier > 3 };',
      ]),
      ['no-longer-forbids'],
    ],
    [
      'a forbid with a letter that looks like another',
      policy('low', [
        'forbid (principal, action, resource) when { context.hosts.contains("mail.example") };',
      ]),
      policy('low', [
        'forbid (principal, action, resource) when { context.hosts.contains("m\u0430il.example") };',
      ]),
      ['no-longer-forbids'],
    ],
    [
      'a permit that swaps its name with a forbid',
      policy('low', [`@id("a") ${forbid}`, `@id("b") ${permit}`]),
      policy('low', [`@id("b") ${forbid}`, `@id("a") ${permit}`]),
      ['allows', 'no-longer-forbids'],
    ],
    [
      'a forbid that becomes a comment',
      policy('low', [forbid]),
      policy('low', [`// ${forbid}`]),
      ['no-longer-forbids'],
    ],
  ])('is %s', (_name, before, after, expected) => {
    expect(kinds(before, after)).toEqual(expected)
  })
})
