import { permitLifetimeMs } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MadeApprovals, madeApprovals } from '../testing/made-requests.ts'
import { began, type MadeCall, type MadeStore, openMadeStore } from '../testing/made-store.ts'
import { type ApprovalRow } from './approval-row.ts'
import { viewOfApproval } from './approval-view.ts'
import { longestWaitMs } from './requests.ts'

const desk = { kind: 'operator', id: 'desk', reach: 3 } as const
const gateway = { kind: 'gateway', id: 'gateway' } as const
const hour = 3_600_000
const day = 24 * hour
let store: MadeStore
let approvals: MadeApprovals
let call: MadeCall

beforeAll(async () => {
  store = await openMadeStore()
  approvals = madeApprovals(store)
})
afterAll(() => store.close())
beforeEach(async () => {
  await store.system.deleteFrom('deadlines').execute()
  call = await store.newCall(await store.newOperator())
  store.clear()
  approvals.freed.length = 0
  approvals.settled.length = 0
})

const after = (ms: number) => new Date(began.getTime() + ms)
const within = <T>(work: Parameters<typeof store.within<T>>[1]) => store.within(call.operator, work)
const approve = (row: ApprovalRow) =>
  approvals.decide(row.operator_id, row.id, { verdict: 'approve', digest: row.digest }, desk)
const deny = (row: ApprovalRow) =>
  approvals.decide(row.operator_id, row.id, { verdict: 'deny', reason: 'no', stop: false }, desk)
const dueAt = async (row: ApprovalRow) =>
  (
    await store.system
      .selectFrom('deadlines')
      .select('due_at')
      .where('approval_id', '=', row.id)
      .executeTakeFirst()
  )?.due_at

describe('a request that is extended', () => {
  const extend = (row: ApprovalRow, hours: number, operator = row.operator_id) =>
    approvals.extend(operator, row.id, hours, desk)

  it('waits that long from now on, with its deadline, and stays what it was', async () => {
    const [row, other] = [await approvals.ask(call), await approvals.ask(call)]
    store.now = after(20 * hour)
    const { approval, ledger } = await extend(row, 10)
    const expires_at = after(30 * hour)
    expect(await approvals.row(row)).toEqual({ ...row, expires_at })
    expect(approval).toEqual(viewOfApproval({ ...row, expires_at }))
    expect(await dueAt(row)).toEqual(expires_at)
    expect(ledger).toBeGreaterThan(0)
    const { session, run, call: about } = call
    expect(store.entries.at(-1)).toEqual({
      type: 'approval.extended',
      actor: desk,
      session,
      run,
      call: about,
      approval: row.id,
      data: { expires: expires_at.toISOString() },
    })
    expect(store.events.at(-1)).toEqual({
      type: 'approval.extended',
      session,
      run,
      approval: row.id,
      expiresAt: expires_at.toISOString(),
    })
    expect(await approvals.row(other)).toEqual(other)
    expect(await dueAt(other)).toEqual(other.expires_at)
  })

  it('is never made to wait less', async () => {
    const row = await approvals.ask(call)
    await extend(row, 1)
    expect(await approvals.row(row)).toEqual(row)
  })

  it('waits no longer than a week from when it was made', async () => {
    const row = await approvals.ask(call)
    store.now = after(day - 1)
    await extend(row, 168)
    expect((await approvals.row(row)).expires_at).toEqual(after(7 * day))
    expect(longestWaitMs).toBe(7 * day)
  })

  it('is not brought back after its end', async () => {
    const row = await approvals.ask(call)
    store.now = after(day)
    await expect(extend(row, 1)).rejects.toMatchObject({ code: 'expired' })
    expect(await approvals.row(row)).toEqual(row)
    store.now = after(day - 1)
    await extend(row, 1)
  })

  it('is not one that was decided, nor that of another operator', async () => {
    const row = await approvals.ask(call)
    await expect(extend(row, 48, await store.newOperator())).rejects.toMatchObject({ code: 'not_found' })
    await deny(row)
    await expect(extend(row, 48)).rejects.toMatchObject({ code: 'conflict' })
    expect((await approvals.row(row)).expires_at).toEqual(row.expires_at)
  })
})

