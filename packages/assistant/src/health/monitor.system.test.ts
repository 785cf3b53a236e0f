import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTasks, type Tasks } from '../tasks/tasks.ts'
import { createHealthMonitor, type HealthMonitor } from './monitor.ts'
import { openTestDatabase, type TestDatabase } from './testing/test-database.ts'
import { retryAt, thresholds } from './thresholds.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

let testDatabase: TestDatabase
let tasks: Tasks
let monitor: HealthMonitor
beforeAll(async () => {
  testDatabase = await openTestDatabase()
})
afterAll(() => testDatabase.close())
beforeEach(async () => {
  await testDatabase.begin()
  tasks = createTasks({
    context: testDatabase.context(),
    post: testDatabase.post,
    stopRun: testDatabase.stopRun,
    hold: testDatabase.hold,
  })
  monitor = createHealthMonitor({ context: testDatabase.context(), tasks, stopRun: testDatabase.stopRun })
})

const ago = (ms: number) => new Date(testDatabase.now.getTime() - ms)
const kinds = async () => (await monitor.inspect()).findings.map(({ kind }) => kind)
const entries = () => testDatabase.entries.map(({ type }) => type)
const later = (ms: number) => {
  testDatabase.now = new Date(testDatabase.now.getTime() + ms)
}

describe('a run', () => {
  it('of which nothing has come for more than half an hour is stopped', async () => {
    const stuck = await testDatabase.run({ at: ago(30 * minute + 1) })
    await testDatabase.run({ at: ago(30 * minute) })
    expect(await monitor.inspect()).toMatchObject({
      findings: [{ kind: 'run_stuck', id: stuck.id }],
      problems: [],
    })
    expect(testDatabase.stopped).toEqual([stuck.id])
    expect(testDatabase.entries).toMatchObject([
      { type: 'health.run_stuck', run: stuck.id, data: { lastAt: ago(30 * minute + 1).toISOString() } },
    ])
  })

  it('that said something since is left alone', async () => {
    const run = await testDatabase.run({ at: ago(2 * hour) })
    await testDatabase.reply(run, 'Still at it.', ago(minute))
    expect(await kinds()).toEqual([])
  })

  it('that waits for a person is never touched, however long', async () => {
    await testDatabase.run({ at: ago(30 * day), state: 'parked' })
    await testDatabase.ask(await testDatabase.run({ at: ago(30 * day), state: 'parked' }), 'Which?')
    await testDatabase.ask(await testDatabase.run({ at: ago(30 * day), state: 'running' }), 'Which?')
    expect(await kinds()).toEqual([])
    expect(testDatabase.stopped).toEqual([])
  })
})

