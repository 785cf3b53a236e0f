import { randomUUIDv7 } from 'node:crypto'
import { idFrom } from '@countersign/contract'
import { sql } from 'kysely'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { openTestKernel, type Reply, spentOn, type TestKernel } from '../testing/test-kernel.ts'
import type { Account } from './model-costs.ts'
import { spentByPerson } from './person-costs.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let script: () => Reply | Promise<Reply> = () => ({ text: 'fine' })
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
const planned = (worstNanos: number) => ({
  provider: 'test',
  model: 'scripted',
  purpose: 'chat' as const,
  worstNanos,
})

const meter = (testKernel: TestKernel, account: Partial<Account> = {}) =>
  testKernel.kernel.meterFor(testKernel.kernel.operator, account)

async function spend(testKernel: TestKernel, worst: number, cost: number, account: Partial<Account> = {}) {
  const reserved = await meter(testKernel, account).reserve(planned(worst))
  if (reserved.kind === 'refused') return reserved.shortage.budget
  await meter(testKernel, account).settle(reserved.id, spentOn(cost))
  return 'spent'
}

const limit = (testKernel: TestKernel, change: object) =>
  testKernel.kernel.budgets.set(
    testKernel.kernel.operator,
    { scope: 'global', subject: null, period: 'month', limitUsd: 1, hard: true, ...change },
    actor,
  )
const budget = async (testKernel: TestKernel, name: string) =>
  (await testKernel.kernel.budgets.list(testKernel.kernel.operator)).find((one) => one.name === name)
const events = async (testKernel: TestKernel, type: string) =>
  (await testKernel.kernel.stream.since(testKernel.kernel.operator, 0, 1_000))
    .map((event) => event.body)
    .filter((body) => body.type === type)

describe('a hard limit', () => {
  test('is kept by calls side by side, because the worst case is set aside first', async () => {
    const testKernel = await open()
    await limit(testKernel, { limitUsd: 1 })
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => meter(testKernel).reserve(planned(10 * cent))),
    )
    const taken = answers.filter((answer) => answer.kind === 'reserved')
    expect(taken).toHaveLength(10)
    expect(await budget(testKernel, 'global:month')).toMatchObject({ spentUsd: 0, reservedUsd: 1 })
    for (const { id } of taken) await meter(testKernel).settle(id, spentOn(cent))
    expect(await budget(testKernel, 'global:month')).toMatchObject({ spentUsd: 0.1, reservedUsd: 0 })
    expect(await spend(testKernel, 91 * cent, cent)).toBe('global:month')
    expect(await spend(testKernel, 90 * cent, cent)).toBe('spent')
  })

  test('says what is missing', async () => {
    const testKernel = await open()
    await limit(testKernel, { limitUsd: 0.5 })
    await spend(testKernel, 40 * cent, 40 * cent)
    expect(await meter(testKernel).reserve(planned(20 * cent))).toEqual({
      kind: 'refused',
      shortage: {
        budget: 'global:month',
        subject: '',
        period: expect.stringMatching(/^\d{4}-\d\d$/) as string,
        limitNanos: dollar / 2,
        takenNanos: 40 * cent,
        neededNanos: 20 * cent,
        message: 'The budget global:month of $0.50 has $0.10 left, and the next call may cost $0.20.',
      },
    })
  })

  test('counts what was spent before it was set', async () => {
    const testKernel = await open()
    await spend(testKernel, dollar, 80 * cent)
    await limit(testKernel, { limitUsd: 1 })
    expect(await spend(testKernel, 21 * cent, cent)).toBe('global:month')
    expect(await spend(testKernel, 20 * cent, cent)).toBe('spent')
  })

  test('lets free calls through when it is used up, and a soft one lets everything through', async () => {
    const testKernel = await open()
    await limit(testKernel, { limitUsd: 0 })
    expect(await spend(testKernel, 0, 0)).toBe('spent')
    expect(await spend(testKernel, 1, 1)).toBe('global:month')
    await limit(testKernel, { limitUsd: 0, hard: false })
    expect(await spend(testKernel, 1, 1)).toBe('spent')
  })

  test('begins again with its period', async () => {
    const testKernel = await open()
    await limit(testKernel, { period: 'day', limitUsd: 0.1 })
    expect(await spend(testKernel, 10 * cent, 10 * cent)).toBe('spent')
    expect(await spend(testKernel, cent, cent)).toBe('global:day')
    testKernel.now = () => new Date(Date.now() + 24 * 60 * 60_000)
    expect(await spend(testKernel, cent, cent)).toBe('spent')
  })
})

