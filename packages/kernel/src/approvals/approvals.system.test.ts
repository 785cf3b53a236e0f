import type { ApprovalView, GrantRequest, RunId } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { openTestKernel, type TestKernel } from '../testing/test-kernel.ts'

const desk = { kind: 'operator' as const, id: 'desk', reach: 3 as const }
const day = 24 * 60 * 60_000
let database: Awaited<ReturnType<typeof startTestDatabase>>
let testKernel: TestKernel
let wanted: { name: string; args: Record<string, string> }

beforeAll(async () => {
  database = await startTestDatabase()
  testKernel = await openTestKernel(database.connection, ({ messages }) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return { text: last.results.map((result) => result.text).join(' | ') }
    return { calls: [wanted] }
  })
})
afterAll(async () => {
  await testKernel.close()
  await database.stop()
})
beforeEach(() => {
  testKernel.permits.length = 0
  testKernel.now = () => new Date()
})

const operator = () => testKernel.kernel.operator
const ref = (approval: ApprovalView | undefined) => approval?.id ?? ''

async function waiting(run: RunId): Promise<ApprovalView> {
  let found: ApprovalView | undefined
  await expect
    .poll(async () => {
      found = (await testKernel.views().approvals(operator(), { state: 'pending', run }))[0]
      return found !== undefined
    })
    .toBe(true)
  return found as ApprovalView
}

async function asked(name: string, args: Record<string, string> = {}) {
  wanted = { name, args }
  const { run, session } = await testKernel.say('go')
  await testKernel.settled(run, 'parked')
  return { run, session, approval: await waiting(run) }
}

describe('an edited request', () => {
  it('ends, and the call is asked about anew with the operator’s arguments, which are what runs', async () => {
    const { run, approval } = await asked('send', { to: 'ana' })
    await testKernel.kernel.edit(operator(), approval.code, '{"to":"bea"}', desk)
    const next = await waiting(run)
    expect(next).toMatchObject({ replaces: approval.id, card: { headline: 'send {"to":"bea"}' } })
    expect(next.digest).not.toBe(approval.digest)
    await expect(testKernel.approve(ref(approval))).rejects.toMatchObject({ code: 'conflict' })
    await testKernel.approve(ref(next))
    const { calls, run: ended } = await testKernel.settled(run)
    expect(testKernel.permits.map((permit) => permit.subject.args)).toEqual(['{"to":"bea"}'])
    expect(calls).toMatchObject([{ args: '{"to":"bea"}', outcome: 'ok' }])
    expect(ended.text).toContain('The operator changed the arguments to {"to":"bea"} first.')
  })

  it('is refused when it is decided already or is not JSON', async () => {
    const { approval } = await asked('send')
    const edit = (args: string) => testKernel.kernel.edit(operator(), approval.code, args, desk)
    await expect(edit('{"to":')).rejects.toMatchObject({ code: 'usage' })
    await testKernel.kernel.decide(
      operator(),
      approval.code,
      { verdict: 'deny', reason: 'no', stop: false },
      desk,
    )
    await expect(edit('{}')).rejects.toMatchObject({ code: 'conflict' })
  })
})

describe('a denied request', () => {
  it('ends its call with the operator’s words, and says so to its session and run', async () => {
    const { run, session, approval } = await asked('send', { to: 'cleo' })
    const before = await testKernel.kernel.stream.head(operator())
    const verdict = { verdict: 'deny', reason: 'Not today', stop: false } as const
    await testKernel.kernel.decide(operator(), approval.code, verdict, desk)
    const { calls } = await testKernel.settled(run)
    expect(calls).toMatchObject([{ outcome: 'denied', result: 'The operator denied this: Not today' }])
    expect(testKernel.permits).toEqual([])
    const events = await testKernel.kernel.stream.since(operator(), before, 1_000)
    const ended = events.map(({ body }) => body).filter(({ type }) => type === 'call.ended')
    expect(ended).toMatchObject([{ session, run, call: calls[0]?.id }])
  })
})

