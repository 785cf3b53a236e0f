import { randomUUIDv7 } from 'node:crypto'
import { idFrom } from '@countersign/contract'
import type { Kernel } from '@countersign/kernel'
import { openIdleKernel } from '@countersign/kernel/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDatabase } from '../../../tests/harness/src/postgres.ts'
import { runFacts } from './run-facts.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let kernel: Kernel
let now = new Date('2026-11-16T10:00:00.000Z')

beforeAll(async () => {
  database = await startTestDatabase()
  kernel = await openIdleKernel({ connection: database.connection, clock: () => now })
})
afterAll(async () => {
  await kernel.close()
  await database.stop()
})

const minute = 60_000
const session = idFrom('ses', randomUUIDv7())
const retry = { at: '2026-11-16T10:05:00.000Z', attempt: 1, of: 5, because: 'HTTP 500', provider: 'here' }

test('waiting for the next try of a model is not the time of the run, neither over nor under way', async () => {
  const run = idFrom('run', randomUUIDv7())
  const tell = async (body: Parameters<Kernel['act']>[2], afterMs: number) => {
    now = new Date(now.getTime() + afterMs)
    await kernel.act(
      kernel.operator,
      { type: 'test.told', actor: { kind: 'operator', id: 'desk' }, data: {} },
      body,
    )
  }
  await tell({ type: 'run.parked', session, run, on: 'retry', retry }, 0)
  await tell({ type: 'run.resumed', session, run }, 3 * minute)
  await tell({ type: 'run.parked', session, run, on: 'retry', retry }, minute)
  const later = new Date(now.getTime() + 2 * minute)
  const facts = await kernel.readOnly(kernel.operator, (db) => runFacts(db, [run], later))
  expect(facts.get(run)?.waitedMs).toBe(5 * minute)
})
