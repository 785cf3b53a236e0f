import { randomUUIDv7 } from 'node:crypto'
import { type ApprovalSubject, type GrantId, type GrantRequest, idFrom } from '@countersign/contract'
import { sha256Hex } from '@countersign/contract/node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type MadeApprovals, madeApprovals } from '../testing/made-requests.ts'
import { madePage } from '../testing/made-resources.ts'
import { began, type MadeCall, type MadeStore, openMadeStore } from '../testing/made-store.ts'
import { subjectOf } from './approval-row.ts'
import {
  createGrant,
  endUnusedGrants,
  findGrant,
  type GrantSubject,
  grantInAdvance,
  grantSubjectOf,
  revokeGrant,
  spendGrant,
  unusedDays,
  viewOfGrant,
} from './grants.ts'

const actor = { kind: 'operator', id: 'desk' } as const
const minute = 60_000
const rule = { scope: 'rule', stop: 'target', where: 'everywhere', days: 1, maxUses: null } as const
let store: MadeStore
let approvals: MadeApprovals
let call: MadeCall

beforeAll(async () => {
  store = await openMadeStore()
  approvals = madeApprovals(store)
})
afterAll(() => store.close())
beforeEach(async () => {
  call = await store.newCall(await store.newOperator())
  store.clear()
})

const after = (ms: number) => new Date(began.getTime() + ms)

/** Asks for the call and grants it, for a call of the goal `spring` where none is named. */
async function granted(
  request: GrantRequest,
  change: Partial<ApprovalSubject> = {},
  goal: string | null = 'spring',
) {
  const row = await approvals.ask(call, change)
  const subject = grantSubjectOf(subjectOf(row), row.card, goal)
  const id = await store.within(call.operator, (unit) =>
    createGrant(unit, { id: row.id, offers: row.offers, ...subject }, request, actor, randomUUIDv7),
  )
  return { id, subject, approval: row.id }
}
const found = async (
  subject: GrantSubject,
  { now = store.now, operator = call.operator, isTainted = false } = {},
) => (await store.read(operator, (db) => findGrant(db, subject, now, isTainted)))?.id ?? null
const spent = (id: GrantId, operator = call.operator) =>
  store.within(operator, (unit) => spendGrant(unit, id))
const revoked = (id: GrantId, operator = call.operator) =>
  store.within(operator, (unit) => revokeGrant(unit, id, actor))
const ended = () =>
  store.within(call.operator, (unit) => endUnusedGrants(unit, { kind: 'gateway', id: 'gateway' }))
const rowOf = (id: GrantId) =>
  store.read(call.operator, (db) =>
    db.selectFrom('grants').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
  )