describe('a request that waits', () => {
  it('waits a day, longer when it is told to, and never longer than a week', async () => {
    const { run, approval } = await asked('send')
    const ends = (view: ApprovalView) => Date.parse(view.expiresAt) - Date.parse(view.createdAt)
    expect(ends(approval)).toBe(day)
    const extended = await testKernel.kernel.extend(operator(), approval.code, 100, desk)
    expect(ends(extended.approval)).toBeGreaterThanOrEqual(100 * 3_600_000)
    const most = await testKernel.kernel.extend(operator(), approval.code, 168, desk)
    expect(ends(most.approval)).toBe(7 * day)
    testKernel.now = () => new Date(Date.now() + 6 * day)
    await testKernel.approve(ref(approval))
    await testKernel.settled(run)
    expect(testKernel.permits).toHaveLength(1)
  })

  it('keeps what was asked about it and stays what it was', async () => {
    const { approval } = await asked('send')
    const exchange = { question: 'Why?', answer: 'Because.', at: new Date().toISOString() }
    const noted = await testKernel.kernel.note(operator(), approval.code, exchange, desk)
    expect(noted.approval).toEqual({ ...approval, asked: [exchange] })
    await testKernel.approve(ref(approval))
    await expect(testKernel.kernel.note(operator(), approval.id, exchange, desk)).rejects.toMatchObject({
      code: 'conflict',
    })
  })

  it('is not decided by a device that may only look, and at a boundary by one that may', async () => {
    const { run, approval } = await asked('fetch')
    const decide = (reach: 0 | 2) =>
      testKernel.kernel.decide(
        operator(),
        approval.code,
        { verdict: 'approve', digest: approval.digest },
        { ...desk, reach },
      )
    await expect(decide(0)).rejects.toMatchObject({ code: 'not_authenticated' })
    await decide(2)
    await testKernel.settled(run)
  })
})

describe('a rule', () => {
  const approve = (approval: ApprovalView, grant: GrantRequest) =>
    testKernel.kernel.decide(
      operator(),
      approval.code,
      { verdict: 'approve', digest: approval.digest, grant },
      desk,
    )
  const rule = { scope: 'rule', where: 'everywhere', maxUses: null } as const

  it('stands in other sessions, is counted, and ends when it is revoked', async () => {
    const first = await asked('fetch', { page: '1' })
    const { grant } = await approve(first.approval, { ...rule, stop: 'place', days: 30 })
    await testKernel.settled(first.run)
    wanted = { name: 'fetch', args: { page: '2' } }
    const second = await testKernel.say('go')
    expect((await testKernel.settled(second.run)).calls[0]).toMatchObject({
      outcome: 'ok',
      decision: { grant },
    })
    const [view] = await testKernel.views().grants(operator())
    expect(view).toMatchObject({ id: grant, uses: 1, maxUses: null, state: 'active' })
    expect(view?.lastUsedAt).not.toBeNull()
    await testKernel.kernel.revokeGrant(operator(), grant ?? ('' as never), desk)
    const third = await testKernel.say('go')
    await testKernel.settled(third.run, 'parked')
  })

  it('of the exact call does not cover another', async () => {
    const first = await asked('fetch', { page: 'a' })
    await approve(first.approval, { ...rule, stop: 'call', days: 1 })
    await testKernel.settled(first.run)
    wanted = { name: 'fetch', args: { page: 'a' } }
    await testKernel.settled((await testKernel.say('go')).run)
    wanted = { name: 'fetch', args: { page: 'b' } }
    await testKernel.settled((await testKernel.say('go')).run, 'parked')
  })

  it('that is broad needs a passkey, and above the boundary there is none', async () => {
    const { approval } = await asked('fetch', { page: 'x' })
    await expect(approve(approval, { ...rule, stop: 'tool', days: 1 })).rejects.toMatchObject({
      code: 'step_up_needed',
    })
    const outward = await asked('send')
    await expect(approve(outward.approval, { ...rule, stop: 'call', days: 1 })).rejects.toMatchObject({
      code: 'usage',
    })
  })
})
