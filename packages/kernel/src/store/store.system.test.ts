import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { openTestKernel, type TestKernel } from '../testing/test-kernel.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let testKernel: TestKernel

beforeAll(async () => {
  database = await startTestDatabase()
  testKernel = await openTestKernel(database.connection, ({ messages }) =>
    messages.at(-1)?.role === 'tool' ? { text: 'Done.' } : { calls: [{ name: 'look', args: {} }] },
  )
})
afterAll(async () => {
  await testKernel.close()
  await database.stop()
})

it.each([
  ['half of a character', 'a\uD83Db'],
  ['the zero character', 'a\0b'],
])('a unit records and tells words with %s, and the outcome of an effect is kept', async (_what, words) => {
  const at = new Date().toISOString()
  testKernel.answer = () => ({
    kind: 'done',
    startedAt: at,
    endedAt: at,
    result: { ok: true, text: words, summary: words, undo: null },
  })
  const before = await testKernel.kernel.stream.head(testKernel.kernel.operator)
  const { run } = await testKernel.say(words)
  const { run: ended, calls } = await testKernel.settled(run)
  expect(ended).toMatchObject({ reason: 'completed', asked: 'a\uFFFDb' })
  expect(calls).toMatchObject([{ outcome: 'ok', result: 'a\uFFFDb' }])
  const told = await testKernel.kernel.stream.since(testKernel.kernel.operator, before, 100)
  const outcome = told.map(({ body }) => body).find(({ type }) => type === 'call.ended')
  expect(outcome).toMatchObject({ summary: 'a\uFFFDb' })
  expect(await testKernel.kernel.verifyLedger(testKernel.kernel.operator)).toMatchObject({ ok: true })
})