describe('a grant', () => {
  const otherSession = { session: idFrom('ses', randomUUIDv7()) }
  const otherRun = { run: idFrom('run', randomUUIDv7()) }
  const otherAgent = { agent: 'helper' }
  const otherGoal = { goal: 'autumn' }
  const noGoal = { goal: null }
  it.each<[string, GrantRequest, Partial<GrantSubject>[], Partial<GrantSubject>[]]>([
    ['its run', { scope: 'run' }, [otherSession, otherAgent, otherGoal, noGoal], [otherRun]],
    ['its session', { scope: 'session' }, [otherRun, otherAgent, otherGoal, noGoal], [otherSession]],
    ['every session', { scope: 'time' }, [otherRun, otherSession, otherAgent, otherGoal, noGoal], []],
    ['its agent', { ...rule, where: 'agent' }, [otherRun, otherSession, otherGoal, noGoal], [otherAgent]],
    ['its goal', { ...rule, where: 'goal' }, [otherRun, otherSession, otherAgent], [otherGoal, noGoal]],
    ['everything', rule, [otherRun, otherSession, otherAgent, otherGoal, noGoal], []],
  ])('of %s holds there and nowhere else', async (_where, request, inside, outside) => {
    const { id, subject } = await granted(request)
    for (const change of [{}, ...inside]) expect(await found({ ...subject, ...change })).toBe(id)
    for (const change of outside) expect(await found({ ...subject, ...change })).toBeNull()
  })

  it('covers its tool and its targets, and no other', async () => {
    const { id, subject } = await granted(rule)
    expect(await found({ ...subject, argsHash: sha256Hex('other') })).toBe(id)
    expect(await found({ ...subject, tool: 'send' })).toBeNull()
    expect(await found({ ...subject, resources: [madePage('other.example')] })).toBeNull()
  })

  it('covers no more than the stop that was chosen', async () => {
    const { id, subject } = await granted({ ...rule, stop: 'call' })
    expect(await found(subject)).toBe(id)
    expect(await found({ ...subject, argsHash: sha256Hex('other') })).toBeNull()
  })

  it('is looked for among those that cover the call, and the oldest answers', async () => {
    await granted(rule, { resources: [madePage('elsewhere.example')] })
    const { id, subject } = await granted(rule)
    await granted(rule)
    expect(await found(subject)).toBe(id)
  })

  it('ends to the millisecond, and is neither found nor counted from then on', async () => {
    const { id, subject } = await granted({ scope: 'time', minutes: 5 })
    expect((await rowOf(id)).expires_at).toEqual(after(5 * minute))
    store.now = after(5 * minute - 1)
    expect(await found(subject)).toBe(id)
    expect(await spent(id)).toBe(true)
    store.now = after(5 * minute)
    expect(await found(subject)).toBeNull()
    expect(await spent(id)).toBe(false)
  })

  it('is used as often as it says, and no more', async () => {
    const { id, subject } = await granted({ scope: 'run', maxUses: 2 })
    store.now = after(minute)
    expect([await spent(id), await spent(id)]).toEqual([true, true])
    expect(await found(subject)).toBeNull()
    store.now = after(2 * minute)
    expect(await spent(id)).toBe(false)
    expect(await rowOf(id)).toMatchObject({ uses: 2, max_uses: 2, last_used_at: after(minute) })
  })

  it('without a number of uses is used as often as it comes', async () => {
    const { id, subject } = await granted(rule)
    for (let use = 0; use < 3; use += 1) expect(await spent(id)).toBe(true)
    expect(await found(subject)).toBe(id)
    expect(await rowOf(id)).toMatchObject({ uses: 3, max_uses: null })
  })

  it('answers after untrusted content was read only where it says so', async () => {
    const { subject } = await granted(rule)
    expect(await found(subject, { isTainted: true })).toBeNull()
    const { id } = await granted({ ...rule, untrusted: true })
    expect(await found(subject, { isTainted: true })).toBe(id)
    expect((await rowOf(id)).sentence).toContain('example.org can then learn what that task knows')
  })

  it('that nobody used for thirty days ends by itself, to the millisecond, and says so', async () => {
    const days = 24 * 60 * minute
    const { id, subject } = await granted({ ...rule, days: 365 })
    const kept = await granted({ ...rule, days: 365, stop: 'call' })
    store.now = after(days)
    expect(await spent(kept.id)).toBe(true)
    store.now = after(unusedDays * days - 1)
    expect(await ended()).toEqual([])
    expect(await found(subject)).toBe(id)
    store.now = after(unusedDays * days)
    expect(await found(subject)).toBe(kept.id)
    expect(await spent(id)).toBe(false)
    expect(viewOfGrant(await rowOf(id), store.now).state).toBe('unused')
    expect(await ended()).toEqual([id])
    expect(viewOfGrant(await rowOf(id), store.now).state).toBe('unused')
    expect(store.entries.at(-1)).toMatchObject({
      type: 'grant.ended',
      data: { grant: id, unusedDays: 30, sentence: (await rowOf(id)).sentence },
    })
    expect(store.events.at(-1)).toEqual({ type: 'grant.revoked', grant: id })
    expect(await ended()).toEqual([])
  })

  it('is counted by itself: the use of one is not the use of another', async () => {
    const one = await granted({ scope: 'run', maxUses: 1 })
    const other = await granted({ scope: 'run', maxUses: 1 })
    expect(await spent(one.id)).toBe(true)
    expect(await found(one.subject)).toBe(other.id)
    expect(await rowOf(other.id)).toMatchObject({ uses: 0, last_used_at: null })
  })

  it('lands in the ledger and the stream with what it covers and the approval that it came from', async () => {
    const { id, approval } = await granted({ scope: 'session', minutes: 5 })
    const { session, run } = call
    const covers = [{ type: 'url', scheme: 'https', host: 'example.org', port: 443, method: 'GET' }]
    expect(store.entries.at(-1)).toMatchObject({
      type: 'grant.created',
      actor,
      session,
      run,
      approval,
      data: { grant: id, covers, expires: after(5 * minute).toISOString() },
    })
    expect(store.events.at(-1)).toMatchObject({ type: 'grant.created', grant: id })
    expect(id).toMatch(/^gr_[0-9a-f]{32}$/)
    expect(await rowOf(id)).toMatchObject({ approval_id: approval, created_at: began, covers })
  })

  it('is not made of a call that has no target, nor for a goal where there is none', async () => {
    await expect(granted(rule, { resources: [] })).rejects.toMatchObject({ code: 'usage' })
    const goal = { ...rule, where: 'goal' } as const
    await expect(granted(goal, {}, null)).rejects.toMatchObject({ code: 'usage' })
    await granted({ ...rule, where: 'agent' }, {}, null)
  })
})

