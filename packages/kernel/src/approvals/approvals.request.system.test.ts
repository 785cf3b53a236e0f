import { randomUUIDv7 } from 'node:crypto'
import { idFrom } from '@countersign/contract'
import { digestOf } from '@countersign/contract/node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MadeApprovals, madeApprovals, madeDraft, madeSubject } from '../testing/made-requests.ts'
import { type MadeCall, type MadeStore, openMadeStore } from '../testing/made-store.ts'
import { type ApprovalRow, subjectOf } from './approval-row.ts'
import { viewOfApproval } from './approval-view.ts'

const desk = { kind: 'operator', id: 'desk', reach: 3 } as const
const day = 24 * 60 * 60_000
let store: MadeStore
let approvals: MadeApprovals
let call: MadeCall
let drawn: number

beforeAll(async () => {
  store = await openMadeStore()
  const random = () => {
    drawn += 1
    return 0
  }
  approvals = madeApprovals(store, { random })
})
afterAll(() => store.close())
beforeEach(async () => {
  call = await store.newCall(await store.newOperator())
  store.clear()
  drawn = 0
})

const deny = (row: ApprovalRow) =>
  approvals.decide(row.operator_id, row.id, { verdict: 'deny', reason: '', stop: false }, desk)

describe('a request', () => {
  it('is kept with exactly what its digest is over, and waits a day', async () => {
    const subject = madeSubject(call)
    const replaces = idFrom('apr', randomUUIDv7())
    const made = await store.within(call.operator, (unit) =>
      approvals.request(unit, madeDraft(subject, { replaces, agentSays: 'a\0b' })),
    )
    const row = await approvals.row(made)
    expect(row).toEqual(made)
    expect(subjectOf(row)).toEqual(subject)
    expect(row).toMatchObject({
      id: subject.approval,
      state: 'pending',
      tier: 2,
      digest: digestOf(subject),
      agent_says: 'a\uFFFDb',
      seal: null,
      spent_at: null,
      created_at: store.now,
      expires_at: new Date(store.now.getTime() + day),
      asked: [],
      replaces,
    })
    const deadlines = store.system.selectFrom('deadlines').selectAll().where('approval_id', '=', row.id)
    expect(await deadlines.execute()).toEqual([
      { approval_id: row.id, operator_id: call.operator, due_at: row.expires_at },
    ])
  })

  it('is recorded as asked by the run, with the chain and the rules, and told', async () => {
    const row = await approvals.ask(call)
    const { session, run, call: about } = call
    const { what, why, rules } = subjectOf(row)
    expect(store.entries).toEqual([
      {
        type: 'approval.requested',
        actor: { kind: 'agent', id: run },
        session,
        run,
        call: about,
        approval: row.id,
        data: {
          digest: row.digest,
          code: row.code,
          tier: 2,
          headline: row.card.headline,
          what,
          why,
          chain: ['operator:desk', 'tool:fetch'],
          rules,
          expires: row.expires_at.toISOString(),
        },
      },
    ])
    expect(store.events).toEqual([
      { type: 'approval.requested', session, run, approval: viewOfApproval(row) },
    ])
  })

  it('whose subject names no approval is not made', async () => {
    await expect(approvals.ask(call, { approval: null })).rejects.toThrow('names no approval')
    expect(store.entries).toEqual([])
  })
})

describe('a code', () => {
  it('has four characters, and more only where four attempts found none that is free', async () => {
    expect(await approvals.ask(call)).toMatchObject({ code: '2222' })
    expect(drawn).toBe(4)
    expect(await approvals.ask(call)).toMatchObject({ code: '22222' })
    expect(drawn).toBe(4 + 4 * 4 + 5)
    expect(await approvals.ask(call)).toMatchObject({ code: '222222' })
  })

  it('is free again once its request was decided, and then names the newest', async () => {
    const first = await approvals.ask(call)
    await deny(first)
    const second = await approvals.ask(call)
    expect(second.code).toBe(first.code)
    expect(await approvals.find(call.operator, first.code)).toMatchObject({ id: second.id })
  })

  it('may be that of another operator’s request', async () => {
    await approvals.ask(await store.newCall(await store.newOperator()))
    expect(await approvals.ask(call)).toMatchObject({ code: '2222' })
  })
})

describe('a request is found', () => {
  it('by its id and by its code, however that is written, among others', async () => {
    const letters = madeApprovals(store, { random: () => 9 })
    const row = await letters.ask(call)
    await approvals.ask(call)
    expect(row.code).toMatch(/^[A-Z]{4}$/)
    for (const ref of [row.id, row.code, row.code.toLowerCase()])
      expect(await approvals.find(call.operator, ref)).toEqual(row)
  })

  it('by its operator alone', async () => {
    const row = await approvals.ask(call)
    const stranger = await store.newOperator()
    for (const ref of [row.id, row.code])
      await expect(approvals.find(stranger, ref)).rejects.toMatchObject({ code: 'not_found' })
  })
})
