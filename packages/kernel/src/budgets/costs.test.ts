import { randomUUIDv7 } from 'node:crypto'
import type { SpentCall } from '@countersign/agent'
import {
  CostGroup,
  type CostLine,
  CostReport,
  guardName,
  idFrom,
  ModelCallView,
  type RunId,
  spanOf,
} from '@countersign/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { openTestHouse, type Reply, spentOn, type TestHouse } from '../testing/house.ts'
import type { Account } from './books.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let script: () => Reply = () => ({ text: 'fine' })
const houses: TestHouse[] = []

/** Each test has an operator of its own. */
async function open(): Promise<TestHouse> {
  await Promise.all(houses.splice(0).map((house) => house.close()))
  const house = await openTestHouse(database.connection, () => script())
  houses.push(house)
  return house
}

beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(async () => {
  await Promise.all(houses.map((house) => house.close()))
  await database.stop()
})

const actor = { kind: 'operator' as const, id: 'desk' }
const cent = 10_000_000
const dollar = 100 * cent
const hour = 60 * 60_000
const day = 24 * hour
const zone = 'Europe/Vienna'
const at = (text: string) => new Date(text)

interface Made {
  readonly at: Date
  readonly account: Partial<Account>
  readonly provider: string
  readonly model: string
  readonly purpose: 'chat' | 'summaries'
  readonly worst: number
  /** Null for one that is never heard of again. */
  readonly spent: SpentCall | null
}

const made = (moment: string, nanos: number, rest: Partial<Made> = {}): Made => ({
  at: at(moment),
  account: {},
  provider: 'test',
  model: 'scripted',
  purpose: 'chat',
  worst: nanos,
  spent: spentOn(nanos),
  ...rest,
})

async function book(house: TestHouse, calls: readonly Made[]): Promise<void> {
  for (const call of calls) {
    house.now = () => call.at
    const meter = house.kernel.meterFor(house.kernel.operator, call.account)
    const { provider, model, purpose, worst } = call
    const reserve = () => meter.reserve({ provider, model, purpose, worstNanos: worst })
    let reserved = await reserve()
    // Calls at random look like a run amok, which is not what this is about.
    while (reserved.kind === 'refused' && reserved.shortage.budget === guardName) {
      await house.kernel.budgets.release(house.kernel.operator, actor)
      reserved = await reserve()
    }
    if (reserved.kind === 'refused') throw new Error(reserved.shortage.message)
    if (call.spent) await meter.settle(reserved.id, call.spent)
  }
}

const report = (house: TestHouse, asked: { from: Date; to: Date; by?: CostGroup; zone?: string }) =>
  house.views().costs(house.kernel.operator, { by: 'model', zone, ...asked })

const adjust = (house: TestHouse, provider: string, from: string, to: string, costNanos: number) =>
  house.kernel.budgets.adjust(
    house.kernel.operator,
    [{ provider, from: at(from), to: at(to), costNanos }],
    actor,
  )

