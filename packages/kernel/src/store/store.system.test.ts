import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { openTestHouse, type TestHouse } from '../testing/house.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let house: TestHouse

beforeAll(async () => {
  database = await startTestDatabase()
  house = await openTestHouse(database.connection, ({ messages }) =>
    messages.at(-1)?.role === 'tool' ? { text: 'Done.' } : { calls: [{ name: 'look', args: {} }] },
  )
})
afterAll(async () => {
  await house.close()
  await database.stop()
})

it.each([
  ['half of a character', 'a\uD83Db'],
  ['the zero character', 'a\0b'],
])('a unit records and tells words with %s, and the outcome of an effect is kept', async (_what, words) => {
  const at = new Date().toISOString()
  house.answer = () => ({
    kind: 'done',
    startedAt: at,
    endedAt: at,
    result: { ok: true, text: words, summary: words, undo: null },
  })
  const before = await house.kernel.stream.head(house.kernel.operator)
  const { run } = await house.say(words)
  const { run: ended, calls } = await house.settled(run)
  expect(ended).toMatchObject({ reason: 'completed', asked: 'a\uFFFDb' })
  expect(calls).toMatchObject([{ outcome: 'ok', result: 'a\uFFFDb' }])
  const told = await house.kernel.stream.since(house.kernel.operator, before, 100)
  const outcome = told.map(({ body }) => body).find(({ type }) => type === 'call.ended')
  expect(outcome).toMatchObject({ summary: 'a\uFFFDb' })
  expect(await house.kernel.verifyLedger(house.kernel.operator)).toMatchObject({ ok: true })
})
