import type { GrantRequest } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { grantSubjectOf, isOffered, termsOf, viewOfGrant } from './grants.ts'
import { freeSpace, mostUndecided, mostUndecidedOfRun } from './inbox.ts'

const nothing = { run: false, stops: [] }

describe('the terms of a grant', () => {
  it.each<[GrantRequest, ReturnType<typeof termsOf>]>([
    [{ scope: 'run' }, { where: 'run', uses: 20, minutes: 1440, untrusted: false }],
    [{ scope: 'session' }, { where: 'session', uses: 20, minutes: 1440, untrusted: false }],
    [{ scope: 'time' }, { where: 'everywhere', uses: 20, minutes: 30, untrusted: false }],
    [
      { scope: 'time', minutes: 5, maxUses: 2 },
      { where: 'everywhere', uses: 2, minutes: 5, untrusted: false },
    ],
    [
      { scope: 'rule', stop: 'call', where: 'goal', days: 2, maxUses: null },
      { where: 'goal', uses: null, minutes: 2880, untrusted: false },
    ],
  ])('of %j say where, how often and how long', (request, terms) => {
    expect(termsOf(request, { untrusted: nothing })).toEqual(terms)
  })

  it('hold after untrusted content was read for a rule that says so, and for a run that was offered so', () => {
    const rule = { scope: 'rule', stop: 'target', where: 'agent', days: 2, maxUses: null } as const
    const open = { untrusted: { run: true, stops: [] } }
    expect(termsOf({ ...rule, untrusted: true }, { untrusted: nothing }).untrusted).toBe(true)
    expect(termsOf(rule, open).untrusted).toBe(false)
    expect(termsOf({ scope: 'run' }, open).untrusted).toBe(true)
    expect(termsOf({ scope: 'session' }, open).untrusted).toBe(false)
    expect(termsOf({ scope: 'time' }, open).untrusted).toBe(false)
  })
})

it('offers only the scopes and the stops that the request lists', () => {
  const offers = { scopes: ['run'], stops: ['call'], untrusted: nothing } as Parameters<typeof isOffered>[1]
  const rule = { scope: 'rule', where: 'everywhere', days: 1, maxUses: null } as const
  expect(isOffered({ scope: 'run' }, offers)).toBe(true)
  expect(isOffered({ scope: 'session' }, offers)).toBe(false)
  expect(isOffered({ ...rule, stop: 'call' }, offers)).toBe(true)
  expect(isOffered({ ...rule, stop: 'tool' }, offers)).toBe(false)
  expect(isOffered({ ...rule, stop: 'call', untrusted: true }, offers)).toBe(false)
  const open = { scopes: [], stops: [], untrusted: { run: true, stops: ['target'] } } as typeof offers
  expect(isOffered({ ...rule, stop: 'target', untrusted: true }, open)).toBe(true)
  expect(isOffered({ ...rule, stop: 'target' }, open)).toBe(false)
  expect(isOffered({ scope: 'run' }, open)).toBe(true)
  expect(isOffered({ scope: 'session' }, open)).toBe(false)
})

it('compares a grant with the run, the session, the agent and the goal of the call', () => {
  const subject = { session: 's', run: 'r', agent: 'a', argsHash: 'h', resources: [], tool: { name: 't' } }
  expect(grantSubjectOf(subject as never, { effects: [] }, 'g')).toEqual({
    ...subject,
    tool: 't',
    effects: [],
    goal: 'g',
  })
})

describe('the state of a grant', () => {
  const now = new Date('2026-01-01T00:00:00.000Z')
  const later = new Date(now.getTime() + 1)
  const row = {
    id: 'gr_1',
    created_at: now,
    expires_at: later,
    revoked_at: null,
    last_used_at: null,
    uses: 1,
    max_uses: 2,
  }
  it.each([
    ['active', {}],
    ['active', { uses: 9, max_uses: null }],
    ['used', { uses: 2 }],
    ['expired', { expires_at: now }],
    ['expired', { expires_at: now, uses: 2 }],
    ['revoked', { revoked_at: now, expires_at: now }],
    ['unused', { created_at: new Date(now.getTime() - 30 * 86_400_000) }],
    ['active', { created_at: new Date(now.getTime() - 30 * 86_400_000 + 1) }],
    ['unused', { revoked_at: now, ended_unused_at: now }],
  ])('is %s with %j', (state, change) => {
    expect(viewOfGrant({ ...row, ...change } as never, now)).toMatchObject({ state, lastUsedAt: null })
  })

  it('comes with the time of its last use', () => {
    expect(viewOfGrant({ ...row, last_used_at: later } as never, now).lastUsedAt).toBe(later.toISOString())
  })
})

it('leaves room for what neither the run nor all runs together have used up, and never less than none', () => {
  expect(freeSpace({ ofRun: 0, all: 0 })).toBe(mostUndecidedOfRun)
  expect(freeSpace({ ofRun: 2, all: 2 })).toBe(mostUndecidedOfRun - 2)
  expect(freeSpace({ ofRun: 0, all: mostUndecided - 1 })).toBe(1)
  expect(freeSpace({ ofRun: 0, all: mostUndecided + 3 })).toBe(0)
  expect(freeSpace({ ofRun: mostUndecidedOfRun, all: 0 })).toBe(0)
})
