import { expect, test } from 'vitest'
import { createConsistency } from './consistency.ts'
import type { LedgerEntry } from './line.ts'

test('takes the whole way of an approved call', () => {
  expect(codes(request(), decision(), intent(), outcome())).toEqual([])
})

test('counts effects by their last word', () => {
  const consistency = createConsistency()
  const told = [
    intent({ tier: 0, nonce: 'a', key: 'a' }),
    outcome({ nonce: 'a' }),
    intent({ tier: 0, nonce: 'b', key: 'b' }),
    outcome({ nonce: 'b', result: 'unknown' }),
    intent({ tier: 0, nonce: 'c', key: 'c' }),
    intent({ tier: 2, nonce: 'd', key: 'd', grant: 'grant_1' }),
    outcome({ nonce: 'd', result: 'unknown' }),
    outcome({ nonce: 'd', result: 'failed' }),
  ]
  for (const entry of told) expect(consistency.take(entry)).toBeUndefined()
  expect(consistency.effects()).toEqual({
    intended: 4,
    ok: 1,
    failed: 1,
    refused: 0,
    unknown: 1,
    open: 1,
    byApproval: 0,
    byGrant: 1,
  })
})

test('refuses an outcome that nothing intended, that another call intended, or that comes first', () => {
  expect(codes(outcome())).toEqual(['outcome-without-intent'])
  expect(codes(intent({ tier: 0 }), outcome({ nonce: 'other' }))).toEqual(['outcome-without-intent'])
  expect(codes(intent({ tier: 0 }), { ...outcome(), call: 'call_2' })).toEqual(['outcome-without-intent'])
  expect(codes(outcome(), intent({ tier: 0 }))).toEqual(['outcome-without-intent'])
})

test('lets an unknown outcome be settled later, and a settled one not be changed', () => {
  const unknown = outcome({ result: 'unknown' })
  expect(codes(intent({ tier: 0 }), unknown, unknown, outcome())).toEqual([])
  expect(codes(intent({ tier: 0 }), outcome(), outcome({ result: 'failed' }))).toEqual(['outcome-repeated'])
  expect(codes(intent({ tier: 0 }), outcome({ result: 'failed' }), outcome())).toEqual(['outcome-repeated'])
})

test('refuses a nonce that is intended twice', () => {
  expect(codes(intent({ tier: 0 }), intent({ tier: 0, nonce: 'n2' }))).toEqual([])
  expect(codes(intent({ tier: 0 }), intent({ tier: 0 }))).toEqual(['nonce-repeated'])
})

test('lets a once-only key succeed once, after failures too, and never twice', () => {
  const first = [intent({ tier: 0 }), outcome()]
  const again = intent({ tier: 0, nonce: 'n2' })
  expect(codes(intent({ tier: 0 }), outcome({ result: 'failed' }), again, outcome({ nonce: 'n2' }))).toEqual(
    [],
  )
  expect(codes(...first, again, outcome({ nonce: 'n2', result: 'refused' }))).toEqual([])
  expect(codes(...first, again, outcome({ nonce: 'n2' }))).toEqual(['once-repeated'])
})

test('lets an idempotent key succeed again', () => {
  const twice = ['n1', 'n2'].flatMap((nonce) => [
    intent({ tier: 0, effect: 'idempotent', nonce }),
    outcome({ nonce }),
  ])
  expect(codes(...twice)).toEqual([])
})

test('asks for an approval or a grant from tier two upwards', () => {
  const bare = { approval: undefined }
  expect(codes(intent({ ...bare, tier: 1 }))).toEqual([])
  expect(codes(intent({ ...bare, tier: 2, grant: 'grant_1' }))).toEqual([])
  for (const tier of [2, 3, 4]) expect(codes(intent({ ...bare, tier }))).toEqual(['approval-missing'])
})

