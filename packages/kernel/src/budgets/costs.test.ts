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
import { openTestKernel, type Reply, spentOn, type TestKernel } from '../testing/test-kernel.ts'
import type { Account } from './model-costs.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let script: () => Reply = () => ({ text: 'fine' })
const houses: TestKernel[] = []

/** Each test has an operator of its own. */
async function open(): Promise<TestKernel> {
  await Promise.all(houses.splice(0).map((testKernel) => testKernel.close()))
  const testKernel = await openTestKernel(database.connection, () => script())
  houses.push(testKernel)
  return testKernel
}

beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(async () => {
  await Promise.all(houses.map((testKernel) => testKernel.close()))
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

async function book(testKernel: TestKernel, calls: readonly Made[]): Promise<void> {
  for (const call of calls) {
    testKernel.now = () => call.at
    const meter = testKernel.kernel.meterFor(testKernel.kernel.operator, call.account)
    const { provider, model, purpose, worst } = call
    const reserve = () => meter.reserve({ provider, model, purpose, worstNanos: worst })
    let reserved = await reserve()
    // Calls at random look like a run amok, which is not what this is about.
    while (reserved.kind === 'refused' && reserved.shortage.budget === guardName) {
      await testKernel.kernel.budgets.release(testKernel.kernel.operator, actor)
      reserved = await reserve()
    }
    if (reserved.kind === 'refused') throw new Error(reserved.shortage.message)
    if (call.spent) await meter.settle(reserved.id, call.spent)
  }
}

const report = (testKernel: TestKernel, asked: { from: Date; to: Date; by?: CostGroup; zone?: string }) =>
  testKernel.views().costs(testKernel.kernel.operator, { by: 'model', zone, ...asked })

const adjust = (testKernel: TestKernel, provider: string, from: string, to: string, costNanos: number) =>
  testKernel.kernel.budgets.adjust(
    testKernel.kernel.operator,
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
    const testKernel = await open()
    await testKernel.kernel.budgets.set(
      testKernel.kernel.operator,
      { scope: 'unattended', subject: null, period: 'month', limitUsd: 1_000_000, hard: true },
      actor,
    )
    const calls = fc.sample(anyCall, { numRuns: 250, seed: 20_261_025 })
    const ordered = calls.toSorted((one, other) => one.at.getTime() - other.at.getTime())
    await book(testKernel, ordered)
    // Late enough for the sweep to give up what nobody settled.
    testKernel.now = () => new Date(start.getTime() + 21 * day)
    await expect
      .poll(async () => (await report(testKernel, { from: start, to: testKernel.now() })).reservedUsd)
      .toBe(0)

    const [from, to] = [at('2026-10-24T03:17:00Z'), at('2026-11-03T17:42:00Z')]
    const inside = ordered.filter((call) => call.at >= from && call.at < to)
    const before = ordered.filter(
      (call) => call.at.getTime() >= 2 * from.getTime() - to.getTime() && call.at < from,
    )
    expect(inside.length).toBeGreaterThan(80)
    expect(inside.some(({ spent }) => spent === null)).toBe(true)
    for (const by of CostGroup.options) {
      const told = CostReport.parse(await report(testKernel, { from, to, by }))
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
    const testKernel = await open()
    await book(testKernel, [
      made('2026-10-24T21:59:59Z', cent),
      made('2026-10-24T22:00:00Z', 2 * cent),
      made('2026-10-25T00:30:00Z', 3 * cent),
      made('2026-10-25T01:30:00Z', 4 * cent),
      made('2026-10-25T22:59:59Z', 5 * cent),
      made('2026-10-25T23:00:00Z', 6 * cent),
    ])
    const span = { from: at('2026-10-20T00:00:00Z'), to: at('2026-10-30T00:00:00Z') }
    const lines = async (by: CostGroup, where = zone) =>
      (await report(testKernel, { ...span, by, zone: where })).lines.map(({ key, usd }) => [key, usd])
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
    const testKernel = await open()
    await book(testKernel, [made('2026-05-01T00:00:00Z', cent), made('2026-05-02T00:00:00Z', 2 * cent)])
    const [from, to] = [at('2026-05-01T00:00:00Z'), at('2026-05-02T00:00:00Z')]
    expect(await report(testKernel, { from, to })).toMatchObject({
      total: { calls: 1, usd: 0.01 },
      beforeUsd: 0,
    })
    expect(await report(testKernel, { from: to, to: at('2026-05-03T00:00:00Z') })).toMatchObject({
      total: { calls: 1, usd: 0.02 },
      beforeUsd: 0.01,
    })
  })

  test('says nothing of what nobody did', async () => {
    const testKernel = await open()
    expect(
      await report(testKernel, { from: at('2026-05-01T00:00:00Z'), to: at('2026-06-01T00:00:00Z') }),
    ).toMatchObject({
      total: { calls: 0, usd: 0 },
      lines: [],
      usdPerOutcome: null,
      cacheHitRate: null,
      guard: null,
    })
  })

  test('counts what is set aside apart, and calls that are under way in no sum', async () => {
    const testKernel = await open()
    await book(testKernel, [
      made('2026-05-01T10:00:00Z', cent),
      made('2026-05-01T10:10:00Z', dollar, { spent: null }),
    ])
    const told = await report(testKernel, {
      from: at('2026-05-01T00:00:00Z'),
      to: at('2026-05-02T00:00:00Z'),
    })
    expect(told).toMatchObject({ total: { calls: 1, usd: 0.01 }, reservedUsd: 1 })
    const [newest, oldest] = await testKernel.views().modelCalls(testKernel.kernel.operator, { limit: 10 })
    expect(ModelCallView.parse(newest)).toMatchObject({
      ref: 'test/scripted',
      outcome: 'under way',
      estimated: true,
      usd: 1,
      run: null,
    })
    expect(oldest).toMatchObject({ outcome: 'delivered', estimated: false, usd: 0.01, firstTokenMs: 2 })
    expect(await testKernel.views().modelCalls(testKernel.kernel.operator, { limit: 1 })).toHaveLength(1)
  })

  test('divides by the runs that ended as they should, and by no others', async () => {
    const testKernel = await open()
    script = () => ({ text: 'fine', money: { worst: 10 * cent, cost: 3 * cent } })
    for (const text of ['one', 'two']) await testKernel.settled((await testKernel.say(text)).run)
    script = () => ({
      failure: { kind: 'invalid', message: 'no' },
      money: { worst: 10 * cent, cost: 4 * cent },
    })
    expect((await testKernel.settled((await testKernel.say('three')).run)).run.reason).toBe('error')
    script = () => ({ text: 'fine' })
    const now = Date.now()
    const told = await report(testKernel, { from: new Date(now - hour), to: new Date(now + hour) })
    expect(told.total.usd).toBeGreaterThan(0.06)
    expect(told.usdPerOutcome).toBeCloseTo(told.total.usd / 2, 12)
  })

  test('tells of the guard while it holds unattended work', async () => {
    const testKernel = await open()
    const span = { from: at('2026-05-01T00:00:00Z'), to: at('2026-06-01T00:00:00Z') }
    await testKernel.kernel.budgets.set(
      testKernel.kernel.operator,
      { scope: 'unattended', subject: null, period: 'month', limitUsd: 100, hard: true },
      actor,
    )
    const account = { unattended: true }
    await book(testKernel, [
      made('2026-05-04T07:30:00Z', 10 * cent, { account }),
      made('2026-05-04T08:30:00Z', 10 * cent, { account }),
      made('2026-05-04T09:30:00Z', 10 * cent, { account }),
      made('2026-05-04T10:30:00Z', 40 * cent, { account }),
    ])
    await expect
      .poll(async () => (await report(testKernel, span)).guard)
      .toEqual({
        at: '2026-05-04T10:30:00.000Z',
        reason: 'Unattended work spent $0.40 in this hour; $0.10 is usual.',
      })
    await testKernel.kernel.budgets.release(testKernel.kernel.operator, actor)
    expect((await report(testKernel, span)).guard).toBeNull()
  })
})

