import type { RefusalStop, Resource } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { decide } from './decide.ts'
import { refusalAt, refusalsOf } from './refusal.ts'
import { callOf, setOf } from './testing/calls.ts'
import { looseningsOf } from './tightening.ts'

const file = (path: string): Resource => ({
  type: 'file',
  root: 'workspace',
  path,
  op: 'write',
  identity: 'absent',
  content: null,
})

const compiled = (text: string | null) =>
  setOf('full', ...(text === null ? [] : [{ name: 'denied.cedar', text }]))

const refused = (stop: RefusalStop, from: Resource, tool: string, touched: Resource) =>
  decide(
    { ...callOf('write'), tool: { name: tool, category: 'files' }, resources: [touched] },
    compiled(refusalAt(stop, { tool: 'write_file', resources: [from] })),
  ).kind === 'deny'

describe('a standing refusal', () => {
  test.each([
    ['target', 'a/b/c.txt', true],
    ['target', 'a/b/d.txt', false],
    ['place', 'a/b/d.txt', true],
    ['place', 'a/b/deep/d.txt', true],
    ['place', 'a/bc/d.txt', false],
    ['place', 'a/d.txt', false],
    ['tool', 'elsewhere.txt', true],
  ] as const)('of the %s decides about %s: %s', (stop, path, isRefused) => {
    expect(refused(stop, file('a/b/c.txt'), 'write_file', file(path))).toBe(isRefused)
    expect(refused(stop, file('a/b/c.txt'), 'read_file', file(path))).toBe(false)
  })

  test('is offered only where there is something to name', () => {
    expect(refusalAt('target', { tool: 'ask', resources: [] })).toBeNull()
    expect(refusalAt('place', { tool: 'write_file', resources: [file('top.txt')] })).toBeNull()
    expect(refusalAt('tool', { tool: 'ask', resources: [] })).not.toBeNull()
  })

  test('says what it refuses', () => {
    const said = refusalsOf({ tool: 'write_file', resources: [file('a/b.txt')] }, 'en')
    expect(said.map(({ stop }) => stop)).toEqual(['target', 'place', 'tool'])
    expect(said[0]?.sentence).toContain('a/b.txt')
    expect(said[2]?.sentence).toContain('write_file')
  })

  test.each([
    'a"]) }; permit (principal, action, resource);//',
    'a\\"]) }; permit (principal, action, resource);//',
    'a\n"]) };\rpermit (principal, action, resource); //',
    'a“\u2028”\u202e*',
    'a\\u{22}]) }; permit (principal, action, resource);',
  ])('stays one rule that refuses exactly %j, whoever chose that name', (path) => {
    const text = refusalAt('target', { tool: 'write_file', resources: [file(path)] })
    const set = compiled(text)
    const own = [...set.rules.values()].filter(({ file: name }) => name === 'denied.cedar')
    expect(own.map(({ effect }) => effect)).toEqual(['forbid'])
    const before = { set: compiled(null), passkeyTools: [] }
    expect(looseningsOf(before, { set, passkeyTools: [] })).toEqual([])
    expect(refused('target', file(path), 'write_file', file(path))).toBe(true)
    expect(refused('target', file(path), 'write_file', file('a'))).toBe(false)
  })
})
