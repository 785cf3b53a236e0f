import { randomUUIDv7 } from 'node:crypto'
import {
  type ApprovalSubject,
  type DecideApproval,
  type DeviceSeal,
  type GrantRequest,
  idFrom,
  type PasskeySeal,
  permitLifetimeMs,
  type RuleRequest,
  ruleText,
  type Seal,
} from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MadeApprovals, madeApprovals } from '../testing/made-requests.ts'
import { began, type MadeCall, type MadeStore, openMadeStore } from '../testing/made-store.ts'
import type { ApprovalRow } from './approval-row.ts'
import type { Decider, SealChecks } from './seal-verdict.ts'

type Approve = Extract<DecideApproval, { verdict: 'approve' }>

const desk: Decider = { kind: 'operator', id: 'desk', reach: 3 }
const day = 24 * 60 * 60_000
const denial = { verdict: 'deny', reason: 'Not today', stop: false } as const
const device: DeviceSeal = {
  by: 'device',
  device: idFrom('dev', randomUUIDv7()),
  decidedAt: began.toISOString(),
  signature: 'c2ln',
}
const proof = { credential: 'c', authenticatorData: 'YQ==', clientData: 'Yg==', signature: 'Yw==' }
const passkey: PasskeySeal = { by: 'passkey', decidedAt: began.toISOString(), ...proof }
const rule = { scope: 'rule', stop: 'target', where: 'everywhere', days: 1, maxUses: null } as const
let store: MadeStore
let approvals: MadeApprovals
let call: MadeCall
let seals: SealChecks

beforeAll(async () => {
  store = await openMadeStore()
  approvals = madeApprovals(store, {
    seals: {
      check: (...args) => seals.check(...args),
      proves: (...args) => seals.proves(...args),
    },
  })
})
afterAll(() => store.close())
beforeEach(async () => {
  call = await store.newCall(await store.newOperator())
  seals = { check: () => Promise.resolve(null), proves: () => Promise.resolve(true) }
  store.clear()
  approvals.freed.length = 0
  approvals.settled.length = 0
})

const after = (ms: number) => new Date(began.getTime() + ms)
const asked = (tier: ApprovalSubject['tier'] = 2) => approvals.ask(call, { tier })
const decide = (row: ApprovalRow, verdict: DecideApproval, by = desk) =>
  approvals.decide(row.operator_id, row.id, verdict, by)
const approve = (row: ApprovalRow, change: Partial<Approve> = {}, by = desk) =>
  decide(row, { verdict: 'approve', digest: row.digest, ...change }, by)
const deadlines = () => store.system.selectFrom('deadlines').select('approval_id').execute()

/** Nothing was decided, and nobody was told of anything. */
async function stillWaits(row: ApprovalRow) {
  expect(await approvals.row(row)).toEqual(row)
  expect(store.entries.filter(({ type }) => type !== 'approval.requested')).toEqual([])
  expect(store.events.filter(({ type }) => type !== 'approval.requested')).toEqual([])
  expect([approvals.freed, approvals.settled]).toEqual([[], []])
}

