import type { InnerCall, JsonObject, ToolCatalogue, ToolFacts } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { catalogue as base } from '../testing/test-kernel.ts'
import { canonicalize, canonicalizeOwn } from './canonicalize.ts'

const look = base.find('look') as ToolFacts
const standsFor = (
  name: string,
  inner: InnerCall | readonly InnerCall[],
  change: Partial<ToolFacts> = {},
) => ({
  ...look,
  name,
  unwrap: () =>
    'tool' in inner
      ? ({ kind: 'one', call: inner } as const)
      : ({ kind: 'many', calls: [...inner] } as const),
  ...change,
})
const picky: ToolFacts = {
  ...look,
  name: 'picky',
  parse: (value) =>
    (value as JsonObject)['ok'] === true
      ? { kind: 'args', args: { ok: true } }
      : { kind: 'invalid', problems: ['ok: must be true'] },
}
const wordy: ToolFacts = { ...picky, name: 'wordy', schema: { description: 'x'.repeat(9_000) } }
const to = (tool: string): InnerCall => ({ tool, args: {} })
const more = [
  picky,
  wordy,
  { ...picky, name: 'secretive', hidden: true },
  { ...picky, name: 'by-hand', hidden: true, byHand: true },
  standsFor('one', to('look')),
  standsFor('two', to('one')),
  standsFor('three', to('two')),
  standsFor('four', to('three')),
  standsFor('around-batch', to('batch')),
  standsFor('to-hidden', to('program')),
  standsFor('accepted', to('program'), { standsForHidden: true }),
  standsFor('made-far', to('to-hidden'), { origin: base.find('made')?.origin ?? null }),
  standsFor('picky-one', to('look'), { parse: picky.parse }),
  standsFor('picky-batch', [to('look')], { parse: picky.parse }),
  standsFor('hidden-batch', [to('look')], { hidden: true }),
  standsFor('several', [to('three'), to('two'), to('look')]),
] as ToolFacts[]
const catalogue: ToolCatalogue = {
  ...base,
  find: (name) => more.find((tool) => tool.name === name) ?? base.find(name),
}
const reasonOf = (tool: string, args = '{}') => {
  const canonicalized = canonicalize({ tool, args }, catalogue)
  return canonicalized.kind === 'invalid' ? canonicalized.reason : canonicalized.kind
}

describe('a call as the model wrote it', () => {
  it('becomes canonical, whatever its spelling', () => {
    const canonicalized = canonicalize({ tool: 'look', args: ' { "b": 1, "a": "\\u0041" } ' }, catalogue)
    expect(canonicalized).toMatchObject({
      kind: 'canonical',
      call: { args: '{"a":"A","b":1}', value: { a: 'A', b: 1 }, origin: null },
    })
  })

  it('without arguments has empty ones, and with broken ones is refused', () => {
    expect(canonicalize({ tool: 'look', args: '  ' }, catalogue)).toMatchObject({ call: { args: '{}' } })
    expect(reasonOf('look', '{"a":1,"a":2}')).toContain('not valid JSON')
    expect(reasonOf('look', '{')).toContain('not valid JSON')
  })

  it('of a tool that is not there or is hidden is refused with the same words', () => {
    expect(reasonOf('nothing')).toBe('There is no tool named nothing.')
    expect(reasonOf('program')).toBe('There is no tool named program.')
    expect(reasonOf('hidden-batch')).toBe('There is no tool named hidden-batch.')
  })

  it('that does not fit its tool is told what the tool takes', () => {
    expect(reasonOf('picky')).toBe(
      'The arguments do not fit picky: ok: must be true. It takes {"type":"object"}',
    )
    expect(reasonOf('picky', '{"ok":true}')).toBe('canonical')
    expect(reasonOf('picky-one')).toContain('do not fit picky-one')
    expect(reasonOf('picky-batch')).toContain('do not fit picky-batch')
    expect(reasonOf('picky-batch', '{"ok":true}')).toBe('many')
  })

  it('is told no more of a long description than a model can use', () => {
    const reason = reasonOf('wordy')
    expect(reason.slice(reason.indexOf('{'))).toHaveLength(4_000)
  })

  it('is refused when it holds the mark of a hidden value, in any spelling', () => {
    expect(reasonOf('look', '{"a":"‹secret:x›"}')).not.toBe('canonical')
    expect(reasonOf('look', '{"a":["\\u2039secret:x\\u203a"]}')).not.toBe('canonical')
    expect(reasonOf('look', '{"a":"{{secret:x}}"}')).toBe('canonical')
  })
})

