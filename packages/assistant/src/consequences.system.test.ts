import type { RecordTransaction } from '@countersign/kernel'
import { openTestKernel, type TestKernel } from '@countersign/kernel/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDatabase } from '../../../tests/harness/src/postgres.ts'
import { follow } from './consequences.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let testKernel: TestKernel
const problems: unknown[] = []

beforeAll(async () => {
  database = await startTestDatabase()
  testKernel = await openTestKernel(database.connection, () => ({ text: 'hello' }))
})
afterAll(async () => {
  await testKernel.close()
  await database.stop()
})

const keep = (name: string) => async (tx: Parameters<Parameters<typeof follow>[1][number]>[0]) => {
  await tx.records.insert('followed', name, { name }, null)
  tx.record({ type: `test.${name}`, actor: { kind: 'gateway', id: 'test' }, data: {} })
}
const kept = async () =>
  (
    await testKernel.kernel.records.read(testKernel.kernel.operator, ({ records }) =>
      records.list('followed', { limit: 9 }),
    )
  ).records
    .map(({ id }) => id)
    .toSorted()

test('the end of a run stands, whatever one part makes of it, and the other parts still follow', async () => {
  testKernel.assistant = {
    ended: (unit: RecordTransaction) =>
      follow(
        unit,
        [
          keep('before'),
          async (tx) => {
            await keep('broken')(tx)
            await sql`select 1 / 0`.execute(tx.db)
          },
          keep('after'),
        ],
        (problem) => problems.push(problem),
      ),
  }
  await testKernel.reopen()
  const { run } = await testKernel.say('go')
  expect((await testKernel.settled(run)).run.reason).toBe('completed')
  expect(await kept()).toEqual(['after', 'before'])
  expect(problems).toHaveLength(1)
  const types = await testKernel.kernel.readOnly(testKernel.kernel.operator, (db) =>
    db.selectFrom('ledger_entries').select('type').where('type', 'like', 'test.%').orderBy('seq').execute(),
  )
  expect(types.map(({ type }) => type)).toEqual(['test.before', 'test.after'])
})

test('a failure that passes takes the whole end back, to be tried again', async () => {
  let tries = 0
  testKernel.assistant = {
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
  await testKernel.reopen()
  const { run } = await testKernel.say('again')
  await testKernel.settled(run)
  expect(tries).toBe(2)
})