describe('an approval', () => {
  it('is sealed, kept with who and when, and reaches its call, the ledger and the stream', async () => {
    const row = await asked()
    const other = await asked()
    store.now = after(1_000)
    const decided = await approve(row)
    const now = await approvals.row(row)
    expect(decided).toMatchObject({ row: now, grant: null })
    expect(decided.ledger).toBeGreaterThan(0)
    const seal = { by: 'gateway', decidedAt: store.now.toISOString(), signature: expect.any(String) }
    const end = { state: 'approved', decided_at: store.now, decided_by: 'desk', reason: null, spent_at: null }
    expect(now).toEqual({ ...row, ...end, seal })
    expect(approvals.settled).toMatchObject([{ approval: now, run: { id: call.run } }])
    expect(approvals.freed).toEqual([call.operator])
    const { session, run, call: about } = call
    expect(store.entries.at(-1)).toEqual({
      type: 'approval.decided',
      actor: desk,
      session,
      run,
      call: about,
      approval: row.id,
      data: { verdict: 'approved', digest: row.digest, code: row.code, reason: null, seal: 'gateway' },
    })
    expect(store.events.at(-1)).toEqual({
      type: 'approval.decided',
      session,
      run,
      approval: row.id,
      code: row.code,
      state: 'approved',
      by: 'desk',
      reason: null,
    })
    expect(await approvals.row(other)).toEqual(other)
    const due = (await deadlines()).map(({ approval_id }) => approval_id)
    expect(due).toContain(other.id)
    expect(due).not.toContain(row.id)
  })

  it('is of the digest that the approver saw, and of no other', async () => {
    const row = await asked()
    const { digest } = await asked()
    await expect(approve(row, { digest })).rejects.toMatchObject({ code: 'conflict' })
    await stillWaits(row)
  })

  it('is not given by another operator', async () => {
    const row = await asked()
    const stranger = await store.newOperator()
    for (const verdict of [denial, { verdict: 'approve', digest: row.digest } as const])
      await expect(approvals.decide(stranger, row.id, verdict, desk)).rejects.toMatchObject({
        code: 'not_found',
      })
    await stillWaits(row)
  })

  it('is not kept when its call cannot take it', async () => {
    const failing = madeApprovals(store, { requestClosed: () => Promise.reject(new Error('no')) })
    const row = await asked()
    const verdict = { verdict: 'approve', digest: row.digest } as const
    await expect(failing.decide(call.operator, row.id, verdict, desk)).rejects.toThrow('no')
    await stillWaits(row)
  })
})

describe('a denial', () => {
  it('keeps the operator’s words and has no seal', async () => {
    const row = await asked()
    const { row: denied, grant } = await decide(row, { ...denial, reason: 'Not\0today' })
    const end = {
      state: 'denied',
      decided_at: began,
      decided_by: 'desk',
      reason: 'Not\uFFFDtoday',
      seal: null,
    }
    expect(denied).toEqual({ ...row, ...end })
    expect(grant).toBeNull()
    expect(approvals.settled).toMatchObject([{ approval: { state: 'denied' } }])
    expect(store.entries.at(-1)?.data).toMatchObject({ verdict: 'denied', reason: end.reason, seal: null })
    expect(store.events.at(-1)).toMatchObject({ state: 'denied', reason: end.reason })
  })

  it('needs no seal at any tier, and no device of any reach', async () => {
    const { row } = await decide(await asked(4), denial, { ...desk, reach: 0 })
    expect(row.state).toBe('denied')
  })
})

describe('a request is decided once', () => {
  it.each(['approved', 'denied'] as const)(
    'and one that is %s is neither approved nor denied',
    async (state) => {
      const row = await asked()
      await (state === 'approved' ? approve(row) : decide(row, denial))
      const first = await approvals.row(row)
      store.now = after(60_000)
      const conflict = {
        code: 'conflict',
        message: expect.stringContaining(`by desk at ${began.toISOString()}`),
      }
      await expect(approve(row, {}, { ...desk, id: 'phone' })).rejects.toMatchObject(conflict)
      await expect(decide(row, denial, { ...desk, id: 'phone' })).rejects.toMatchObject(conflict)
      expect(await approvals.row(row)).toEqual(first)
      expect(approvals.settled).toHaveLength(1)
    },
  )

  it('and whoever comes later hears of that, not of what the decision lacks', async () => {
    const row = await asked(3)
    await decide(row, denial)
    await expect(approve(row)).rejects.toMatchObject({ code: 'conflict' })
    await expect(approve(row, { digest: 'other' })).rejects.toMatchObject({ code: 'conflict' })
  })

  it('also by someone who saw it wait', async () => {
    const row = await asked(3)
    seals.check = async () => {
      await decide(row, denial)
      return null
    }
    await expect(approve(row, { seal: device })).rejects.toMatchObject({ code: 'conflict' })
    expect(await approvals.row(row)).toMatchObject({ state: 'denied', seal: null })
    expect(approvals.settled).toHaveLength(1)
  })

  it('by whoever is first, of many at once', async () => {
    const row = await asked()
    const ends = await Promise.allSettled([
      approve(row),
      decide(row, denial),
      approve(row),
      decide(row, denial),
    ])
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(approvals.settled).toHaveLength(1)
  })
})

