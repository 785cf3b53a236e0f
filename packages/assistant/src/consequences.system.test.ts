import type { RecordTransaction } from '@countersign/kernel'
import { openTestKernel, type TestKernel } from '@countersign/kernel/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDatabase } from '../../../tests/harness/src/postgres.ts'
import { follow } from './consequences.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let house: TestKernel
const problems: unknown[] = []

beforeAll(async () => {
  database = await startTestDatabase()
  house = await openTestKernel(database.connection, () => ({ text: 'hello' }))
})
afterAll(async () => {
  await house.close()
  await database.stop()
})

const keep = (name: string) => async (hand: Parameters<Parameters<typeof follow>[1][number]>[0]) => {
  await hand.records.insert('followed', name, { name }, null)
  hand.record({ type: `test.${name}`, actor: { kind: 'gateway', id: 'test' }, data: {} })
}
const kept = async () =>
  (
    await house.kernel.records.read(house.kernel.operator, ({ records }) =>
      records.list('followed', { limit: 9 }),
    )
  ).records
    .map(({ id }) => id)
    .toSorted()

test('the end of a run stands, whatever a room makes of it, and the other rooms still follow', async () => {
  house.assistant = {
    ended: (unit: RecordTransaction) =>
      follow(
        unit,
        [
          keep('before'),
          async (hand) => {
            await keep('broken')(hand)
            await sql`select 1 / 0`.execute(hand.db)
          },
          keep('after'),
        ],
        (problem) => problems.push(problem),
      ),
  }
  await house.reopen()
  const { run } = await house.say('go')
  expect((await house.settled(run)).run.reason).toBe('completed')
  expect(await kept()).toEqual(['after', 'before'])
  expect(problems).toHaveLength(1)
  const types = await house.kernel.readOnly(house.kernel.operator, (db) =>
    db.selectFrom('ledger_entries').select('type').where('type', 'like', 'test.%').orderBy('seq').execute(),
  )
  expect(types.map(({ type }) => type)).toEqual(['test.before', 'test.after'])
})

test('a failure that passes takes the whole end back, to be tried again', async () => {
  let tries = 0
  house.assistant = {
    ended: (unit: RecordTransaction) =>
      follow(
        unit,
        [
          () => {
            tries += 1
            if (tries === 1) throw Object.assign(new Error('deadlock detected'), { code: '40P01' })
            return Promise.resolve()
          },
        ],
        (problem) => problems.push(problem),
      ),
  }
  await house.reopen()
  const { run } = await house.say('again')
  await house.settled(run)
  expect(tries).toBe(2)
})