describe('the report', () => {
  const start = at('2026-10-20T00:00:00Z')
  const ids = <Prefix extends 'run' | 'ses'>(prefix: Prefix) => [
    idFrom(prefix, randomUUIDv7()),
    idFrom(prefix, randomUUIDv7()),
  ]
  const runs = ids('run')
  const sessions = ids('ses')
  const spentCall = fc.record({
    outcome: fc.constantFrom('delivered', 'delivered', 'timeout', 'truncated', 'cancelled'),
    usage: fc
      .record({ input: fc.nat(50_000), output: fc.nat(4_000), share: fc.nat(100) })
      .map(({ input, output, share }) => ({
        input,
        output,
        cached: Math.floor((input * share) / 100),
        reasoning: Math.floor((output * share) / 100),
      })),
    estimated: fc.boolean(),
    costNanos: fc.nat(3 * dollar),
    firstTokenMs: fc.constantFrom(null, 12.5),
    totalMs: fc.nat(60_000),
  }) as fc.Arbitrary<SpentCall>
  const anyCall: fc.Arbitrary<Made> = fc.record({
    at: fc.nat(20 * day).map((ms) => new Date(start.getTime() + ms)),
    account: fc.record({
      run: fc.constantFrom(null, ...runs),
      session: fc.constantFrom(null, ...sessions),
      agent: fc.constantFrom('assistant', 'writer'),
      goal: fc.constantFrom(null, 'goal_1', 'goal_2'),
      schedule: fc.constantFrom(null, 'sch_1'),
      unattended: fc.boolean(),
    }),
    provider: fc.constantFrom('openai', 'anthropic'),
    model: fc.constantFrom('small', 'large/v2'),
    purpose: fc.constantFrom('chat' as const, 'summaries' as const),
    worst: fc.nat(3 * dollar),
    spent: fc.option(spentCall, { freq: 8 }),
  })

  const localDay = (moment: Date) => spanOf('day', moment, zone).key
  const keyOf: Record<CostGroup, (call: Made) => string> = {
    model: ({ provider, model }) => `${provider}/${model}`,
    provider: ({ provider }) => provider,
    purpose: ({ purpose }) => purpose,
    agent: ({ account }) => account.agent ?? '',
    goal: ({ account }) => account.goal ?? 'no goal',
    schedule: ({ account }) => account.schedule ?? 'no schedule',
    session: ({ account }) => account.session ?? 'no session',
    run: ({ account }) => account.run ?? 'no run',
    day: (call) => localDay(call.at),
    hour: (call) => new Date(Math.floor(call.at.getTime() / hour) * hour).toISOString(),
  }

  /** The same sums by another way: one call after the other, in memory. */
  function expected(calls: readonly Made[], by: CostGroup): Map<string, CostLine> {
    const lines = new Map<string, CostLine>()
    for (const call of calls) {
      const key = keyOf[by](call)
      const line = lines.get(key) ?? { ...lineOf(key), usd: 0 }
      const usage = call.spent?.usage ?? { input: 0, output: 0, cached: 0, reasoning: 0 }
      lines.set(key, {
        key,
        calls: line.calls + 1,
        undelivered: line.undelivered + (call.spent?.outcome === 'delivered' ? 0 : 1),
        input: line.input + usage.input,
        output: line.output + usage.output,
        cached: line.cached + usage.cached,
        reasoning: line.reasoning + usage.reasoning,
        // In billionths until the end.
        usd: line.usd + costOf(call),
      })
    }
    return new Map(Array.from(lines, ([key, line]) => [key, { ...line, usd: line.usd / 1e9 }]))
  }
  const lineOf = (key: string): CostLine => ({
    key,
    calls: 0,
    undelivered: 0,
    input: 0,
    output: 0,
    cached: 0,
    reasoning: 0,
    usd: 0,
  })
  const costOf = ({ spent, worst }: Made) => spent?.costNanos ?? worst
  const sum = (calls: readonly Made[]) => calls.reduce((total, call) => total + costOf(call), 0) / 1e9

  test('adds up to the same as the calls one by one, whatever it is grouped by', async () => {
    const house = await open()
    await house.kernel.budgets.set(
      house.kernel.operator,
      { scope: 'unattended', subject: null, period: 'month', limitUsd: 1_000_000, hard: true },
      actor,
    )
    const calls = fc.sample(anyCall, { numRuns: 250, seed: 20_261_025 })
    const ordered = calls.toSorted((one, other) => one.at.getTime() - other.at.getTime())
    await book(house, ordered)
    // Late enough for the sweep to give up what nobody settled.
    house.now = () => new Date(start.getTime() + 21 * day)
    await expect.poll(async () => (await report(house, { from: start, to: house.now() })).reservedUsd).toBe(0)

    const [from, to] = [at('2026-10-24T03:17:00Z'), at('2026-11-03T17:42:00Z')]
    const inside = ordered.filter((call) => call.at >= from && call.at < to)
    const before = ordered.filter(
      (call) => call.at.getTime() >= 2 * from.getTime() - to.getTime() && call.at < from,
    )
    expect(inside.length).toBeGreaterThan(80)
    expect(inside.some(({ spent }) => spent === null)).toBe(true)
    for (const by of CostGroup.options) {
      const told = CostReport.parse(await report(house, { from, to, by }))
      const wanted = expected(inside, by)
      const name = (key: string) => (by === 'hour' ? new Date(key).toISOString() : key)
      expect(new Map(told.lines.map((line) => [name(line.key), { ...line, key: name(line.key) }]))).toEqual(
        wanted,
      )
      expect(told.total.calls).toBe(inside.length)
      expect(told.total.usd).toBe(sum(inside))
      expect(told.beforeUsd).toBe(sum(before))
      expect(told.unattendedUsd).toBe(sum(inside.filter(({ account }) => account.unattended)))
      expect(told.estimatedUsd).toBe(sum(inside.filter(({ spent }) => spent === null || spent.estimated)))
      expect(told.cacheHitRate).toBe(told.total.cached / told.total.input)
      expect(told.adjustedUsd).toBe(0)
      const order = told.lines.map((line) =>
        by === 'day' || by === 'hour' ? Date.parse(line.key) : line.usd,
      )
      expect(order).toEqual(order.toSorted((one, other) => other - one))
    }
  })

  test('begins a day where the operator lives, and tells the hour apart that comes twice', async () => {
    const house = await open()
    await book(house, [
      made('2026-10-24T21:59:59Z', cent),
      made('2026-10-24T22:00:00Z', 2 * cent),
      made('2026-10-25T00:30:00Z', 3 * cent),
      made('2026-10-25T01:30:00Z', 4 * cent),
      made('2026-10-25T22:59:59Z', 5 * cent),
      made('2026-10-25T23:00:00Z', 6 * cent),
    ])
    const span = { from: at('2026-10-20T00:00:00Z'), to: at('2026-10-30T00:00:00Z') }
    const lines = async (by: CostGroup, where = zone) =>
      (await report(house, { ...span, by, zone: where })).lines.map(({ key, usd }) => [key, usd])
    expect(await lines('day')).toEqual([
      ['2026-10-26', 0.06],
      ['2026-10-25', 0.14],
      ['2026-10-24', 0.01],
    ])
    expect((await lines('hour')).slice(2, 4)).toEqual([
      ['2026-10-25T02:00+01:00', 0.04],
      ['2026-10-25T02:00+02:00', 0.03],
    ])
    expect((await lines('hour', 'UTC')).at(-1)).toEqual(['2026-10-24T21:00+00:00', 0.01])
    expect(await lines('day', 'Asia/Kathmandu')).toEqual([
      ['2026-10-26', 0.11],
      ['2026-10-25', 0.1],
    ])
  })

  test('takes what begins at its beginning, and not what begins at its end', async () => {
    const house = await open()
    await book(house, [made('2026-05-01T00:00:00Z', cent), made('2026-05-02T00:00:00Z', 2 * cent)])
    const [from, to] = [at('2026-05-01T00:00:00Z'), at('2026-05-02T00:00:00Z')]
    expect(await report(house, { from, to })).toMatchObject({ total: { calls: 1, usd: 0.01 }, beforeUsd: 0 })
    expect(await report(house, { from: to, to: at('2026-05-03T00:00:00Z') })).toMatchObject({
      total: { calls: 1, usd: 0.02 },
      beforeUsd: 0.01,
    })
  })

  test('says nothing of what nobody did', async () => {
    const house = await open()
    expect(
      await report(house, { from: at('2026-05-01T00:00:00Z'), to: at('2026-06-01T00:00:00Z') }),
    ).toMatchObject({
      total: { calls: 0, usd: 0 },
      lines: [],
      usdPerOutcome: null,
      cacheHitRate: null,
      guard: null,
    })
  })

  test('counts what is set aside apart, and calls that are under way in no sum', async () => {
    const house = await open()
    await book(house, [
      made('2026-05-01T10:00:00Z', cent),
      made('2026-05-01T10:10:00Z', dollar, { spent: null }),
    ])
    const told = await report(house, { from: at('2026-05-01T00:00:00Z'), to: at('2026-05-02T00:00:00Z') })
    expect(told).toMatchObject({ total: { calls: 1, usd: 0.01 }, reservedUsd: 1 })
    const [newest, oldest] = await house.views().modelCalls(house.kernel.operator, { limit: 10 })
    expect(ModelCallView.parse(newest)).toMatchObject({
      ref: 'test/scripted',
      outcome: 'under way',
      estimated: true,
      usd: 1,
      run: null,
    })
    expect(oldest).toMatchObject({ outcome: 'delivered', estimated: false, usd: 0.01, firstTokenMs: 2 })
    expect(await house.views().modelCalls(house.kernel.operator, { limit: 1 })).toHaveLength(1)
  })

  test('divides by the runs that ended as they should, and by no others', async () => {
    const house = await open()
    script = () => ({ text: 'fine', money: { worst: 10 * cent, cost: 3 * cent } })
    for (const text of ['one', 'two']) await house.settled((await house.say(text)).run)
    script = () => ({
      failure: { kind: 'invalid', message: 'no' },
      money: { worst: 10 * cent, cost: 4 * cent },
    })
    expect((await house.settled((await house.say('three')).run)).run.reason).toBe('error')
    script = () => ({ text: 'fine' })
    const now = Date.now()
    const told = await report(house, { from: new Date(now - hour), to: new Date(now + hour) })
    expect(told.total.usd).toBeGreaterThan(0.06)
    expect(told.usdPerOutcome).toBeCloseTo(told.total.usd / 2, 12)
  })

  test('tells of the guard while it holds unattended work', async () => {
    const house = await open()
    const span = { from: at('2026-05-01T00:00:00Z'), to: at('2026-06-01T00:00:00Z') }
    await house.kernel.budgets.set(
      house.kernel.operator,
      { scope: 'unattended', subject: null, period: 'month', limitUsd: 100, hard: true },
      actor,
    )
    const account = { unattended: true }
    await book(house, [
      made('2026-05-04T07:30:00Z', 10 * cent, { account }),
      made('2026-05-04T08:30:00Z', 10 * cent, { account }),
      made('2026-05-04T09:30:00Z', 10 * cent, { account }),
      made('2026-05-04T10:30:00Z', 40 * cent, { account }),
    ])
    await expect
      .poll(async () => (await report(house, span)).guard)
      .toEqual({
        at: '2026-05-04T10:30:00.000Z',
        reason: 'Unattended work spent $0.4000 in this hour; $0.1000 is usual.',
      })
    await house.kernel.budgets.release(house.kernel.operator, actor)
    expect((await report(house, span)).guard).toBeNull()
  })
})