describe('an exchange about a request', () => {
  const exchange = (question: string) => ({ question, answer: 'Because.', at: began.toISOString() })
  const note = (row: ApprovalRow, question: string, operator = row.operator_id) =>
    approvals.note(operator, row.id, exchange(question), desk)

  it('is kept with it, recorded and told', async () => {
    const [row, other] = [await approvals.ask(call), await approvals.ask(call)]
    await note(row, 'Why?')
    const { approval, ledger } = await note(row, 'How\0?')
    const asked = [exchange('Why?'), exchange('How\uFFFD?')]
    expect(await approvals.row(row)).toEqual({ ...row, asked })
    expect(approval).toEqual(viewOfApproval({ ...row, asked }))
    expect(ledger).toBeGreaterThan(0)
    const { session, run, call: about } = call
    expect(store.entries.at(-1)).toEqual({
      type: 'approval.answered',
      actor: desk,
      session,
      run,
      call: about,
      approval: row.id,
      data: { question: 'How\uFFFD?' },
    })
    expect(store.events.at(-1)).toEqual({
      type: 'approval.answered',
      session,
      run,
      approval: row.id,
      exchange: asked[1],
    })
    expect(await approvals.row(other)).toEqual(other)
  })

  it('is one of the last twenty', async () => {
    const row = await approvals.ask(call)
    for (let index = 0; index < 21; index += 1) await note(row, String(index))
    const { asked } = await approvals.row(row)
    expect(asked.map(({ question }) => question)).toEqual(
      Array.from({ length: 20 }, (_, at) => String(at + 1)),
    )
  })

  it('is refused once it was decided, after its end, and by another operator', async () => {
    const [row, decided] = [await approvals.ask(call), await approvals.ask(call)]
    await expect(note(row, 'Why?', await store.newOperator())).rejects.toMatchObject({ code: 'not_found' })
    await deny(decided)
    await expect(note(decided, 'Why?')).rejects.toMatchObject({ code: 'conflict' })
    store.now = after(day)
    await expect(note(row, 'Why?')).rejects.toMatchObject({ code: 'expired' })
    expect((await approvals.row(row)).asked).toEqual([])
  })
})

describe('an approval that was given', () => {
  const spend = (row: ApprovalRow, operator = row.operator_id) =>
    store.within(operator, (unit) => approvals.spend(unit, row.id))
  const supersede = (row: ApprovalRow) => within((unit) => approvals.supersede(unit, row.id, 'Gone.'))

  it('is spent once', async () => {
    const [row, other] = [await approvals.ask(call), await approvals.ask(call)]
    for (const each of [row, other]) await approve(each)
    store.now = after(1_000)
    expect(await spend(row)).toBe(true)
    expect(await approvals.row(row)).toMatchObject({ state: 'approved', spent_at: store.now })
    store.now = after(2_000)
    expect(await spend(row)).toBe(false)
    expect(await approvals.row(row)).toMatchObject({ spent_at: after(1_000) })
    expect(await approvals.row(other)).toMatchObject({ spent_at: null })
  })

  it('is spent within the time of a permit, to the millisecond', async () => {
    const [row, other] = [await approvals.ask(call), await approvals.ask(call)]
    for (const each of [row, other]) await approve(each)
    store.now = after(permitLifetimeMs - 1)
    expect(await spend(row)).toBe(true)
    store.now = after(permitLifetimeMs)
    expect(await spend(other)).toBe(false)
  })

  it('is not spent while it waits, when it was denied or superseded, or by another operator', async () => {
    const row = await approvals.ask(call)
    expect(await spend(row)).toBe(false)
    await approve(row)
    expect(await spend(row, await store.newOperator())).toBe(false)
    await supersede(row)
    expect(await spend(row)).toBe(false)
    const denied = await approvals.ask(call)
    await deny(denied)
    expect(await spend(denied)).toBe(false)
  })

  it('can be taken back by the gateway, and keeps who gave it', async () => {
    const [row, other] = [await approvals.ask(call), await approvals.ask(call)]
    for (const each of [row, other]) await approve(each)
    await supersede(row)
    expect(await approvals.row(row)).toMatchObject({
      state: 'superseded',
      reason: 'Gone.',
      decided_by: 'desk',
    })
    expect(store.entries.at(-1)).toMatchObject({
      type: 'approval.decided',
      actor: gateway,
      approval: row.id,
      data: { verdict: 'superseded', reason: 'Gone.' },
    })
    expect(store.events.at(-1)).toMatchObject({ approval: row.id, state: 'superseded', by: 'gateway' })
    expect(await approvals.row(other)).toMatchObject({ state: 'approved' })
  })

  it('is not taken back once it was spent, and what still waits is left waiting', async () => {
    const [spent, waits] = [await approvals.ask(call), await approvals.ask(call)]
    await approve(spent)
    await spend(spent)
    const told = [store.entries.length, store.events.length]
    for (const each of [spent, waits]) await supersede(each)
    expect(await approvals.row(spent)).toMatchObject({ state: 'approved' })
    expect(await approvals.row(waits)).toEqual(waits)
    expect([store.entries.length, store.events.length]).toEqual(told)
  })
})