test.each([
  ['agent', { agent: 'writer' }, { agent: 'reader' }],
  ['goal', { goal: 'goal_1' }, { goal: 'goal_2' }],
  ['schedule', { schedule: 'sch_1' }, { schedule: 'sch_2' }],
  ['session', { session: idFrom('ses', randomUUIDv7()) }, { session: idFrom('ses', randomUUIDv7()) }],
  ['run', { run: idFrom('run', randomUUIDv7()) }, { run: idFrom('run', randomUUIDv7()) }],
] as const)(
  'a limit for each %s counts each by itself, and one that names one counts that one',
  async (scope, first, second) => {
    const testKernel = await open()
    const { name } = (await limit(testKernel, { scope, limitUsd: 0.1 })).budget
    expect(await spend(testKernel, 10 * cent, 10 * cent, first)).toBe('spent')
    expect(await spend(testKernel, cent, cent, first)).toBe(name)
    expect(await spend(testKernel, 10 * cent, 10 * cent, second)).toBe('spent')
    if (scope !== 'agent') expect(await spend(testKernel, dollar, cent)).toBe('spent')
    await testKernel.kernel.budgets.remove(testKernel.kernel.operator, name, actor)
    await limit(testKernel, { scope, subject: Object.values(second)[0], limitUsd: 0.1 })
    expect(await spend(testKernel, cent, cent, first)).toBe('spent')
    expect(await spend(testKernel, cent, cent, second)).not.toBe('spent')
  },
)

test('a limit for a call looks at that call alone', async () => {
  const testKernel = await open()
  await limit(testKernel, { scope: 'call', limitUsd: 0.1 })
  for (let times = 0; times < 5; times += 1)
    expect(await spend(testKernel, 10 * cent, 10 * cent)).toBe('spent')
  expect(await spend(testKernel, 11 * cent, cent)).toBe('call')
})

test('a call that began before another, and was set aside after it, is given back', async () => {
  const testKernel = await open()
  await limit(testKernel, { limitUsd: 10 })
  expect(await spend(testKernel, cent, cent)).toBe('spent')
  const earlier = Date.now() - 5_000
  testKernel.now = () => new Date(earlier)
  const reserved = await meter(testKernel).reserve(planned(5 * dollar))
  if (reserved.kind !== 'reserved') throw new Error('refused')
  await meter(testKernel).settle(reserved.id, spentOn(cent))
  expect(await budget(testKernel, 'global:month')).toMatchObject({ spentUsd: 0.02, reservedUsd: 0 })
})

describe('a limit that changes while a call is under way', () => {
  test('holds the call as it stood, and then at its cost', async () => {
    const testKernel = await open()
    const reserved = await meter(testKernel).reserve(planned(9 * dollar))
    if (reserved.kind !== 'reserved') throw new Error('refused')
    testKernel.now = () => new Date(Date.now() + 10)
    await limit(testKernel, { limitUsd: 10 })
    expect(await spend(testKernel, cent, cent)).toBe('spent')
    expect(await budget(testKernel, 'global:month')).toMatchObject({ spentUsd: 9.01, reservedUsd: 0 })
    await meter(testKernel).settle(reserved.id, spentOn(cent))
    expect(await budget(testKernel, 'global:month')).toMatchObject({ spentUsd: 0.02, reservedUsd: 0 })
  })

  test('is right after it was removed and set again', async () => {
    const testKernel = await open()
    await limit(testKernel, { limitUsd: 10 })
    const reserved = await meter(testKernel).reserve(planned(5 * dollar))
    if (reserved.kind !== 'reserved') throw new Error('refused')
    await testKernel.kernel.budgets.remove(testKernel.kernel.operator, 'global:month', actor)
    testKernel.now = () => new Date(Date.now() + 10)
    await limit(testKernel, { limitUsd: 10 })
    expect(await spend(testKernel, cent, cent)).toBe('spent')
    await meter(testKernel).settle(reserved.id, spentOn(2 * cent))
    expect(await budget(testKernel, 'global:month')).toMatchObject({ spentUsd: 0.03, reservedUsd: 0 })
  })
})