describe('a request whose time is over', () => {
  it('is decided until the last millisecond', async () => {
    const [one, other] = [await asked(), await asked()]
    store.now = after(day - 1)
    await approve(one)
    await decide(other, denial)
  })

  it.each(['approve', 'deny'] as const)('takes no verdict to %s any more', async (verdict) => {
    const row = await asked()
    store.now = after(day)
    const late = verdict === 'approve' ? approve(row) : decide(row, denial)
    await expect(late).rejects.toMatchObject({ code: 'expired' })
    await stillWaits(row)
  })

  it('is told to have expired also after it was ended', async () => {
    const row = await asked()
    store.now = after(day)
    await approvals.expire(store.now)
    await expect(approve(row)).rejects.toMatchObject({ code: 'expired' })
    await expect(decide(row, denial)).rejects.toMatchObject({ code: 'expired' })
  })
})

describe('a seal', () => {
  it('of the gateway is enough at the boundary, for a device that may decide there', async () => {
    const row = await asked(2)
    await expect(approve(row, {}, { ...desk, reach: 0 })).rejects.toMatchObject({ code: 'not_authenticated' })
    await stillWaits(row)
    expect((await approve(row, {}, { ...desk, reach: 2 })).row.seal).toMatchObject({ by: 'gateway' })
  })

  it('of the gateway is not enough above it', async () => {
    const row = await asked(3)
    await expect(approve(row)).rejects.toMatchObject({ code: 'not_authenticated' })
    await stillWaits(row)
  })

  it.each<[ApprovalSubject['tier'], Seal]>([
    [2, device],
    [3, device],
    [3, passkey],
    [4, passkey],
  ])('that holds is kept as it came: tier %i, %j', async (tier, seal) => {
    const checked: unknown[] = []
    seals.check = (...args) => {
      checked.push(args)
      return Promise.resolve(null)
    }
    const row = await asked(tier)
    const decided = await approve(row, { seal: seal as DeviceSeal }, { ...desk, reach: 0 })
    expect(decided.row).toMatchObject({ state: 'approved', seal })
    expect(checked).toEqual([[seal, row.digest, tier]])
    expect(store.entries.at(-1)?.data).toMatchObject({ seal: seal.by })
  })

  it.each([{}, { seal: device }])('of a passkey is needed at the highest tier: %j', async (change) => {
    const row = await asked(4)
    await expect(approve(row, change)).rejects.toMatchObject({ code: 'step_up_needed' })
    await stillWaits(row)
  })

  it('that does not hold is refused', async () => {
    seals.check = () => Promise.resolve('it is of another device')
    const row = await asked(3)
    await expect(approve(row, { seal: device })).rejects.toMatchObject({ code: 'not_authenticated' })
    await stillWaits(row)
  })

  it('is refused when it comes too late', async () => {
    const row = await asked(3)
    store.now = after(permitLifetimeMs)
    const minutes = permitLifetimeMs / 60_000
    await expect(approve(row, { seal: device })).rejects.toMatchObject({
      code: 'expired',
      message: expect.stringContaining(` ${minutes} `),
    })
    await stillWaits(row)
    store.now = after(permitLifetimeMs - 1)
    await approve(row, { seal: device })
  })
})