describe('a task', () => {
  it('of which nothing was heard for two hours counts as completed, and its parent is told', async () => {
    const parent = await testDatabase.run({ state: 'stopped', reason: 'completed' })
    const id = await testDatabase.task({ parent: parent.id })
    const run = await testDatabase.run({ about: id, state: 'stopped', reason: 'completed' })
    await testDatabase.reply(run, 'Found them.')
    later(2 * hour)
    expect(await kinds()).toEqual([])
    later(1)
    expect(await kinds()).toEqual(['task_stale'])
    expect(await tasks.show(id)).toMatchObject({ status: 'completed', result: 'Found them.', run: run.id })
    expect(testDatabase.posted).toMatchObject([{ key: `report/${parent.id}` }])
    expect(await kinds()).toEqual([])
  })

  it('whose run goes on, waits for a person or is held is not stale', async () => {
    const parent = await testDatabase.run({ state: 'stopped', reason: 'completed' })
    const goal = await testDatabase.goal({ status: 'paused', held: true })
    const [asks, held] = [
      await testDatabase.task({ parent: parent.id }),
      await testDatabase.task({ parent: parent.id, goal }),
    ]
    await testDatabase.ask(await testDatabase.run({ about: asks, state: 'parked' }), 'Which?')
    await testDatabase.act((tx) => testDatabase.hold(tx, [goal], true))
    later(3 * hour)
    expect(await kinds()).toEqual([])
    expect(await tasks.show(held)).toMatchObject({ status: 'active' })
  })

  it('that is paused is tried again at its time and not before', async () => {
    const parent = await testDatabase.run({ state: 'stopped', reason: 'completed' })
    const next = new Date(testDatabase.now.getTime() + 10_000).toISOString()
    const paused = { status: 'paused', pausedAt: testDatabase.now.toISOString(), nextRetryAt: next } as const
    const id = await testDatabase.task({ parent: parent.id, ...paused })
    expect(await monitor.inspect()).toMatchObject({ findings: [], nextRetryAt: next })
    later(10_000)
    expect(await monitor.inspect()).toMatchObject({
      findings: [{ kind: 'task_retried', id }],
      nextRetryAt: null,
    })
    expect(testDatabase.posted).toMatchObject([{ key: `task/${id}/2`, work: { agent: 'task', about: id } }])
    expect(await tasks.show(id)).toMatchObject({ status: 'active', attempts: 2 })
    expect(await kinds()).toEqual([])
    expect(entries()).toEqual(['task.retried', 'health.task_retried'])
  })

  it('is tried again once when two look at the same moment', async () => {
    const parent = await testDatabase.run({ state: 'stopped', reason: 'completed' })
    const at = testDatabase.now.toISOString()
    await testDatabase.task({ parent: parent.id, status: 'paused', pausedAt: at, nextRetryAt: at })
    const other = createHealthMonitor({
      context: testDatabase.context(),
      tasks,
      stopRun: testDatabase.stopRun,
    })
    await Promise.all([monitor.inspect(), other.inspect()])
    expect(entries().filter((type) => type === 'task.retried')).toHaveLength(1)
  })

  it('waits while its goal is held, and has failed after a day', async () => {
    const parent = await testDatabase.run({ state: 'stopped', reason: 'completed' })
    const goal = await testDatabase.goal({ status: 'paused', held: true })
    await testDatabase.act((tx) => testDatabase.hold(tx, [goal], true))
    const at = testDatabase.now.toISOString()
    const id = await testDatabase.task({
      parent: parent.id,
      goal,
      status: 'paused',
      pausedAt: at,
      nextRetryAt: at,
      problem: 'no network',
    })
    later(day)
    expect(await kinds()).toEqual([])
    later(1)
    expect(await kinds()).toEqual(['task_expired'])
    expect(await tasks.show(id)).toMatchObject({
      status: 'failed',
      problem: expect.stringContaining('no network'),
    })
    expect(testDatabase.posted).toMatchObject([{ key: `report/${parent.id}` }])
  })

  it('that ended is removed after fifteen days and not before', async () => {
    const parent = await testDatabase.run({ state: 'stopped', reason: 'completed' })
    const ended = { status: 'completed', endedAt: testDatabase.now.toISOString(), reported: true } as const
    const id = await testDatabase.task({ parent: parent.id, ...ended })
    const active = await testDatabase.task({ parent: parent.id })
    await testDatabase.run({ about: active, state: 'parked' })
    later(15 * day)
    expect(await kinds()).toEqual([])
    later(2)
    expect(await kinds()).toEqual(['tasks_cleaned'])
    expect(await testDatabase.data('agent_tasks', id)).toBeUndefined()
    expect(await testDatabase.data('agent_tasks', active)).toBeDefined()
    expect(testDatabase.entries.at(-1)).toMatchObject({ type: 'health.tasks_cleaned', data: { tasks: [id] } })
  })

  it('that an agent cancelled has its run stopped', async () => {
    const parent = await testDatabase.run()
    const id = await testDatabase.task({
      parent: parent.id,
      status: 'cancelled',
      endedAt: testDatabase.now.toISOString(),
    })
    const run = await testDatabase.run({ about: id, state: 'parked' })
    expect(await kinds()).toEqual(['task_cancelled_running'])
    expect(testDatabase.stopped).toEqual([run.id])
  })
})

describe('a goal', () => {
  it('for which nothing was done for six hours waits', async () => {
    const id = await testDatabase.goal()
    later(6 * hour)
    expect(await kinds()).toEqual([])
    later(1)
    expect(await kinds()).toEqual(['goal_stale'])
    expect(await testDatabase.data('goals', id)).toMatchObject({ status: 'waiting' })
    expect(entries()).toEqual(['health.goal_stale'])
  })

  it('that is worked for, or was lately, or is not active stays as it is', async () => {
    const [busy, recent, paused] = [
      await testDatabase.goal(),
      await testDatabase.goal(),
      await testDatabase.goal({ status: 'paused', held: true }),
    ]
    later(7 * hour)
    await testDatabase.run({ goal: busy, state: 'parked', at: ago(7 * hour) })
    await testDatabase.run({ goal: recent, state: 'stopped', reason: 'completed', at: ago(hour) })
    expect(await kinds()).toEqual([])
    expect(await testDatabase.data('goals', paused)).toMatchObject({ status: 'paused' })
  })
})

describe('what goes wrong in a look', () => {
  it('is told, and the rest of the look goes on', async () => {
    const failing = createHealthMonitor({
      context: { ...testDatabase.context(), onProblem: () => undefined },
      tasks,
      stopRun: () => Promise.reject(new Error('no executor')),
    })
    await testDatabase.run({ at: ago(hour) })
    await testDatabase.goal()
    testDatabase.now = new Date(testDatabase.now.getTime() + 7 * hour)
    const seen = await failing.inspect()
    expect(seen.problems).toEqual(['runs that hang: no executor'])
    expect(seen.findings.map(({ kind }) => kind)).toContain('goal_stale')
  })
})

it('waits longer before each further try, and not at all after the last', () => {
  const now = new Date(0)
  expect([1, 2, 3].map((failures) => retryAt(failures, now)?.getTime() ?? null)).toEqual([
    10_000,
    20_000,
    null,
  ])
  expect(thresholds.inspectEveryMs).toBe(5 * minute)
})