describe('unattended work', () => {
  test('stays at nothing when a budget for it only tells', async () => {
    const testKernel = await open()
    await limit(testKernel, { scope: 'unattended', limitUsd: 1, hard: false })
    expect(await spend(testKernel, 1, 1, { unattended: true })).toBe('unattended:month')
  })

  test('may spend nothing until there is a budget for it', async () => {
    const testKernel = await open()
    expect(await spend(testKernel, 1, 1, { unattended: true })).toBe('unattended:month')
    expect(await spend(testKernel, dollar, cent, { unattended: false })).toBe('spent')
    expect(await budget(testKernel, 'unattended:month')).toMatchObject({
      limitUsd: 0,
      builtIn: true,
      hard: true,
    })
    await limit(testKernel, { scope: 'unattended', period: 'day', limitUsd: 0.2 })
    expect(await spend(testKernel, 20 * cent, 20 * cent, { unattended: true })).toBe('spent')
    expect(await spend(testKernel, cent, cent, { unattended: true })).toBe('unattended:day')
  })

  test('is held when an hour costs three times the usual, and goes on when it is released', async () => {
    const testKernel = await open()
    await limit(testKernel, { scope: 'unattended', limitUsd: 100 })
    const hour = 60 * 60_000
    const start = new Date('2026-05-04T10:30:00Z').getTime()
    for (let past = 5; past >= 1; past -= 1) {
      testKernel.now = () => new Date(start - past * hour)
      await spend(testKernel, 10 * cent, 10 * cent, { unattended: true })
    }
    testKernel.now = () => new Date(start)
    await spend(testKernel, 30 * cent, 30 * cent, { unattended: true })
    expect(await events(testKernel, 'spending.held')).toEqual([])
    await spend(testKernel, cent, cent, { unattended: true })
    await expect
      .poll(() => events(testKernel, 'spending.held'))
      .toMatchObject([{ reason: 'Unattended work spent $0.31 in this hour; $0.10 is usual.' }])
    expect(await spend(testKernel, cent, cent, { unattended: true })).toBe('guard')
    expect(await spend(testKernel, cent, cent)).toBe('spent')
    await testKernel.kernel.budgets.release(testKernel.kernel.operator, actor)
    testKernel.now = () => new Date(start + 60_000)
    for (let times = 0; times < 3; times += 1)
      expect(await spend(testKernel, 10 * cent, 10 * cent, { unattended: true })).toBe('spent')
    expect(await spend(testKernel, 10 * cent, 10 * cent, { unattended: true })).toBe('spent')
    await expect.poll(() => events(testKernel, 'spending.held')).toHaveLength(2)
    expect(await spend(testKernel, cent, cent, { unattended: true })).toBe('guard')
    expect(await events(testKernel, 'spending.released')).toMatchObject([{ by: 'desk' }])
  })

  test('is not held on the word of a single hour', async () => {
    const testKernel = await open()
    await limit(testKernel, { scope: 'unattended', limitUsd: 100 })
    await spend(testKernel, 10 * dollar, 10 * dollar, { unattended: true })
    expect(await spend(testKernel, cent, cent, { unattended: true })).toBe('spent')
  })
})

test('half, four fifths and all of a limit are told once each', async () => {
  const testKernel = await open()
  await limit(testKernel, { limitUsd: 1, hard: false })
  for (let times = 0; times < 12; times += 1) await spend(testKernel, 10 * cent, 10 * cent)
  expect(await events(testKernel, 'budget.reached')).toEqual(
    [50, 80, 100].map((percent) => ({
      type: 'budget.reached',
      budget: 'global:month',
      percent,
      spentUsd: percent / 100,
      limitUsd: 1,
    })),
  )
})

describe('the books', () => {
  test('hold every call with what it came to, once', async () => {
    const testKernel = await open()
    const reserved = await meter(testKernel).reserve(planned(dollar))
    if (reserved.kind !== 'reserved') throw new Error('refused')
    for (let times = 0; times < 3; times += 1) await meter(testKernel).settle(reserved.id, spentOn(7 * cent))
    await limit(testKernel, { limitUsd: 5 })
    await spend(testKernel, cent, 0)
    expect(await budget(testKernel, 'global:month')).toMatchObject({ spentUsd: 0.07, reservedUsd: 0 })
    const report = await testKernel.kernel.verifyLedger(testKernel.kernel.operator)
    expect(report.problem).toBeNull()
  })

  test('count a call that nobody settles at its worst, and correct it when it is heard of again', async () => {
    const testKernel = await open()
    await limit(testKernel, { limitUsd: 1 })
    const reserved = await meter(testKernel).reserve(planned(50 * cent))
    if (reserved.kind !== 'reserved') throw new Error('refused')
    testKernel.now = () => new Date(Date.now() + 2 * 60 * 60_000)
    await expect
      .poll(() => budget(testKernel, 'global:month'))
      .toMatchObject({ spentUsd: 0.5, reservedUsd: 0 })
    await meter(testKernel).settle(reserved.id, spentOn(2 * cent))
    expect(await budget(testKernel, 'global:month')).toMatchObject({ spentUsd: 0.02, reservedUsd: 0 })
  })

  test("know what somebody spent by that person's own calls, and read nobody else's", async () => {
    const testKernel = await open()
    for (let times = 0; times < 20; times += 1) await spend(testKernel, cent, cent, { person: 'chat/lee' })
    for (let times = 0; times < 3; times += 1) await spend(testKernel, cent, cent, { person: 'chat/kim' })
    await meter(testKernel, { person: 'chat/kim' }).reserve(planned(dollar))
    const spent = sql<{ nanos: number }>`select ${spentByPerson('chat/kim', new Date(0))} as nanos`
    const { rows, statement } = await testKernel.kernel.readOnly(testKernel.kernel.operator, async (db) => ({
      rows: (await spent.execute(db)).rows,
      statement: spent.compile(db),
    }))
    expect(rows).toEqual([{ nanos: dollar + 3 * cent }])
    // A table this small is read whole, whatever serves it, unless that is forbidden.
    const client = new Client({ ...database.connection, options: '-c enable_seqscan=off' })
    await client.connect()
    try {
      await client.query("select set_config('app.operator', $1, false)", [testKernel.kernel.operator])
      const plan = await client.query<{ 'QUERY PLAN': string }>(`explain analyze ${statement.sql}`, [
        ...statement.parameters,
      ])
      const read = plan.rows.map((row) => row['QUERY PLAN']).join('\n')
      expect(read).toMatch(/model_calls_person/)
      expect(read).not.toContain('Rows Removed')
    } finally {
      await client.end()
    }
  })
})