describe('a grant with an approval', () => {
  const grants = () => store.read(call.operator, (db) => db.selectFrom('grants').selectAll().execute())
  const approveWith = (row: ApprovalRow, grant: GrantRequest, change: Partial<Approve> = {}) =>
    approve(row, { grant, ...change })

  it('is made of the request in the same unit', async () => {
    const row = await asked()
    const { grant } = await approveWith(row, { scope: 'run' })
    expect(await grants()).toMatchObject([
      { id: grant, approval_id: row.id, run_id: call.run, tool: 'fetch' },
    ])
  })

  it('is none where the request did not offer it, and then nothing is approved', async () => {
    const untrusted = { run: false, stops: [] }
    const offers = { scopes: ['time' as const], stops: ['call' as const], untrusted, unread: 'asks' as const }
    const row = await approvals.ask(call, {}, { offers })
    for (const grant of [{ scope: 'run' }, rule] as const)
      await expect(approveWith(row, grant)).rejects.toMatchObject({ code: 'usage' })
    await stillWaits(row)
    expect(await grants()).toEqual([])
    await approveWith(row, { ...rule, stop: 'call' })
  })

  it('that holds after untrusted content is given by a device that may approve such a call then', async () => {
    const untrusted = { run: true, stops: ['target' as const] }
    const offers = {
      scopes: ['run' as const],
      stops: ['target' as const],
      untrusted,
      unread: 'asks' as const,
    }
    const row = await approvals.ask(call, {}, { offers })
    const phone = { ...desk, reach: 2 as const }
    for (const grant of [{ scope: 'run' }, { ...rule, stop: 'target', untrusted: true }] as const)
      await expect(approve(row, { grant }, phone)).rejects.toMatchObject({ code: 'not_authenticated' })
    await stillWaits(row)
    expect(await grants()).toEqual([])
    await approve(row, { grant: { ...rule, stop: 'target' } }, phone)
  })

  it('can be made afterwards of what was approved and offered it, by whoever may approve such a call', async () => {
    const row = await asked()
    const make = (request: RuleRequest, by = desk) =>
      approvals.grantAfterwards(row.operator_id, row.id, request, by)
    await expect(make(rule)).rejects.toMatchObject({ code: 'usage' })
    await approve(row)
    await expect(make({ ...rule, untrusted: true })).rejects.toMatchObject({ code: 'usage' })
    await expect(make({ ...rule, stop: 'tool' })).rejects.toMatchObject({ code: 'usage' })
    await expect(make(rule, { ...desk, reach: 0 })).rejects.toMatchObject({ code: 'not_authenticated' })
    expect(await grants()).toEqual([])
    const { grant } = await make(rule)
    expect(await grants()).toMatchObject([{ id: grant, approval_id: row.id, untrusted: false }])
  })

  it('is not made afterwards of what was denied', async () => {
    const row = await asked()
    await decide(row, denial)
    const made = approvals.grantAfterwards(row.operator_id, row.id, rule, desk)
    await expect(made).rejects.toMatchObject({ code: 'usage' })
  })

  it('of a whole tool needs a passkey’s word for exactly this rule', async () => {
    const broad = { ...rule, stop: 'tool' } as const
    const row = await asked()
    const told: unknown[] = []
    seals.proves = (...args) => {
      told.push(args)
      return Promise.resolve(false)
    }
    await expect(approveWith(row, broad)).rejects.toMatchObject({ code: 'step_up_needed' })
    expect(told).toEqual([])
    await expect(approveWith(row, broad, { proof })).rejects.toMatchObject({ code: 'step_up_needed' })
    expect(told).toEqual([[proof, ruleText(row.id, row.digest, broad)]])
    await stillWaits(row)
    expect(await grants()).toEqual([])
    seals.proves = () => Promise.resolve(true)
    const { grant } = await approveWith(row, broad, { proof })
    expect(await grants()).toMatchObject([{ id: grant, covers: [{ type: 'tool' }] }])
  })

  it.each<GrantRequest>([{ scope: 'run' }, { scope: 'time' }, rule, { ...rule, stop: 'place' }])(
    'that is narrower needs none: %j',
    async (grant) => {
      seals.proves = () => Promise.resolve(false)
      expect((await approveWith(await asked(), grant)).grant).not.toBeNull()
    },
  )

  it('for a goal is for that of the run, and without one nothing is approved', async () => {
    const goal = { ...rule, where: 'goal' } as const
    const row = await asked()
    await expect(approveWith(row, goal)).rejects.toMatchObject({ code: 'usage' })
    await stillWaits(row)
    call = await store.newCall(call.operator, undefined, 'spring')
    const { grant } = await approveWith(await asked(), goal)
    expect(await grants()).toMatchObject([{ id: grant, goal: 'spring' }])
  })
})
