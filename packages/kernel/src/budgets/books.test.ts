import { randomUUIDv7 } from 'node:crypto'
import { idFrom } from '@countersign/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { openTestHouse, type Reply, spentOn, type TestHouse } from '../testing/house.ts'
import type { Account } from './books.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let script: () => Reply | Promise<Reply> = () => ({ text: 'fine' })
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
const planned = (worstNanos: number) => ({
  provider: 'test',
  model: 'scripted',
  purpose: 'chat' as const,
  worstNanos,
})

const meter = (house: TestHouse, account: Partial<Account> = {}) =>
  house.kernel.meterFor(house.kernel.operator, account)

async function spend(house: TestHouse, worst: number, cost: number, account: Partial<Account> = {}) {
  const reserved = await meter(house, account).reserve(planned(worst))
  if (reserved.kind === 'refused') return reserved.shortage.budget
  await meter(house, account).settle(reserved.id, spentOn(cost))
  return 'spent'
}

const limit = (house: TestHouse, change: object) =>
  house.kernel.budgets.set(
    house.kernel.operator,
    { scope: 'global', subject: null, period: 'month', limitUsd: 1, hard: true, ...change },
    actor,
  )
const budget = async (house: TestHouse, name: string) =>
  (await house.kernel.budgets.list(house.kernel.operator)).find((one) => one.name === name)
const events = async (house: TestHouse, type: string) =>
  (await house.kernel.stream.since(house.kernel.operator, 0, 1_000))
    .map((event) => event.body)
    .filter((body) => body.type === type)

