import { randomUUIDv7 } from 'node:crypto'
import { canonicalText, idFrom } from '@countersign/contract'
import { describe, expect, it } from 'vitest'
import { madeDraft, madeSubject } from '../testing/made-requests.ts'
import { type ApprovalRow, subjectOf } from './approval-row.ts'
import { viewOfApproval } from './approval-view.ts'

const at = new Date('2026-11-15T10:00:00.000Z')
const later = new Date('2026-11-15T11:00:00.000Z')
const subject = madeSubject({
  operator: idFrom('op', randomUUIDv7()),
  session: idFrom('ses', randomUUIDv7()),
  run: idFrom('run', randomUUIDv7()),
  call: idFrom('call', randomUUIDv7()),
})
const { card, offers } = madeDraft(subject)
const pending: ApprovalRow = {
  operator_id: subject.operator,
  id: idFrom('apr', randomUUIDv7()),
  code: 'ABCD',
  call_id: subject.call,
  run_id: subject.run,
  session_id: subject.session,
  state: 'pending',
  tier: 2,
  digest: 'd',
  subject: canonicalText(subject),
  card,
  agent_says: 'Let me look.',
  seal: null,
  spent_at: null,
  created_at: at,
  expires_at: later,
  decided_at: null,
  decided_by: null,
  reason: null,
  asked: [{ question: 'Why?', answer: 'Because.', at: at.toISOString() }],
  replaces: idFrom('apr', randomUUIDv7()),
  offers,
}

describe('what a person sees of a request', () => {
  it('is all of it but the subject and the seal', () => {
    const { options, ...view } = viewOfApproval(pending)
    expect(view).toEqual({
      id: pending.id,
      code: 'ABCD',
      state: 'pending',
      digest: 'd',
      card,
      asks: {
        en: {
          why: 'Asks because nothing you set up allows it.',
          stops:
            'Allowed for a run, a session or 30 minutes, it stops for this host until the task reads words of strangers.',
        },
        de: {
          why: 'Fragt, weil nichts, was du eingerichtet hast, es erlaubt.',
          stops:
            'Für einen Lauf, eine Sitzung oder 30 Minuten erlaubt, endet es für diesen Host, bis sie Worte Fremder liest.',
        },
      },
      agentSays: 'Let me look.',
      asked: pending.asked,
      replaces: pending.replaces,
      session: subject.session,
      run: subject.run,
      call: subject.call,
      createdAt: at.toISOString(),
      expiresAt: later.toISOString(),
      decidedAt: null,
      decidedBy: null,
      reason: null,
      receipt: null,
    })
    expect(options.map(({ scope }) => scope)).toEqual(['once', 'run', 'session', 'time', 'rule'])
  })

  it('always offers this call alone, and no scope that policy did not offer', () => {
    const untrusted = { run: false, stops: [] }
    const scopes = (offers: ApprovalRow['offers']) =>
      viewOfApproval({ ...pending, offers }).options.map(({ scope }) => scope)
    expect(scopes({ scopes: [], stops: [], untrusted, unread: 'asks' })).toEqual(['once'])
    expect(scopes({ scopes: ['time'], stops: [], untrusted, unread: 'asks' })).toEqual(['once', 'time'])
    expect(scopes({ scopes: [], stops: ['call'], untrusted, unread: 'asks' })).toEqual(['once', 'rule'])
    const open = { run: true, stops: ['target' as const] }
    expect(scopes({ scopes: [], stops: [], untrusted: open, unread: 'asks' })).toEqual([
      'once',
      'run',
      'rule',
    ])
  })

  it('says beside every scope what it would cover', () => {
    const sentences = viewOfApproval(pending).options.map(({ sentence }) => sentence)
    expect(new Set(sentences).size).toBe(5)
    for (const sentence of sentences.slice(1, 4)) expect(sentence).toContain('example.org')
  })
})

describe('a receipt', () => {
  const decided = { ...pending, state: 'approved', decided_at: later, decided_by: 'desk' } as const

  it('says who decided what, and leaves when to the surface', () => {
    expect(viewOfApproval(decided)).toMatchObject({ decidedAt: later.toISOString(), decidedBy: 'desk' })
    expect(viewOfApproval(decided).receipt).toBe(`Approved by desk: Crosses a boundary: ${card.headline}`)
  })

  it('names nobody where nobody decided', () => {
    const { receipt } = viewOfApproval({ ...decided, state: 'expired', decided_by: null })
    expect(receipt).not.toMatch(/null| by /)
  })

  it.each([
    { state: 'pending', decided_at: null },
    { state: 'pending', decided_at: later },
    { state: 'approved', decided_at: null },
  ] as const)('is not there for %j', (change) => {
    expect(viewOfApproval({ ...decided, ...change }).receipt).toBeNull()
  })
})

it('reads the subject back as it was, and refuses one with a field that it does not know', () => {
  expect(subjectOf(pending)).toEqual(subject)
  expect(() => subjectOf({ subject: canonicalText({ ...subject, more: 1 }) })).toThrow()
})
