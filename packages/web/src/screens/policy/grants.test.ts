import { type GrantView, idFrom } from '@countersign/contract'
import { describe, expect, test } from 'vitest'
import { allowedPart, warningPart } from '../../deciding/grant-sentence.ts'
import { breadth, chosenGrants, grantCounts, isUnused, pickedGrants, presetOf } from './grants.ts'

const now = new Date('2026-11-15T12:00:00.000Z')

describe('standing grants', () => {
  test('a grant is unused when nothing used it for fifteen days, and not a day before', () => {
    expect(isUnused(grant(1, { lastUsedAt: '2026-10-31T12:00:00.000Z' }), now)).toBe(true)
    expect(isUnused(grant(1, { lastUsedAt: '2026-11-01T12:00:00.000Z' }), now)).toBe(false)
  })

  test('a grant that was never used counts from when it was given', () => {
    expect(isUnused(grant(1, { lastUsedAt: null, createdAt: '2026-09-01T00:00:00.000Z' }), now)).toBe(true)
    expect(isUnused(grant(1, { lastUsedAt: null, createdAt: '2026-11-02T00:00:00.000Z' }), now)).toBe(false)
  })

  test('what has ended is counted nowhere else', () => {
    const all = [
      grant(1, {}),
      grant(2, { state: 'revoked', lastUsedAt: null, createdAt: '2026-01-01T00:00:00Z' }),
    ]
    expect(grantCounts(all, now)).toEqual({ active: 1, unused: 0, ended: 1 })
  })

  test('a whole tool is broader than a host, a host than a target, a target than one call', () => {
    const said = [
      'http_request: whatever it touches in the workspace or looks at on the network anywhere, as often as needed, for 30 days',
      'http_request: look at any address of https://docs.rs:443 with GET or HEAD for this agent, up to 100 times, for 30 days',
      'http_request: look at any address of https://docs.rs:443 with GET for this agent, up to 100 times, for 30 days',
      'http_request: this exact call for this agent, up to 100 times, for 30 days',
    ]
    const scores = said.map((sentence) => breadth(grant(1, { sentence })).score)
    expect(scores).toEqual(scores.toSorted((a, b) => b - a))
    expect(new Set(scores).size).toBe(4)
  })

  test('a grant for a folder is not taken for one of a single file', () => {
    const folder = grant(1, {
      sentence: 'write_file: create plain files in books for this agent, up to 9 times, for a day',
    })
    const file = grant(1, { sentence: 'write_file: write a.txt for this agent, up to 9 times, for a day' })
    expect(breadth(folder).score).toBeGreaterThan(breadth(file).score)
  })

  test('the sentence loses its terms, and one that is said otherwise stays whole', () => {
    expect(allowedPart('read_file: read a.txt in this run, up to 3 times, for 30 minutes')).toBe(
      'read_file: read a.txt',
    )
    expect(allowedPart('GET to docs.rs, until 18:00.')).toBe('GET to docs.rs, until 18:00.')
  })

  test('what a grant warns of is told apart from what it allows', () => {
    const said =
      'json_api: look at any address of https://docs.rs:443 with GET or HEAD for this agent, up to 9 times, for 30 days; also in a task that has read untrusted content: docs.rs can then learn what that task knows'
    expect(allowedPart(said)).toBe('json_api: look at any address of https://docs.rs:443 with GET or HEAD')
    expect(warningPart(said)).toBe(
      'Also in a task that has read untrusted content: docs.rs can then learn what that task knows.',
    )
    expect(
      warningPart(
        'a: b anywhere, as often as needed, for a day; a task that has read untrusted content asks again',
      ),
    ).toBe('')
  })

  test('revokes what was picked, or all that hold, and never what is over', () => {
    const all = [grant(1), grant(2), grant(3, { state: 'used' })]
    expect(pickedGrants(all, new Set([grant(1).id])).map(({ id }) => id)).toEqual([grant(1).id])
    expect(pickedGrants(all, new Set())).toHaveLength(2)
  })

  test('an unknown preset shows what holds', () => {
    expect(presetOf('everything')).toBe('active')
    expect(chosenGrants([grant(1), grant(2, { state: 'expired' })], presetOf(undefined), now)).toHaveLength(1)
  })
})

function grant(number: number, other: Partial<GrantView> = {}): GrantView {
  return {
    id: idFrom('gr', number.toString(16).padStart(32, '0')),
    sentence:
      'http_request: look at any address of https://docs.rs:443 with GET for this agent, up to 100 times, for 30 days',
    tool: 'http_request',
    approval: null,
    createdAt: '2026-11-01T00:00:00.000Z',
    expiresAt: '2026-12-01T00:00:00.000Z',
    uses: 1,
    maxUses: 100,
    lastUsedAt: '2026-11-14T00:00:00.000Z',
    agent: 'assistant',
    goal: null,
    session: null,
    run: null,
    untrusted: false,
    unusedEndsAt: '2026-12-14T00:00:00.000Z',
    state: 'active',
    ...other,
  }
}