describe('a revoked grant', () => {
  it('answers nothing any more, and leaves the others alone', async () => {
    const first = await granted(rule)
    const second = await granted(rule)
    await revoked(first.id)
    expect(await spent(first.id)).toBe(false)
    expect(await found(first.subject)).toBe(second.id)
    expect((await rowOf(first.id)).revoked_at).toEqual(began)
    expect(store.entries.at(-1)).toEqual({ type: 'grant.revoked', actor, data: { grant: first.id } })
    expect(store.events.at(-1)).toEqual({ type: 'grant.revoked', grant: first.id })
  })

  it('is not revoked again, and one that never was is not revoked at all', async () => {
    const { id } = await granted(rule)
    await revoked(id)
    store.now = after(minute)
    await expect(revoked(id)).rejects.toMatchObject({ code: 'not_found' })
    await expect(revoked(idFrom('gr', randomUUIDv7()))).rejects.toMatchObject({ code: 'not_found' })
    expect((await rowOf(id)).revoked_at).toEqual(began)
  })
})

it('neither finds, counts nor revokes the grant of another operator', async () => {
  const { id, subject } = await granted(rule)
  const stranger = await store.newOperator()
  expect(await found(subject, { operator: stranger })).toBeNull()
  expect(await spent(id, stranger)).toBe(false)
  await expect(revoked(id, stranger)).rejects.toMatchObject({ code: 'not_found' })
  expect(await found(subject)).toBe(id)
})

describe('a lease', () => {
  const listed = (args: string) => ({ tool: 'fetch', args, headline: 'Fetch' })
  const leased = (...calls: ReturnType<typeof listed>[]) =>
    store.within(call.operator, (unit) =>
      grantInAdvance(unit, { session: call.session, calls, minutes: 5 }, actor, randomUUIDv7),
    )
  const subjectFor = (args: string): GrantSubject => ({
    tool: 'fetch',
    argsHash: sha256Hex(args),
    resources: [madePage('example.org')],
    effects: [],
    session: call.session,
    run: call.run,
    agent: 'assistant',
    goal: null,
  })

  it('covers each listed call to the byte, in its session, once for every time that it is listed', async () => {
    const [one, same, other] = await leased(listed('{"a":1}'), listed('{"a":1}'), listed('{"a":2}'))
    const subject = subjectFor('{"a":1}')
    // Two that are made in one moment have no order.
    const first = await found(subject)
    expect([one, same]).toContain(first)
    const second = first === one ? same : one
    expect(await found({ ...subject, run: idFrom('run', randomUUIDv7()) })).toBe(first)
    expect(await found({ ...subject, session: idFrom('ses', randomUUIDv7()) })).toBeNull()
    expect(await found({ ...subject, tool: 'send' })).toBeNull()
    expect(await found(subjectFor('{"a": 1}'))).toBeNull()
    expect(await spent(first as GrantId)).toBe(true)
    expect(await spent(first as GrantId)).toBe(false)
    expect(await found(subject)).toBe(second)
    expect(await spent(second as GrantId)).toBe(true)
    expect(await found(subject)).toBeNull()
    expect(await found(subjectFor('{"a":2}'))).toBe(other)
  })

  it('ends after its minutes and belongs to no approval', async () => {
    const [id] = await leased(listed('{}'))
    expect(await rowOf(id as GrantId)).toMatchObject({ expires_at: after(5 * minute), approval_id: null })
    store.now = after(5 * minute)
    expect(await found(subjectFor('{}'))).toBeNull()
  })

  it('lands in the ledger call by call', async () => {
    const ids = await leased(listed('{"a":1}'), listed('{"a":2}'))
    expect(store.entries.map(({ type, session, data }) => ({ type, session, grant: data['grant'] }))).toEqual(
      ids.map((grant) => ({ type: 'grant.created', session: call.session, grant })),
    )
  })
})