describe('a hard limit', () => {
  test('is kept by calls side by side, because the worst case is set aside first', async () => {
    const house = await open()
    await limit(house, { limitUsd: 1 })
    const answers = await Promise.all(
      Array.from({ length: 40 }, () => meter(house).reserve(planned(10 * cent))),
    )
    const taken = answers.filter((answer) => answer.kind === 'reserved')
    expect(taken).toHaveLength(10)
    expect(await budget(house, 'global:month')).toMatchObject({ spentUsd: 0, reservedUsd: 1 })
    for (const { id } of taken) await meter(house).settle(id, spentOn(cent))
    expect(await budget(house, 'global:month')).toMatchObject({ spentUsd: 0.1, reservedUsd: 0 })
    expect(await spend(house, 91 * cent, cent)).toBe('global:month')
    expect(await spend(house, 90 * cent, cent)).toBe('spent')
  })

  test('says what is missing', async () => {
    const house = await open()
    await limit(house, { limitUsd: 0.5 })
    await spend(house, 40 * cent, 40 * cent)
    expect(await meter(house).reserve(planned(20 * cent))).toEqual({
      kind: 'refused',
      shortage: {
        budget: 'global:month',
        subject: '',
        period: expect.stringMatching(/^\d{4}-\d\d$/) as string,
        limitNanos: dollar / 2,
        takenNanos: 40 * cent,
        neededNanos: 20 * cent,
        message: 'The budget global:month of $0.5000 has $0.1000 left, and the next call may cost $0.2000.',
      },
    })
  })

  test('counts what was spent before it was set', async () => {
    const house = await open()
    await spend(house, dollar, 80 * cent)
    await limit(house, { limitUsd: 1 })
    expect(await spend(house, 21 * cent, cent)).toBe('global:month')
    expect(await spend(house, 20 * cent, cent)).toBe('spent')
  })

  test('lets free calls through when it is used up, and a soft one lets everything through', async () => {
    const house = await open()
    await limit(house, { limitUsd: 0 })
    expect(await spend(house, 0, 0)).toBe('spent')
    expect(await spend(house, 1, 1)).toBe('global:month')
    await limit(house, { limitUsd: 0, hard: false })
    expect(await spend(house, 1, 1)).toBe('spent')
  })

  test('begins again with its period', async () => {
    const house = await open()
    await limit(house, { period: 'day', limitUsd: 0.1 })
    expect(await spend(house, 10 * cent, 10 * cent)).toBe('spent')
    expect(await spend(house, cent, cent)).toBe('global:day')
    house.now = () => new Date(Date.now() + 24 * 60 * 60_000)
    expect(await spend(house, cent, cent)).toBe('spent')
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
    const house = await open()
    const { name } = (await limit(house, { scope, limitUsd: 0.1 })).budget
    expect(await spend(house, 10 * cent, 10 * cent, first)).toBe('spent')
    expect(await spend(house, cent, cent, first)).toBe(name)
    expect(await spend(house, 10 * cent, 10 * cent, second)).toBe('spent')
    if (scope !== 'agent') expect(await spend(house, dollar, cent)).toBe('spent')
    await house.kernel.budgets.remove(house.kernel.operator, name, actor)
    await limit(house, { scope, subject: Object.values(second)[0], limitUsd: 0.1 })
    expect(await spend(house, cent, cent, first)).toBe('spent')
    expect(await spend(house, cent, cent, second)).not.toBe('spent')
  },
)

test('a limit for a call looks at that call alone', async () => {
  const house = await open()
  await limit(house, { scope: 'call', limitUsd: 0.1 })
  for (let times = 0; times < 5; times += 1) expect(await spend(house, 10 * cent, 10 * cent)).toBe('spent')
  expect(await spend(house, 11 * cent, cent)).toBe('call')
})

test('a call that began before another, and was set aside after it, is given back', async () => {
  const house = await open()
  await limit(house, { limitUsd: 10 })
  expect(await spend(house, cent, cent)).toBe('spent')
  const earlier = Date.now() - 5_000
  house.now = () => new Date(earlier)
  const reserved = await meter(house).reserve(planned(5 * dollar))
  if (reserved.kind !== 'reserved') throw new Error('refused')
  await meter(house).settle(reserved.id, spentOn(cent))
  expect(await budget(house, 'global:month')).toMatchObject({ spentUsd: 0.02, reservedUsd: 0 })
})

describe('a limit that changes while a call is under way', () => {
  test('holds the call as it stood, and then at its cost', async () => {
    const house = await open()
    const reserved = await meter(house).reserve(planned(9 * dollar))
    if (reserved.kind !== 'reserved') throw new Error('refused')
    house.now = () => new Date(Date.now() + 10)
    await limit(house, { limitUsd: 10 })
    expect(await spend(house, cent, cent)).toBe('spent')
    expect(await budget(house, 'global:month')).toMatchObject({ spentUsd: 9.01, reservedUsd: 0 })
    await meter(house).settle(reserved.id, spentOn(cent))
    expect(await budget(house, 'global:month')).toMatchObject({ spentUsd: 0.02, reservedUsd: 0 })
  })

  test('is right after it was removed and set again', async () => {
    const house = await open()
    await limit(house, { limitUsd: 10 })
    const reserved = await meter(house).reserve(planned(5 * dollar))
    if (reserved.kind !== 'reserved') throw new Error('refused')
    await house.kernel.budgets.remove(house.kernel.operator, 'global:month', actor)
    house.now = () => new Date(Date.now() + 10)
    await limit(house, { limitUsd: 10 })
    expect(await spend(house, cent, cent)).toBe('spent')
    await meter(house).settle(reserved.id, spentOn(2 * cent))
    expect(await budget(house, 'global:month')).toMatchObject({ spentUsd: 0.03, reservedUsd: 0 })
  })
})

describe('unattended work', () => {
  test('stays at nothing when a budget for it only tells', async () => {
    const house = await open()
    await limit(house, { scope: 'unattended', limitUsd: 1, hard: false })
    expect(await spend(house, 1, 1, { unattended: true })).toBe('unattended:month')
  })

  test('may spend nothing until there is a budget for it', async () => {
    const house = await open()
    expect(await spend(house, 1, 1, { unattended: true })).toBe('unattended:month')
    expect(await spend(house, dollar, cent, { unattended: false })).toBe('spent')
    expect(await budget(house, 'unattended:month')).toMatchObject({ limitUsd: 0, builtIn: true, hard: true })
    await limit(house, { scope: 'unattended', period: 'day', limitUsd: 0.2 })
    expect(await spend(house, 20 * cent, 20 * cent, { unattended: true })).toBe('spent')
    expect(await spend(house, cent, cent, { unattended: true })).toBe('unattended:day')
  })

  test('is held when an hour costs three times the usual, and goes on when it is released', async () => {
    const house = await open()
    await limit(house, { scope: 'unattended', limitUsd: 100 })
    const hour = 60 * 60_000
    const start = new Date('2026-05-04T10:30:00Z').getTime()
    for (let past = 5; past >= 1; past -= 1) {
      house.now = () => new Date(start - past * hour)
      await spend(house, 10 * cent, 10 * cent, { unattended: true })
    }
    house.now = () => new Date(start)
    await spend(house, 30 * cent, 30 * cent, { unattended: true })
    expect(await events(house, 'spending.held')).toEqual([])
    await spend(house, cent, cent, { unattended: true })
    await expect
      .poll(() => events(house, 'spending.held'))
      .toMatchObject([{ reason: 'Unattended work spent $0.3100 in this hour; $0.1000 is usual.' }])
    expect(await spend(house, cent, cent, { unattended: true })).toBe('guard')
    expect(await spend(house, cent, cent)).toBe('spent')
    await house.kernel.budgets.release(house.kernel.operator, actor)
    house.now = () => new Date(start + 60_000)
    for (let times = 0; times < 3; times += 1)
      expect(await spend(house, 10 * cent, 10 * cent, { unattended: true })).toBe('spent')
    expect(await spend(house, 10 * cent, 10 * cent, { unattended: true })).toBe('spent')
    await expect.poll(() => events(house, 'spending.held')).toHaveLength(2)
    expect(await spend(house, cent, cent, { unattended: true })).toBe('guard')
    expect(await events(house, 'spending.released')).toMatchObject([{ by: 'desk' }])
  })

  test('is not held on the word of a single hour', async () => {
    const house = await open()
    await limit(house, { scope: 'unattended', limitUsd: 100 })
    await spend(house, 10 * dollar, 10 * dollar, { unattended: true })
    expect(await spend(house, cent, cent, { unattended: true })).toBe('spent')
  })
})

test('half, four fifths and all of a limit are told once each', async () => {
  const house = await open()
  await limit(house, { limitUsd: 1, hard: false })
  for (let times = 0; times < 12; times += 1) await spend(house, 10 * cent, 10 * cent)
  expect(await events(house, 'budget.reached')).toEqual(
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
    const house = await open()
    const reserved = await meter(house).reserve(planned(dollar))
    if (reserved.kind !== 'reserved') throw new Error('refused')
    for (let times = 0; times < 3; times += 1) await meter(house).settle(reserved.id, spentOn(7 * cent))
    await limit(house, { limitUsd: 5 })
    await spend(house, cent, 0)
    expect(await budget(house, 'global:month')).toMatchObject({ spentUsd: 0.07, reservedUsd: 0 })
    const report = await house.kernel.verifyLedger(house.kernel.operator)
    expect(report.problem).toBeNull()
  })

  test('count a call that nobody settles at its worst, and correct it when it is heard of again', async () => {
    const house = await open()
    await limit(house, { limitUsd: 1 })
    const reserved = await meter(house).reserve(planned(50 * cent))
    if (reserved.kind !== 'reserved') throw new Error('refused')
    house.now = () => new Date(Date.now() + 2 * 60 * 60_000)
    await expect.poll(() => budget(house, 'global:month')).toMatchObject({ spentUsd: 0.5, reservedUsd: 0 })
    await meter(house).settle(reserved.id, spentOn(2 * cent))
    expect(await budget(house, 'global:month')).toMatchObject({ spentUsd: 0.02, reservedUsd: 0 })
  })
})

describe('a run', () => {
  test('that fails for now waits, says until when, and goes on by itself', async () => {
    const house = await open()
    let calls = 0
    script = () => {
      calls += 1
      return calls <= 3 ? { failure: { kind: 'rate_limited', message: 'slow down' } } : { text: 'at last' }
    }
    const { run } = await house.say('go')
    const parked = await house.settled(run, 'parked')
    expect(parked.run.parkedOn).toBe('retry')
    expect(calls).toBe(3)
    const [event] = await events(house, 'run.parked')
    expect(event).toMatchObject({ on: 'retry', retry: { attempt: 1, of: 5, because: 'slow down' } })
    await house.reopen()
    expect((await house.settled(run, 'parked')).run.parkedOn).toBe('retry')
    house.now = () => new Date(Date.now() + 60_000)
    expect((await house.settled(run)).run).toMatchObject({ reason: 'completed', text: 'at last' })
  })

  test('fails for good when the tries of its kind are used up, and at once when they cannot help', async () => {
    const house = await open()
    script = () => ({ failure: { kind: 'network', message: 'No route.' } })
    const { run } = await house.say('go')
    let later = 0
    house.now = () => new Date(Date.now() + later)
    for (let tries = 1; tries <= 3; tries += 1) {
      await expect.poll(() => events(house, 'run.parked')).toHaveLength(tries)
      later += 10 * 60_000
    }
    expect((await house.settled(run)).run).toMatchObject({
      reason: 'error',
      message: 'The model failed: No route. It was tried again 3 times.',
    })
    script = () => ({ failure: { kind: 'key', message: 'refused' } })
    const other = await house.say('again')
    expect((await house.settled(other.run)).run).toMatchObject({ reason: 'error' })
  })

  test('is stopped by a stop that comes right after a pause', async () => {
    const house = await open()
    const answered = Promise.withResolvers<Reply>()
    let asked = false
    script = () => {
      asked = true
      return answered.promise
    }
    const { run } = await house.say('go')
    await expect.poll(() => asked).toBe(true)
    await house.kernel.pause(house.kernel.operator, actor)
    await house.kernel.stopRun(house.kernel.operator, run, actor)
    answered.resolve({ failure: { kind: 'cancelled', message: 'cancelled' } })
    expect((await house.settled(run)).run.reason).toBe('manual')
    await house.kernel.resume(house.kernel.operator, actor)
  })

  test('goes on at once when the operator writes to it, and ends when it is stopped', async () => {
    const house = await open()
    script = () => ({ failure: { kind: 'network', message: 'No route.' } })
    const { run, session } = await house.say('go')
    await house.settled(run, 'parked')
    script = () => ({ text: 'back' })
    await house.say('try now', session)
    expect((await house.settled(run)).run.reason).toBe('completed')
    script = () => ({ failure: { kind: 'network', message: 'No route.' } })
    const other = await house.say('go', session)
    await house.settled(other.run, 'parked')
    await house.kernel.stopRun(house.kernel.operator, other.run, actor)
    expect((await house.settled(other.run)).run.reason).toBe('manual')
  })
})
