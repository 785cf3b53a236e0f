import { usualRetention } from '@countersign/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { oldOccurrences } from './old-occurrences.ts'
import { openScheduleDatabase, type ScheduleTestDatabase } from './testing/test-database.ts'

let testDatabase: ScheduleTestDatabase
beforeAll(async () => {
  testDatabase = await openScheduleDatabase('UTC')
  testDatabase.now = new Date('2026-11-15T10:00:00Z')
})
afterAll(() => testDatabase.close())

it('removes what ran long ago, and keeps what is due, the newest of each schedule and what others did', async () => {
  const operator = await testDatabase.newOperator()
  const other = await testDatabase.newOperator()
  const insert = (of: typeof operator, schedule: string, day: string, state: string) =>
    testDatabase.query(
      of,
      sql`insert into occurrences (operator_id, id, schedule, key, version, cause, due_at, state, created_at)
        values (${of}, ${`${schedule}/${day}`}, ${schedule}, ${day}, 1, 'time', ${new Date(day)}, ${state}, now())`,
    )
  for (const of of [operator, other])
    for (const [schedule, day, state] of [
      ['daily', '2024-01-01', 'succeeded'],
      ['daily', '2024-01-02', 'missed'],
      ['daily', '2024-01-03', 'due'],
      ['daily', '2026-11-01', 'succeeded'],
      ['yearly', '2023-06-01', 'failed'],
      ['yearly', '2024-06-01', 'succeeded'],
    ] as const)
      await insert(of, schedule, day, state)
  const remove = (most: number) =>
    testDatabase
      .context(operator)
      .records.change(operator, ({ db }) =>
        oldOccurrences.remove({ db, operator, now: testDatabase.now } as never, usualRetention, most),
      )
  expect((await remove(2)).value).toEqual({ removed: 2, more: true })
  expect((await remove(2)).value).toEqual({ removed: 1, more: false })
  expect((await remove(2)).value).toEqual({ removed: 0, more: false })
  const left = async (of: typeof operator) => {
    const { rows } = await testDatabase.query(of, sql`select id from occurrences order by id`)
    return (rows as { id: string }[]).map(({ id }) => id)
  }
  expect(await left(operator)).toEqual(['daily/2024-01-03', 'daily/2026-11-01', 'yearly/2024-06-01'])
  expect(await left(other)).toHaveLength(6)
})