describe('an adjustment', () => {
  test('counts in the sums, with its provider or as a line of its own', async () => {
    const house = await open()
    await book(house, [
      made('2026-11-03T10:00:00Z', 50 * cent, { provider: 'openai' }),
      made('2026-11-03T11:00:00Z', 20 * cent, { provider: 'anthropic' }),
    ])
    house.now = () => at('2026-11-06T10:00:00Z')
    await adjust(house, 'openai', '2026-11-03T00:00:00Z', '2026-11-04T00:00:00Z', -10 * cent)
    await adjust(house, 'mistral', '2026-11-03T00:00:00Z', '2026-11-04T00:00:00Z', 3 * cent)
    const span = { from: at('2026-11-01T00:00:00Z'), to: at('2026-11-30T00:00:00Z') }
    const byProvider = await report(house, { ...span, by: 'provider' })
    expect(byProvider).toMatchObject({ total: { calls: 2, usd: 0.63 }, adjustedUsd: -0.07 })
    expect(byProvider.lines).toMatchObject([
      { key: 'openai', calls: 1, usd: 0.4 },
      { key: 'anthropic', calls: 1, usd: 0.2 },
      { key: 'mistral', calls: 0, usd: 0.03 },
    ])
    expect((await report(house, { ...span, by: 'day' })).lines).toMatchObject([
      { key: '2026-11-03', usd: 0.7 },
      { key: 'reconciled', calls: 0, usd: -0.07 },
    ])
    expect((await report(house, { from: span.to, to: at('2026-12-29T00:00:00Z') })).beforeUsd).toBe(0.63)
    const days = await house.views().bookedDays(house.kernel.operator, 'openai', span)
    expect([...days]).toEqual([['2026-11-03', 40 * cent]])
  })

  test('counts once, where the middle of its time lies', async () => {
    const house = await open()
    house.now = () => at('2026-11-06T10:00:00Z')
    await adjust(house, 'openai', '2026-11-03T00:00:00Z', '2026-11-04T00:00:00Z', cent)
    const between = async (from: string, to: string) =>
      (await report(house, { from: at(from), to: at(to) })).adjustedUsd
    expect(await between('2026-11-01T00:00:00Z', '2026-11-03T12:00:00Z')).toBe(0)
    expect(await between('2026-11-03T12:00:00Z', '2026-11-30T00:00:00Z')).toBe(0.01)
  })

  test('moves what is spent of a limit for everything in its present period, and of no other', async () => {
    const house = await open()
    const limit = (change: object) =>
      house.kernel.budgets.set(
        house.kernel.operator,
        { scope: 'global', subject: null, period: 'month', limitUsd: 1, hard: true, ...change },
        actor,
      )
    for (const change of [{}, { period: 'day' }, { period: 'ever' }, { scope: 'agent' }]) await limit(change)
    await book(house, [made('2026-11-06T09:00:00Z', 50 * cent, { account: { agent: 'writer' } })])
    house.now = () => at('2026-11-06T10:00:00Z')
    await adjust(house, 'test', '2026-11-03T00:00:00Z', '2026-11-04T00:00:00Z', 40 * cent)
    await adjust(house, 'test', '2026-10-03T00:00:00Z', '2026-10-04T00:00:00Z', 7 * cent)
    const spent = Object.fromEntries(
      (await house.kernel.budgets.list(house.kernel.operator)).map(({ name, spentUsd }) => [name, spentUsd]),
    )
    expect(spent).toMatchObject({ 'global:month': 0.9, 'global:day': 0.5, 'global:ever': 0.97 })
    const reserve = (worstNanos: number) =>
      house.kernel
        .meterFor(house.kernel.operator)
        .reserve({ provider: 'test', model: 'scripted', purpose: 'chat', worstNanos })
    expect(await reserve(11 * cent)).toMatchObject({ kind: 'refused' })
    await adjust(house, 'test', '2026-11-03T00:00:00Z', '2026-11-04T00:00:00Z', -40 * cent)
    expect(await reserve(11 * cent)).toMatchObject({ kind: 'reserved' })
  })

  test('is recorded, all or nothing', async () => {
    const house = await open()
    const { operator } = house.kernel
    const one = { provider: 'test', from: at('2026-11-03T00:00:00Z'), to: at('2026-11-04T00:00:00Z') }
    const ledger = await house.kernel.budgets.adjust(
      operator,
      [
        { ...one, costNanos: cent },
        { ...one, costNanos: -cent },
      ],
      actor,
    )
    await expect(
      house.kernel.budgets.adjust(
        operator,
        [
          { ...one, costNanos: cent },
          { ...one, costNanos: 0.5 },
        ],
        actor,
      ),
    ).rejects.toThrow('bigint')
    const entries = await house.kernel.look(operator, (db) =>
      db.selectFrom('ledger_entries').select(['seq', 'body']).where('type', '=', 'cost.adjusted').execute(),
    )
    expect(entries.map(({ seq }) => seq)).toEqual([ledger - 1, ledger])
    expect(entries[1]?.body).toContain('-10000000')
    const rows = await house.kernel.look(operator, (db) =>
      db.selectFrom('cost_adjustments').selectAll().execute(),
    )
    expect(rows).toHaveLength(2)
    expect((await house.kernel.verifyLedger(operator)).problem).toBeNull()
  })
})