describe('an adjustment', () => {
  test('counts in the sums, with its provider or as a line of its own', async () => {
    const testKernel = await open()
    await book(testKernel, [
      made('2026-11-03T10:00:00Z', 50 * cent, { provider: 'openai' }),
      made('2026-11-03T11:00:00Z', 20 * cent, { provider: 'anthropic' }),
    ])
    testKernel.now = () => at('2026-11-06T10:00:00Z')
    await adjust(testKernel, 'openai', '2026-11-03T00:00:00Z', '2026-11-04T00:00:00Z', -10 * cent)
    await adjust(testKernel, 'mistral', '2026-11-03T00:00:00Z', '2026-11-04T00:00:00Z', 3 * cent)
    const span = { from: at('2026-11-01T00:00:00Z'), to: at('2026-11-30T00:00:00Z') }
    const byProvider = await report(testKernel, { ...span, by: 'provider' })
    expect(byProvider).toMatchObject({ total: { calls: 2, usd: 0.63 }, adjustedUsd: -0.07 })
    expect(byProvider.lines).toMatchObject([
      { key: 'openai', calls: 1, usd: 0.4 },
      { key: 'anthropic', calls: 1, usd: 0.2 },
      { key: 'mistral', calls: 0, usd: 0.03 },
    ])
    expect((await report(testKernel, { ...span, by: 'day' })).lines).toMatchObject([
      { key: '2026-11-03', usd: 0.7 },
      { key: 'reconciled', calls: 0, usd: -0.07 },
    ])
    expect((await report(testKernel, { from: span.to, to: at('2026-12-29T00:00:00Z') })).beforeUsd).toBe(0.63)
    const days = await testKernel.views().bookedDays(testKernel.kernel.operator, 'openai', span)
    expect([...days]).toEqual([['2026-11-03', 40 * cent]])
  })

  test('counts once, where the middle of its time lies', async () => {
    const testKernel = await open()
    testKernel.now = () => at('2026-11-06T10:00:00Z')
    await adjust(testKernel, 'openai', '2026-11-03T00:00:00Z', '2026-11-04T00:00:00Z', cent)
    const between = async (from: string, to: string) =>
      (await report(testKernel, { from: at(from), to: at(to) })).adjustedUsd
    expect(await between('2026-11-01T00:00:00Z', '2026-11-03T12:00:00Z')).toBe(0)
    expect(await between('2026-11-03T12:00:00Z', '2026-11-30T00:00:00Z')).toBe(0.01)
  })

  test('moves what is spent of a limit for everything in its present period, and of no other', async () => {
    const testKernel = await open()
    const limit = (change: object) =>
      testKernel.kernel.budgets.set(
        testKernel.kernel.operator,
        { scope: 'global', subject: null, period: 'month', limitUsd: 1, hard: true, ...change },
        actor,
      )
    for (const change of [{}, { period: 'day' }, { period: 'ever' }, { scope: 'agent' }]) await limit(change)
    await book(testKernel, [made('2026-11-06T09:00:00Z', 50 * cent, { account: { agent: 'writer' } })])
    testKernel.now = () => at('2026-11-06T10:00:00Z')
    await adjust(testKernel, 'test', '2026-11-03T00:00:00Z', '2026-11-04T00:00:00Z', 40 * cent)
    await adjust(testKernel, 'test', '2026-10-03T00:00:00Z', '2026-10-04T00:00:00Z', 7 * cent)
    const spent = Object.fromEntries(
      (await testKernel.kernel.budgets.list(testKernel.kernel.operator)).map(({ name, spentUsd }) => [
        name,
        spentUsd,
      ]),
    )
    expect(spent).toMatchObject({ 'global:month': 0.9, 'global:day': 0.5, 'global:ever': 0.97 })
    const reserve = (worstNanos: number) =>
      testKernel.kernel
        .meterFor(testKernel.kernel.operator)
        .reserve({ provider: 'test', model: 'scripted', purpose: 'chat', worstNanos })
    expect(await reserve(11 * cent)).toMatchObject({ kind: 'refused' })
    await adjust(testKernel, 'test', '2026-11-03T00:00:00Z', '2026-11-04T00:00:00Z', -40 * cent)
    expect(await reserve(11 * cent)).toMatchObject({ kind: 'reserved' })
  })

  test('is recorded, all or nothing', async () => {
    const testKernel = await open()
    const { operator } = testKernel.kernel
    const one = { provider: 'test', from: at('2026-11-03T00:00:00Z'), to: at('2026-11-04T00:00:00Z') }
    const ledger = await testKernel.kernel.budgets.adjust(
      operator,
      [
        { ...one, costNanos: cent },
        { ...one, costNanos: -cent },
      ],
      actor,
    )
    await expect(
      testKernel.kernel.budgets.adjust(
        operator,
        [
          { ...one, costNanos: cent },
          { ...one, costNanos: 0.5 },
        ],
        actor,
      ),
    ).rejects.toThrow('bigint')
    const entries = await testKernel.kernel.readOnly(operator, (db) =>
      db
        .selectFrom('ledger_entries')
        .select(['seq', 'body'])
        .where('type', '=', 'cost.adjusted')
        .orderBy('seq')
        .execute(),
    )
    expect(entries.map(({ seq }) => seq)).toEqual([ledger - 1, ledger])
    expect(entries[1]?.body).toContain('-10000000')
    const rows = await testKernel.kernel.readOnly(operator, (db) =>
      db.selectFrom('cost_adjustments').selectAll().execute(),
    )
    expect(rows).toHaveLength(2)
    expect((await testKernel.kernel.verifyLedger(operator)).problem).toBeNull()
  })
})