describe('a request that an edit takes the place of', () => {
  const edited = (row: ApprovalRow) =>
    within((unit) =>
      approvals.closeRequest(unit, row.id, { state: 'superseded', by: desk, reason: 'Edited.', seal: null }),
    )

  it('ends while it waits, and not after its end', async () => {
    const [row, late] = [await approvals.ask(call), await approvals.ask(call)]
    store.now = after(day - 1)
    expect(await edited(row)).toMatchObject({ id: row.id, state: 'superseded', decided_by: 'desk' })
    store.now = after(day)
    expect(await edited(late)).toBeUndefined()
    expect(await approvals.row(late)).toEqual(late)
  })

  it('is not one that was decided, and whoever is late is told by whom', async () => {
    const row = await approvals.ask(call)
    await deny(row)
    expect(await edited(row)).toBeUndefined()
    const other = await approvals.ask(call)
    expect(await within((unit) => approvals.tooLate(unit, row.id))).toMatchObject({ code: 'conflict' })
    store.now = after(day)
    expect(await within((unit) => approvals.tooLate(unit, other.id))).toMatchObject({ code: 'expired' })
  })
})

describe('the requests of a run that goes another way', () => {
  const withdraw = () => within((unit) => approvals.withdraw(unit, call.run, 'Do\0that', desk))

  it('are withdrawn with the operator’s words, in order, also after their end', async () => {
    const rows = [await approvals.ask(call), await approvals.ask(call)]
    store.now = after(day)
    const end = { state: 'withdrawn', decided_at: store.now, decided_by: 'desk', reason: 'Do\uFFFDthat' }
    const withdrawn = await withdraw()
    expect(withdrawn).toEqual(rows.map((row) => ({ ...row, ...end })))
    for (const row of rows) expect(await dueAt(row)).toBeUndefined()
    expect(store.entries.slice(-2).map(({ approval, data }) => [approval, data['verdict']])).toEqual(
      rows.map(({ id }) => [id, 'withdrawn']),
    )
    expect(approvals.freed).toEqual([call.operator, call.operator])
    expect(approvals.settled).toEqual([])
  })

  it('are those that wait, and of this run', async () => {
    const decided = await approvals.ask(call)
    await approve(decided)
    const elsewhere = await approvals.ask(await store.newCall(call.operator))
    const row = await approvals.ask(call)
    expect((await withdraw()).map(({ id }) => id)).toEqual([row.id])
    expect(await approvals.row(decided)).toMatchObject({ state: 'approved' })
    expect(await approvals.row(elsewhere)).toEqual(elsewhere)
    expect(await withdraw()).toEqual([])
  })
})

describe('the requests whose time is over', () => {
  it('end to the millisecond, for every operator, and their calls are told', async () => {
    const theirs = await approvals.ask(await store.newCall(await store.newOperator()))
    const row = await approvals.ask(call)
    store.now = after(1)
    const later = await approvals.ask(call)
    store.now = after(day)
    await approvals.expire(store.now)
    for (const each of [theirs, row]) {
      expect(await approvals.row(each)).toMatchObject({
        state: 'expired',
        decided_at: store.now,
        decided_by: 'gateway',
        reason: null,
        seal: null,
      })
      expect(await dueAt(each)).toBeUndefined()
    }
    expect(await approvals.row(later)).toEqual(later)
    const told = new Map(
      approvals.settled.map(({ approval, run }) => [approval.id, [approval.state, run.id]]),
    )
    expect(told).toEqual(new Map([theirs, row].map(({ id, run_id }) => [id, ['expired', run_id]])))
    expect(store.entries.at(-1)).toMatchObject({ type: 'approval.decided', actor: gateway })
    expect(approvals.freed).toHaveLength(2)
  })

  it('are ended in the order of their ends', async () => {
    store.now = after(2_000)
    const second = await approvals.ask(call)
    store.now = after(1_000)
    const first = await approvals.ask(call)
    await approvals.expire(after(2 * day))
    expect(approvals.settled.map(({ approval }) => approval.id)).toEqual([first.id, second.id])
  })

  it('are not those that were extended after they were found', async () => {
    const row = await approvals.ask(call)
    await approvals.extend(call.operator, row.id, 48, desk)
    await store.system.updateTable('deadlines').set({ due_at: row.expires_at }).execute()
    await approvals.expire(after(day))
    expect(await approvals.row(row)).toMatchObject({ state: 'pending', expires_at: after(2 * day) })
    expect([approvals.settled, approvals.freed]).toEqual([[], []])
  })

  it('are not those that were decided', async () => {
    const row = await approvals.ask(call)
    await approve(row)
    await approvals.expire(after(day))
    expect(await approvals.row(row)).toMatchObject({ state: 'approved' })
    expect(approvals.settled).toHaveLength(1)
  })
})
