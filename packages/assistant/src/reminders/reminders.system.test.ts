import { randomUUIDv7 } from 'node:crypto'
import { eventsCollection, type JsonObject, type OperatorId } from '@countersign/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openScheduleDatabase, type ScheduleTestDatabase } from '../schedules/testing/test-database.ts'
import { remindersMigration } from './migration.ts'
import { createReminders } from './reminders.ts'

let testDatabase: ScheduleTestDatabase
let operator: OperatorId
beforeAll(async () => {
  testDatabase = await openScheduleDatabase('Europe/Zagreb', [remindersMigration])
})
afterAll(() => testDatabase.close())
beforeEach(async () => {
  operator = await testDatabase.newOperator()
  testDatabase.now = new Date('2026-03-05T06:00:00Z')
})

const records = () => testDatabase.context(operator).records
async function add(data: JsonObject, id = `event_${randomUUIDv7()}`): Promise<string> {
  await records().change(operator, ({ records: rows }) =>
    rows.insert(eventsCollection, id, { title: 'Dentist', ...data }, null),
  )
  return id
}
async function change(id: string, data: JsonObject): Promise<void> {
  await records().change(operator, async ({ records: rows }) => {
    const found = await rows.get(eventsCollection, id)
    await rows.replace(eventsCollection, id, found?.version ?? 0, { ...found?.data, ...data }, null)
  })
}
async function look(at: string) {
  testDatabase.now = new Date(at)
  // A process that was killed knows nothing but the rows.
  return createReminders(testDatabase.context(operator)).look(testDatabase.now)
}
async function told(): Promise<
  readonly { title: string; late: boolean; begun: boolean; startsAt: string }[]
> {
  const { rows } = await testDatabase.query(
    operator,
    sql`select body from events where operator_id = ${operator} and body ->> 'type' = 'reminder.due' order by seq`,
  )
  return (rows as { body: { title: string; late: boolean; begun: boolean; startsAt: string } }[]).map(
    ({ body }) => body,
  )
}

it('tells an event once at its time, in the zone of the operator', async () => {
  await add({ startTime: '2026-03-05T09:00:00', reminder: 30 })
  expect(await look('2026-03-05T07:29:59Z')).toEqual({ told: 0, next: new Date('2026-03-05T07:30:00Z') })
  expect(await look('2026-03-05T07:30:00Z')).toEqual({ told: 1, next: null })
  expect(await look('2026-03-05T07:30:15Z')).toEqual({ told: 0, next: null })
  expect(await told()).toMatchObject([
    { title: 'Dentist', late: false, begun: false, startsAt: '2026-03-05T08:00:00.000Z' },
  ])
  const entries = await testDatabase.entries(operator)
  expect(entries.filter(({ type }) => type === 'reminder.told')).toHaveLength(1)
})

it('tells after a time without a process what came due meanwhile, and says that it is late', async () => {
  await add({ startTime: '2026-03-05T08:00:00Z', reminder: 10 })
  await look('2026-03-05T07:00:00Z')
  expect((await look('2026-03-05T12:00:00Z')).told).toBe(1)
  expect(await told()).toMatchObject([{ late: true, begun: true }])
})

it('is told by one of two processes that look at once', async () => {
  for (let count = 0; count < 5; count++) await add({ startTime: '2026-03-05T08:00:00Z', reminder: 0 })
  await look('2026-03-05T07:00:00Z')
  testDatabase.now = new Date('2026-03-05T08:00:00Z')
  const both = await Promise.all([0, 1].map(() => look('2026-03-05T08:00:00Z')))
  expect(both.reduce((sum, each) => sum + each.told, 0)).toBe(5)
  expect(await told()).toHaveLength(5)
})

it('follows an event that moves, and not one that was only renamed or put back', async () => {
  const id = await add({ startTime: '2026-03-05T08:00:00Z', reminder: 5 })
  await look('2026-03-05T07:55:00Z')
  await change(id, { title: 'Doctor' })
  expect((await look('2026-03-05T07:56:00Z')).told).toBe(0)
  await change(id, { startTime: '2026-03-06T08:00:00Z' })
  expect(await look('2026-03-05T07:57:00Z')).toEqual({ told: 0, next: new Date('2026-03-06T07:55:00Z') })
  expect((await look('2026-03-06T07:55:00Z')).told).toBe(1)
  expect((await told()).map(({ title }) => title)).toEqual(['Dentist', 'Doctor'])
})

it('says nothing of an event that was deleted, that asks for nothing, or that was over when it was written', async () => {
  const id = await add({ startTime: '2026-03-05T08:00:00Z', reminder: 5 })
  await add({ startTime: '2026-03-05T08:00:00Z' })
  await add({ startTime: '2026-03-01', reminder: 5 })
  await look('2026-03-05T07:00:00Z')
  const kept = await records().change(operator, async ({ records: rows }) => {
    const found = await rows.get(eventsCollection, id)
    await rows.remove(eventsCollection, id, found?.version ?? 0)
    return found
  })
  expect(await look('2026-03-05T07:30:00Z')).toEqual({ told: 0, next: null })
  if (kept.value)
    await records().change(operator, ({ records: rows }) =>
      rows.restore(eventsCollection, kept.value as never),
    )
  expect((await look('2026-03-05T07:31:00Z')).next).toEqual(new Date('2026-03-05T07:55:00Z'))
})

it('is told at once, and not as late, when it is written after its time', async () => {
  testDatabase.now = new Date('2026-03-05T07:50:00Z')
  await add({ startTime: '2026-03-05T08:00:00Z', reminder: 60 })
  expect((await look('2026-03-05T07:50:10Z')).told).toBe(1)
  expect(await told()).toMatchObject([{ late: false, begun: false }])
})

it('tells more than a page', async () => {
  await records().change(operator, async ({ records: rows }) => {
    for (let count = 0; count < 450; count++)
      await rows.insert(
        eventsCollection,
        `event_${count}`,
        { title: `E${count}`, startTime: '2026-03-06', reminder: 0 },
        null,
      )
  })
  expect((await look('2026-03-05T23:00:00Z')).told).toBe(450)
})