test.each(['denied', 'expired', 'withdrawn', 'superseded'])(
  'refuses an effect on an approval that was %s',
  (verdict) => {
    expect(codes(request(), decision({ verdict }), intent())).toEqual(['approval-not-approved'])
    expect(codes(request(), decision(), decision({ verdict }), intent())).toEqual(['approval-not-approved'])
  },
)

test('refuses an effect on an approval that is unknown, undecided, or decided only afterwards', () => {
  expect(codes(intent())).toEqual(['approval-not-approved'])
  expect(codes(request(), intent())).toEqual(['approval-not-approved'])
  expect(codes(request(), intent(), decision())).toEqual(['approval-not-approved'])
})

test('refuses a named approval that was not given even below tier two', () => {
  expect(codes(intent({ tier: 1, approval: 'apr_1' }))).toEqual(['approval-not-approved'])
})

test('refuses a second use of an approval unless the first was refused', () => {
  const approved = [request(), decision()]
  const second = intent({ nonce: 'n2', key: 'k2' })
  expect(codes(...approved, intent(), outcome({ result: 'refused' }), second)).toEqual([])
  expect(codes(...approved, intent(), second)).toEqual(['approval-reused'])
  for (const result of ['ok', 'failed', 'unknown']) {
    expect(codes(...approved, intent(), outcome({ result }), second)).toEqual(['approval-reused'])
  }
})

test('refuses a decision about another digest, about nothing, or that approves what was denied', () => {
  expect(codes(request(), decision({ digest: 'other' }), intent())).toEqual([
    'approval-digest',
    'approval-not-approved',
  ])
  expect(codes(decision())).toEqual(['approval-digest'])
  expect(codes(request(), request())).toEqual(['approval-digest'])
  expect(codes(request(), decision({ verdict: 'denied' }), decision(), intent())).toEqual([
    'approval-reversed',
    'approval-not-approved',
  ])
})

test('refuses meaningful entries that lack a field, and leaves other types alone', () => {
  const { call: _, ...withoutCall } = intent({ tier: 0 })
  expect(codes(withoutCall)).toEqual(['meaning-fields'])
  for (const wrong of [
    { tier: 5 },
    { tier: 1.5 },
    { nonce: 1 },
    { key: '' },
    { effect: 'twice' },
    { approval: 1 },
  ]) {
    expect(codes(intent(wrong))).toEqual(['meaning-fields'])
  }
  expect(codes(outcome({ result: 'maybe' }))).toEqual(['meaning-fields'])
  expect(codes(request(), decision({ verdict: 'perhaps' }))).toEqual(['meaning-fields'])
  expect(codes({ seq: 1, type: 'effect.imagined', data: {} })).toEqual([])
})

type Data = Record<string, unknown>

function codes(...entries: LedgerEntry[]): string[] {
  const consistency = createConsistency()
  return entries.flatMap((entry, index) => consistency.take({ ...entry, seq: index + 1 })?.code ?? [])
}

function request(): LedgerEntry {
  return { seq: 1, type: 'approval.requested', approval: 'apr_1', data: { digest: 'd1' } }
}

function decision(changes: Data = {}): LedgerEntry {
  const data = { digest: 'd1', verdict: 'approved', ...changes }
  return { seq: 1, type: 'approval.decided', approval: 'apr_1', data }
}

/** Tier three on approval apr_1, unless a lower tier is asked for. */
function intent(changes: Data = {}): LedgerEntry {
  const basis = Number(changes['tier'] ?? 3) < 2 || 'grant' in changes ? {} : { approval: 'apr_1' }
  const data = { tier: 3, nonce: 'n1', key: 'k1', effect: 'once', ...basis, ...changes }
  return { seq: 1, type: 'effect.intended', call: 'call_1', data }
}

function outcome(changes: Data = {}): LedgerEntry {
  return { seq: 1, type: 'effect.outcome', call: 'call_1', data: { nonce: 'n1', result: 'ok', ...changes } }
}
