import type { Label } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../health/testing/test-database.ts'
import { checkInText, createCheckIns } from './check-ins.ts'

const hour = 3_600_000
let testDatabase: TestDatabase
let checkIns: ReturnType<typeof createCheckIns>
beforeAll(async () => {
  testDatabase = await openTestDatabase()
})
afterAll(() => testDatabase.close())
beforeEach(async () => {
  await testDatabase.begin()
  checkIns = createCheckIns({ context: testDatabase.context(), post: testDatabase.post })
})
const later = (ms: number) => {
  testDatabase.now = new Date(testDatabase.now.getTime() + ms)
}
const wake = () => checkIns.wake(testDatabase.now)

it('wakes a goal after its hours, unattended and once, and again after as many', async () => {
  const goal = await testDatabase.goal({ checkInHours: 24 })
  await testDatabase.goal()
  later(24 * hour - 60_000)
  expect(await wake()).toBe(0)
  later(60_000)
  const both = await Promise.all([wake(), wake()])
  expect(both.reduce((sum, each) => sum + each)).toBe(1)
  expect(testDatabase.posted).toMatchObject([
    {
      text: checkInText,
      requester: { kind: 'schedule', id: goal },
      work: { agent: 'goal', goal, unattended: true },
    },
  ])
  later(23 * hour)
  expect(await wake()).toBe(0)
  later(hour)
  expect(await wake()).toBe(1)
})

it('leaves a goal alone that is paused, ended, worked on or in its quiet hours', async () => {
  await testDatabase.goal({ checkInHours: 1, status: 'paused', held: true })
  await testDatabase.goal({ checkInHours: 1, status: 'completed' })
  const busy = await testDatabase.goal({ checkInHours: 1 })
  await testDatabase.goal({
    checkInHours: 1,
    limits: { quietHours: { from: '00:00', to: '23:59', zone: 'UTC' } },
  })
  later(2 * hour)
  const run = await testDatabase.run({ goal: busy })
  expect(await wake()).toBe(0)
  await testDatabase.setRun(run, 'stopped', 'completed')
  expect(await wake()).toBe(0)
  later(hour + 1)
  expect(await wake()).toBe(1)
})

it('makes a goal that waited active when work on it begins, and no other', async () => {
  const waiting = await testDatabase.goal({ status: 'waiting' })
  const paused = await testDatabase.goal({ status: 'paused', held: true })
  for (const goal of [waiting, paused]) {
    const { id, session } = await testDatabase.run({ goal })
    await checkIns.begun({ goal, id, session_id: session })
  }
  expect(await testDatabase.data('goals', waiting)).toMatchObject({ status: 'active' })
  expect(await testDatabase.data('goals', paused)).toMatchObject({ status: 'paused' })
  expect(testDatabase.entries.map(({ type }) => type)).toEqual(['goal.resumed'])
})

it('writes the result of a task down with its goal once, as far as it is worth', async () => {
  const goal = await testDatabase.goal()
  const parent = await testDatabase.run({ state: 'stopped', reason: 'completed' })
  const label: Label = { integrity: 'untrusted', confidentiality: 'public', sources: ['example.org'] }
  const open = await testDatabase.task({ parent: parent.id, goal })
  const run = await testDatabase.run({ about: open, state: 'stopped', reason: 'completed' })
  const ended = { id: run.id, about: open, label }
  await testDatabase.act((tx) => checkIns.taskEnded(tx, ended))
  expect(await testDatabase.data('goals', goal)).toMatchObject({ notes: [] })
  await testDatabase.act(async ({ records }) => {
    const record = await records.get('agent_tasks', open)
    const data = { ...record?.data, status: 'completed', run: run.id, result: 'Found three.' }
    await records.replace('agent_tasks', open, record?.version ?? 0, data, null)
  })
  await testDatabase.act((tx) => checkIns.taskEnded(tx, ended))
  await testDatabase.act((tx) => checkIns.taskEnded(tx, ended))
  expect(await testDatabase.data('goals', goal)).toMatchObject({
    notes: [{ text: 'Task “Hotels” completed: Found three.', by: 'task', label }],
  })
})
