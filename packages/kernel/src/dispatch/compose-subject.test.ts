import {
  type Decision,
  idFrom,
  operatorLabel,
  type ToolFacts,
  whatText,
  whyText,
} from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { describe, expect, it } from 'vitest'
import { catalogue } from '../testing/test-kernel.ts'
import { cardOf, composeSubject, type SubjectParts } from './compose-subject.ts'

const id = '00000000-0000-7000-8000-000000000001'
const rule = (name: string) => ({ id: name }) as Decision['rules'][number]
const asked: Decision = {
  kind: 'ask',
  tier: 2,
  rules: [rule('r1'), rule('r2')],
  raised: [],
  reason: 'Because.',
}
const tool = { ...(catalogue.find('fetch') as ToolFacts), version: '7', definition: 'hash' }
const resolution: SubjectParts['resolution'] = {
  resources: [{ type: 'peer', channel: 'mail', account: 'me', peer: 'ana' }],
  effects: [
    { verb: 'send', object: 'ana', scope: 'boundary', reversible: false, outward: true, leaves: ['words'] },
  ],
  sandbox: 'none',
  egress: 'example.org',
  secrets: ['key'],
}
const parts: SubjectParts = {
  unseen: { hidden: ['notes/page.md'], own: ['mine'] },
  call: { tool, args: '{"a":1}', value: { a: 1 }, headline: 'fetch', origin: null },
  row: { id: idFrom('call', id), turn: 4, attempt: 3 },
  resolution,
  decision: asked,
  context: {
    operator: idFrom('op', id),
    session: idFrom('ses', id),
    run: idFrom('run', id),
    label: operatorLabel,
    requester: { kind: 'peer', id: 'ana' },
    unattended: true,
    agent: 'assistant',
    goal: 'g',
    firstHand: false,
    inReader: false,
  },
  gateway: { id: idFrom('gw', id), epoch: 5 },
  audience: { executor: idFrom('exe', id), key: 'key' },
  policy: 'policy',
  cause: 'cause',
  chain: [{ kind: 'peer', id: 'ana', name: 'Ana' }],
  approval: idFrom('apr', id),
  asked: new Date('2026-01-01T10:00:00.000Z'),
  now: new Date('2026-01-01T10:00:05.000Z'),
  lifetimeMs: 60_000,
  nonce: 'nonce',
}
const subjectOf = (change: Partial<SubjectParts> = {}) => composeSubject({ ...parts, ...change }).subject
const decided = (change: Partial<Decision>) => subjectOf({ decision: { ...asked, ...change } })

describe('a subject', () => {
  it('binds who asked for what, in which run, for which executor, under which policy', () => {
    const { subject, card } = composeSubject(parts)
    expect(subject).toEqual({
      v: 2,
      audience: { executor: idFrom('exe', id), key: 'key' },
      gateway: { id: idFrom('gw', id), epoch: 5 },
      operator: idFrom('op', id),
      tool: { name: 'fetch', version: '7', definition: 'hash', effect: tool.effect },
      args: '{"a":1}',
      argsHash: sha256Hex('{"a":1}'),
      resources: resolution.resources,
      sandbox: 'none',
      egress: 'example.org',
      secrets: ['key'],
      hidden: ['notes/page.md'],
      own: ['mine'],
      provenance: operatorLabel,
      cause: 'cause',
      session: idFrom('ses', id),
      run: idFrom('run', id),
      call: idFrom('call', id),
      turn: 4,
      agent: 'assistant',
      requester: { kind: 'peer', id: 'ana' },
      policy: 'policy',
      decision: 'ask',
      rules: ['r1', 'r2'],
      tier: 2,
      approvers: ['operator'],
      approval: idFrom('apr', id),
      grant: null,
      chain: parts.chain,
      what: sha256Hex(whatText(card)),
      why: sha256Hex(whyText(card)),
      createdAt: '2026-01-01T10:00:00.000Z',
      notAfter: '2026-01-01T10:01:05.000Z',
      maxUses: 1,
      nonce: 'nonce',
      key: `${idFrom('call', id)}/3`,
    })
  })

  it('says that it was allowed only when it was', () => {
    expect(decided({ kind: 'allow' }).decision).toBe('allow')
    expect(decided({ kind: 'ask' }).decision).toBe('ask')
  })

  it('names the grant that allowed it, or the rule that lets it cross the boundary without asking', () => {
    expect(decided({ kind: 'allow', grant: 'grt_1' }).grant).toBe('grt_1')
    expect(decided({ kind: 'allow' }).grant).toBe('rule:r1')
    expect(decided({ kind: 'allow', rules: [] }).grant).toBe('rule:')
  })

  it('names no rule as a grant where it asks, or where nothing crosses the boundary', () => {
    expect(decided({ kind: 'ask' }).grant).toBe(null)
    expect(decided({ kind: 'allow', tier: 1 }).grant).toBe(null)
    expect(decided({ kind: 'allow', tier: 3 }).grant).toBe(null)
  })
})

it('a card shows the tier, the chain and the reasons, and no character that deceives', () => {
  const card = cardOf(parts.call, resolution, { ...asked, raised: ['a\u202eb'] }, parts.chain)
  expect(card).toMatchObject({
    tier: 2,
    chain: parts.chain,
    why: { reason: 'Because.', rules: [rule('r1'), rule('r2')] },
  })
  expect(card.why.raised).toHaveLength(1)
  expect(card.why.raised[0]).not.toContain('\u202e')
})
