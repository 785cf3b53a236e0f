import type { Effect } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { allowedBecause, asksBecause, deniedBecause } from './reason.ts'
import { callOf, effect } from './testing/calls.ts'

const plain = callOf('read')
const withEffects = (...effects: Effect[]) => ({
  ...plain,
  effects,
  classification: { ...plain.classification, raised: [] },
})
const rule = (why: string) => ({ id: 'mine.one', why }) as Parameters<typeof deniedBecause>[0]

describe('the sentence that says why a call is asked about', () => {
  it.each<[Partial<Effect> & Pick<Effect, 'verb'>, string]>([
    [{ verb: 'send' }, 'somebody else will see what is sent'],
    [{ verb: 'execute' }, 'running a command cannot be undone'],
    [{ verb: 'spend' }, 'money that is spent does not come back'],
    [{ verb: 'authority' }, 'this hands out authority of yours'],
    [{ verb: 'ask' }, 'somebody else will see the question'],
    [{ verb: 'fetch' }, 'it reaches another host'],
    [{ verb: 'fetch', outward: true }, 'somebody else will see it'],
    [{ verb: 'read' }, 'reading inside the workspace asks at this autonomy level'],
    [{ verb: 'list', scope: 'boundary' }, 'listing outside the workspace asks at this autonomy level'],
    [{ verb: 'write' }, 'writing inside the workspace asks at this autonomy level'],
    [{ verb: 'delete', reversible: false }, 'deleting inside the workspace cannot be undone'],
    [{ verb: 'read', leaves: ['a file'] }, 'something leaves this machine'],
    [{ verb: 'write', outward: true, reversible: false }, 'somebody else will see it'],
  ])('speaks of %j', (change, clause) => {
    expect(asksBecause(withEffects(effect(change)), undefined)).toBe(
      `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`,
    )
  })

  it('prefers the rule, then what raised the tier, then the worst effect', () => {
    const facts = withEffects(effect({ verb: 'read' }), effect({ verb: 'send' }), effect({ verb: 'list' }))
    const raised = { ...facts, classification: { ...facts.classification, raised: ['first', 'last'] } }
    expect(asksBecause(raised, rule('because  of\nme.'))).toBe('Because of me.')
    expect(asksBecause(raised, rule(''))).toBe('Rule mine.one.')
    expect(asksBecause(raised, undefined)).toBe('Last.')
    expect(asksBecause(facts, undefined)).toContain('Somebody else will see what is sent')
    expect(asksBecause(withEffects(), undefined)).toBe('Nothing you set up allows this, so it asks.')
  })
})

it('says what was allowed, and whether a grant did', () => {
  const said = (one: Parameters<typeof effect>[0], byGrant = false) =>
    allowedBecause(withEffects(effect(one)), byGrant)
  expect(said({ verb: 'read' })).toBe('Allowed: reading inside the workspace.')
  expect(said({ verb: 'read', scope: 'boundary' }, true)).toBe(
    'Allowed by your grant: reading outside the workspace.',
  )
  expect(said({ verb: 'write', scope: 'boundary' })).toBe('Allowed: writing what acts outside the workspace.')
  expect(said({ verb: 'list' })).toBe('Allowed: listing inside the workspace.')
  expect(said({ verb: 'delete' })).toBe('Allowed: deleting inside the workspace.')
  expect(said({ verb: 'fetch' })).toBe('Allowed: fetching from another host.')
  expect(said({ verb: 'send' })).toBe('Allowed: sending to somebody else.')
  expect(said({ verb: 'execute' })).toBe('Allowed: running a command.')
  expect(said({ verb: 'spend' })).toBe('Allowed: spending money.')
  expect(said({ verb: 'authority' })).toBe('Allowed: opening a credential or changing who is in charge.')
  expect(said({ verb: 'ask' })).toBe('Allowed: asking you a question.')
  expect(allowedBecause(withEffects(effect({ verb: 'delete' }), effect({ verb: 'write' })), false)).toBe(
    'Allowed: moving or replacing inside the workspace.',
  )
  expect(allowedBecause(withEffects(), false)).toBe('Allowed: it touches nothing.')
})

it('names the rule that denied, and says when none allows', () => {
  expect(deniedBecause(rule('never'))).toBe('Denied: never.')
  expect(deniedBecause(undefined)).toBe('Denied: no rule allows it.')
})