describe('idle spend', () => {
  const span = { from: at('2026-05-01T00:00:00Z'), to: at('2026-06-01T00:00:00Z') }
  const idle = (testKernel: TestKernel) => testKernel.views().idle(testKernel.kernel.operator, span)
  const write = (testKernel: TestKernel, moment: string, who: object, work: object | null = null) => {
    testKernel.now = () => at(moment)
    const { operator } = testKernel.kernel
    return testKernel.kernel.admit(operator, {
      key: randomUUIDv7(),
      session: null,
      text: 'go',
      mode: 'auto',
      requester: { kind: 'operator', id: 'desk', ...who },
      ...(work === null ? {} : { work }),
    } as Parameters<typeof testKernel.kernel.admit>[1])
  }

  test('is what was called when the operator had written nothing for a day', async () => {
    const testKernel = await open()
    await write(testKernel, '2026-04-30T12:00:00Z', {})
    await book(testKernel, [
      made('2026-05-01T11:59:59Z', cent, { account: { agent: 'assistant' } }),
      made('2026-05-01T12:00:00Z', 2 * cent, {
        account: { agent: 'assistant', schedule: 'sch_1', goal: 'goal_1' },
      }),
      made('2026-05-02T12:00:00Z', 4 * cent, { account: { agent: 'assistant', goal: 'goal_1' } }),
    ])
    await write(testKernel, '2026-05-03T12:00:00Z', {})
    await book(testKernel, [
      made('2026-05-03T12:00:00Z', 8 * cent, { account: { agent: 'assistant' } }),
      made('2026-05-04T11:00:00Z', 16 * cent, { account: { agent: 'assistant' } }),
      made('2026-05-05T11:00:00Z', 32 * cent, { account: { agent: 'assistant' } }),
    ])
    expect(await idle(testKernel)).toMatchObject({
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
    const testKernel = await open()
    await book(testKernel, [made('2026-05-03T13:00:00Z', cent, { account: { agent: 'operator' } })])
    expect(await idle(testKernel)).toMatchObject({ calls: 0 })
  })

  test('is not hidden by what others or schedules ask for', async () => {
    const testKernel = await open()
    await write(testKernel, '2026-05-03T12:00:00Z', { kind: 'schedule' })
    await write(testKernel, '2026-05-03T12:00:00Z', { kind: 'peer' })
    await write(
      testKernel,
      '2026-05-03T12:00:00Z',
      {},
      { agent: 'assistant', goal: null, schedule: 'sch_1', unattended: true },
    )
    await book(testKernel, [made('2026-05-03T13:00:00Z', cent, { account: { agent: 'assistant' } })])
    expect(await idle(testKernel)).toMatchObject({ calls: 1 })
    await write(testKernel, '2026-05-03T12:30:00Z', {})
    expect(await idle(testKernel)).toEqual({ usd: 0, calls: 0, lines: [] })
  })
})

describe('the costliest runs', () => {
  async function talk(testKernel: TestKernel, text: string): Promise<RunId> {
    const { run } = await testKernel.say(text)
    await testKernel.settled(run)
    return run
  }
  const usage = (input: number) => ({ input, output: 100, cached: 0, reasoning: 0 })

  test('come first, with a title and with why', async () => {
    const testKernel = await open()
    const [grew, silent, plain] = [
      await talk(testKernel, 'Plan the journey\nand be quick'),
      await talk(testKernel, 'Read my mail'),
      await talk(testKernel, 'Say hello'),
    ]
    const on = (run: RunId, nanos: number, spent: Partial<SpentCall>): Made =>
      made(new Date().toISOString(), nanos, { account: { run }, spent: { ...spentOn(nanos), ...spent } })
    await book(testKernel, [
      on(grew, 10 * cent, { usage: usage(2_000) }),
      on(grew, 30 * cent, { usage: usage(48_000) }),
      ...Array.from({ length: 3 }, () => on(silent, cent, { outcome: 'timeout' })),
      on(silent, cent, {}),
      on(plain, 2 * cent, {}),
      made(new Date().toISOString(), dollar),
    ])
    testKernel.now = () => new Date()
    const span = { from: new Date(Date.now() - hour), to: new Date(Date.now() + hour) }
    const { operator } = testKernel.kernel
    const found = await testKernel.views().costlyRuns(operator, { ...span, limit: 10 })
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
      { run: silent, title: 'Read my mail', usd: 0.04, hint: '3 of 4 calls got no reply' },
      { run: plain, usd: 0.02, hint: null },
    ])
    expect(await testKernel.views().costlyRuns(operator, { ...span, limit: 1 })).toHaveLength(1)
    expect(
      await testKernel.views().costlyRuns(operator, { from: new Date(0), to: span.from, limit: 10 }),
    ).toEqual([])
    expect(await testKernel.views().modelCalls(operator, { run: silent, limit: 10 })).toHaveLength(4)
  })
})
