import { randomUUIDv7 } from 'node:crypto'
import { CountersignError } from '@countersign/contract'
import type { InboundMessage } from '@countersign/kernel'
import { openOwner, openTestKernel, type TestKernel } from '@countersign/kernel/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { outboxMigration } from './migration.ts'
import { createOutbox } from './outbox.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let testKernel: TestKernel
const problems: unknown[] = []

beforeAll(async () => {
  database = await startTestDatabase()
  testKernel = await openTestKernel(database.connection, () => ({ text: 'hello' }))
  const owner = openOwner(database.connection)
  await owner.within(testKernel.kernel.operator, async ({ db }) => {
    for (const statement of outboxMigration.sql.split(';').filter((each) => each.trim() !== ''))
      await sql.raw(statement).execute(db)
  })
  await owner.close()
})
afterAll(async () => {
  await testKernel.close()
  await database.stop()
})

const message = (key: string): InboundMessage => ({
  key,
  session: null,
  text: key,
  mode: 'queue',
  requester: { kind: 'operator', id: 'desk' },
})

test('what no lane takes now keeps nothing behind it waiting, and is tried again', async () => {
  const { records, operator } = testKernel.kernel
  const outbox = createOutbox({
    operator,
    records,
    clock: () => new Date(),
    uuid: randomUUIDv7,
    zone: 'UTC',
    onProblem: (problem) => problems.push(problem),
  })
  const post = (keys: readonly string[]) =>
    records.change(operator, async (tx) => {
      for (const key of keys) await outbox.post(tx, message(key))
    })
  await post(Array.from({ length: 150 }, (_, number) => `full/${number}`))
  await post(['gone', 'free'])
  const taken: string[] = []
  let isFull = true
  outbox.open((_, { key }) => {
    if (key === 'gone') return Promise.reject(new CountersignError('not_found', 'There is no session.'))
    if (isFull && key.startsWith('full'))
      return Promise.reject(new CountersignError('limit_reached', 'Full.'))
    taken.push(key)
    return Promise.resolve()
  })
  await outbox.deliver()
  expect(taken).toEqual(['free'])
  // Each is tried once, and not once for each that was posted.
  expect(problems.length).toBeLessThan(4 * 151)
  isFull = false
  expect(await outbox.deliver()).toBe(150)
  expect(await outbox.deliver()).toBe(0)
})