describe('idle spend', () => {
  const span = { from: at('2026-05-01T00:00:00Z'), to: at('2026-06-01T00:00:00Z') }
  const idle = (house: TestHouse) => house.views().idle(house.kernel.operator, span)
  const write = (house: TestHouse, moment: string, who: object, work: object | null = null) => {
    house.now = () => at(moment)
    const { operator } = house.kernel
    return house.kernel.admit(operator, {
      key: randomUUIDv7(),
      session: null,
      text: 'go',
      mode: 'auto',
      requester: { kind: 'operator', id: 'desk', ...who },
      ...(work === null ? {} : { work }),
    } as Parameters<typeof house.kernel.admit>[1])
  }

  test('is what was called when the operator had written nothing for a day', async () => {
    const house = await open()
    await write(house, '2026-04-30T12:00:00Z', {})
    await book(house, [
      made('2026-05-01T11:59:59Z', cent, { account: { agent: 'assistant' } }),
      made('2026-05-01T12:00:00Z', 2 * cent, {
        account: { agent: 'assistant', schedule: 'sch_1', goal: 'goal_1' },
      }),
      made('2026-05-02T12:00:00Z', 4 * cent, { account: { agent: 'assistant', goal: 'goal_1' } }),
    ])
    await write(house, '2026-05-03T12:00:00Z', {})
    await book(house, [
      made('2026-05-03T12:00:00Z', 8 * cent, { account: { agent: 'assistant' } }),
      made('2026-05-04T11:00:00Z', 16 * cent, { account: { agent: 'assistant' } }),
      made('2026-05-05T11:00:00Z', 32 * cent, { account: { agent: 'assistant' } }),
    ])
    expect(await idle(house)).toMatchObject({
      usd: 0.38,
      calls: 3,
      lines: [
        { key: 'agent assistant', usd: 0.32 },
        { key: 'goal goal_1', usd: 0.04 },
        { key: 'schedule sch_1', usd: 0.02 },
      ],
    })
  })

  test('is nothing that the operator did by hand', async () => {
    const house = await open()
    await book(house, [made('2026-05-03T13:00:00Z', cent, { account: { agent: 'operator' } })])
    expect(await idle(house)).toMatchObject({ calls: 0 })
  })

  test('is not hidden by what others or schedules ask for', async () => {
    const house = await open()
    await write(house, '2026-05-03T12:00:00Z', { kind: 'schedule' })
    await write(house, '2026-05-03T12:00:00Z', { kind: 'peer' })
    await write(
      house,
      '2026-05-03T12:00:00Z',
      {},
      { agent: 'assistant', goal: null, schedule: 'sch_1', unattended: true },
    )
    await book(house, [made('2026-05-03T13:00:00Z', cent, { account: { agent: 'assistant' } })])
    expect(await idle(house)).toMatchObject({ calls: 1 })
    await write(house, '2026-05-03T12:30:00Z', {})
    expect(await idle(house)).toEqual({ usd: 0, calls: 0, lines: [] })
  })
})