describe('a run', () => {
  test('that fails for now waits, says until when, and goes on by itself', async () => {
    const testKernel = await open()
    let calls = 0
    script = () => {
      calls += 1
      return calls <= 3 ? { failure: { kind: 'rate_limited', message: 'slow down' } } : { text: 'at last' }
    }
    const { run } = await testKernel.say('go')
    const parked = await testKernel.settled(run, 'parked')
    expect(parked.run.parkedOn).toBe('retry')
    expect(calls).toBe(3)
    const [event] = await events(testKernel, 'run.parked')
    expect(event).toMatchObject({ on: 'retry', retry: { attempt: 1, of: 5, because: 'slow down' } })
    await testKernel.reopen()
    expect((await testKernel.settled(run, 'parked')).run.parkedOn).toBe('retry')
    testKernel.now = () => new Date(Date.now() + 60_000)
    expect((await testKernel.settled(run)).run).toMatchObject({ reason: 'completed', text: 'at last' })
  })

  test('fails for good when the tries of its kind are used up, and at once when they cannot help', async () => {
    const testKernel = await open()
    script = () => ({ failure: { kind: 'network', message: 'No route.' } })
    const { run } = await testKernel.say('go')
    let later = 0
    testKernel.now = () => new Date(Date.now() + later)
    for (let tries = 1; tries <= 3; tries += 1) {
      await expect.poll(() => events(testKernel, 'run.parked')).toHaveLength(tries)
      later += 10 * 60_000
    }
    expect((await testKernel.settled(run)).run).toMatchObject({
      reason: 'error',
      message: 'The model failed: No route. It was tried again 3 times.',
    })
    script = () => ({ failure: { kind: 'key', message: 'refused' } })
    const other = await testKernel.say('again')
    expect((await testKernel.settled(other.run)).run).toMatchObject({ reason: 'error' })
  })

  test('is stopped by a stop that comes right after a pause', async () => {
    const testKernel = await open()
    const answered = Promise.withResolvers<Reply>()
    let asked = false
    script = () => {
      asked = true
      return answered.promise
    }
    const { run } = await testKernel.say('go')
    await expect.poll(() => asked).toBe(true)
    await testKernel.kernel.pause(testKernel.kernel.operator, actor)
    await testKernel.kernel.stopRun(testKernel.kernel.operator, run, actor)
    answered.resolve({ failure: { kind: 'cancelled', message: 'cancelled' } })
    expect((await testKernel.settled(run)).run.reason).toBe('manual')
    await testKernel.kernel.resume(testKernel.kernel.operator, actor)
  })

  test('goes on at once when the operator writes to it, and ends when it is stopped', async () => {
    const testKernel = await open()
    script = () => ({ failure: { kind: 'network', message: 'No route.' } })
    const { run, session } = await testKernel.say('go')
    await testKernel.settled(run, 'parked')
    script = () => ({ text: 'back' })
    await testKernel.say('try now', session)
    expect((await testKernel.settled(run)).run.reason).toBe('completed')
    script = () => ({ failure: { kind: 'network', message: 'No route.' } })
    const other = await testKernel.say('go', session)
    await testKernel.settled(other.run, 'parked')
    await testKernel.kernel.stopRun(testKernel.kernel.operator, other.run, actor)
    expect((await testKernel.settled(other.run)).run.reason).toBe('manual')
  })
})