describe('a call that stands for another', () => {
  it('is the other one', () => {
    expect(canonicalize({ tool: 'one', args: '{}' }, catalogue)).toMatchObject({
      call: { tool: { name: 'look' } },
    })
    expect(reasonOf('three')).toBe('canonical')
  })

  it('is refused when it is nested too deeply', () => {
    expect(reasonOf('four')).toBe('The call is nested too deeply.')
  })

  it('reaches a hidden tool when the operator accepted what stands for it, and brings no content along', () => {
    expect(canonicalize({ tool: 'accepted', args: '{}' }, catalogue)).toMatchObject({
      kind: 'canonical',
      call: { tool: { name: 'program' }, origin: null },
    })
  })

  it('reaches a hidden tool only when it was made in a conversation, and brings where it comes from', () => {
    expect(reasonOf('to-hidden')).toBe('There is no tool named program.')
    const origin = base.find('made')?.origin
    expect(canonicalize({ tool: 'made', args: '{}' }, catalogue)).toMatchObject({
      call: { tool: { name: 'program' }, origin },
    })
    expect(canonicalize({ tool: 'made-far', args: '{}' }, catalogue)).toMatchObject({
      call: { tool: { name: 'program' }, origin },
    })
  })

  it('of several holds each of them, and cannot stand inside another', () => {
    const canonicalized = canonicalize({ tool: 'several', args: '{}' }, catalogue)
    expect(canonicalized).toMatchObject({
      kind: 'many',
      tool: { name: 'several' },
      calls: [
        {
          kind: 'invalid',
          reason: 'The call is nested too deeply.',
          proposed: { tool: 'three', args: '{}' },
        },
        { kind: 'canonical', proposed: { tool: 'two' } },
        { kind: 'canonical', call: { tool: { name: 'look' } } },
      ],
    })
    expect(reasonOf('around-batch')).toContain('cannot stand inside another call')
  })
})

describe('a call of the product itself', () => {
  it('may use a hidden tool, and is refused like any other', () => {
    const own = (tool: string, args = '{}') => canonicalizeOwn({ tool, args }, catalogue)
    expect(own('program')).toMatchObject({ kind: 'canonical', call: { origin: null } })
    expect(own('nothing')).toMatchObject({ kind: 'invalid', tool: 'nothing' })
    expect(own('look', '{')).toMatchObject({ kind: 'invalid', tool: 'look' })
    expect(own('secretive')).toMatchObject({
      kind: 'invalid',
      reason: 'The arguments do not fit secretive: ok: must be true.',
    })
  })
})

describe('a hidden tool that the operator calls by hand', () => {
  const args = '{"ok":true}'
  it('is there for the operator, and for no model', () => {
    expect(canonicalize({ tool: 'by-hand', args }, catalogue, 'operator')).toMatchObject({
      kind: 'canonical',
    })
    expect(canonicalize({ tool: 'by-hand', args }, catalogue)).toMatchObject({ kind: 'invalid' })
  })
  it('is not reached by what stands for it, whoever asks', () => {
    expect(reasonOf('to-hidden')).not.toBe('canonical')
    expect(canonicalize({ tool: 'to-hidden', args: '{}' }, catalogue, 'operator').kind).toBe('invalid')
    expect(canonicalize({ tool: 'secretive', args }, catalogue, 'operator').kind).toBe('invalid')
  })
})