describe('the costliest runs', () => {
  async function talk(house: TestHouse, text: string): Promise<RunId> {
    const { run } = await house.say(text)
    await house.settled(run)
    return run
  }
  const usage = (input: number) => ({ input, output: 100, cached: 0, reasoning: 0 })

  test('come first, with a title and with why', async () => {
    const house = await open()
    const [grew, silent, plain] = [
      await talk(house, 'Plan the journey\nand be quick'),
      await talk(house, 'Read my mail'),
      await talk(house, 'Say hello'),
    ]
    const on = (run: RunId, nanos: number, spent: Partial<SpentCall>): Made =>
      made(new Date().toISOString(), nanos, { account: { run }, spent: { ...spentOn(nanos), ...spent } })
    await book(house, [
      on(grew, 10 * cent, { usage: usage(2_000) }),
      on(grew, 30 * cent, { usage: usage(48_000) }),
      ...Array.from({ length: 3 }, () => on(silent, cent, { outcome: 'timeout' })),
      on(silent, cent, {}),
      on(plain, 2 * cent, {}),
      made(new Date().toISOString(), dollar),
    ])
    house.now = () => new Date()
    const span = { from: new Date(Date.now() - hour), to: new Date(Date.now() + hour) }
    const { operator } = house.kernel
    const found = await house.views().costlyRuns(operator, { ...span, limit: 10 })
    expect(found).toMatchObject([
      {
        run: grew,
        title: 'Plan the journey',
        usd: 0.4,
        calls: 2,
        turns: 1,
        unattended: false,
        hint: 'the context grew to 48,000 tokens a call',
      },
      { run: silent, title: 'Read my mail', usd: 0.04, hint: '3 of 4 calls brought no reply' },
      { run: plain, usd: 0.02, hint: null },
    ])
    expect(await house.views().costlyRuns(operator, { ...span, limit: 1 })).toHaveLength(1)
    expect(await house.views().costlyRuns(operator, { from: new Date(0), to: span.from, limit: 10 })).toEqual(
      [],
    )
    expect(await house.views().modelCalls(operator, { run: silent, limit: 10 })).toHaveLength(4)
  })
})
