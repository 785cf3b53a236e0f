import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { openTestHouse, type TestHouse } from '../testing/house.ts'

const day = 24 * 60 * 60_000
let database: Awaited<ReturnType<typeof startTestDatabase>>
let house: TestHouse

beforeAll(async () => {
  database = await startTestDatabase()
  house = await openTestHouse(database.connection, ({ messages }) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return { text: 'Done as you asked.' }
    const tool = last?.role === 'user' && last.text.includes('send') ? 'send' : 'look'
    return { text: 'Working.', calls: [{ name: tool, args: { at: 'the attic' } }] }
  })
})
afterAll(async () => {
  await house.close()
  await database.stop()
})

const operator = () => house.kernel.operator
const later = (days: number) => {
  const now = Date.now() + days * day
  house.now = () => new Date(now)
}
const eventTypes = async (run: string) =>
  (await house.views().runEvents(operator(), run as never, { since: 0, limit: 500 })).map(
    ({ body }) => body.type,
  )

test('details of finished work go by age, and words, what waits and the ledger stay', async () => {
  house.answer = () => ({
    kind: 'done',
    startedAt: new Date().toISOString(),
    endedAt: new Date().toISOString(),
    result: { ok: true, text: 'x'.repeat(5_000), summary: 'Looked in the attic', undo: null },
  })
  const looked = await house.say('look')
  await house.settled(looked.run)
  const sent = await house.say('send')
  const parked = await house.settled(sent.run, 'parked')
  await house.approve(parked.approvals[0]?.code ?? '')
  await house.settled(sent.run)
  const waiting = await house.say('send')
  await house.settled(waiting.run, 'parked')
  const before = await house.kernel.verifyLedger(operator())

  expect(await house.kernel.removeOld(operator())).toEqual({ events: 0, runs: 0, rates: 0 })

  later(31)
  expect((await house.kernel.removeOld(operator()))['events']).toBeGreaterThan(0)
  expect(await eventTypes(looked.run)).toEqual([
    'input.admitted',
    'run.started',
    'turn.replied',
    'turn.replied',
    'run.ended',
  ])
  expect(await eventTypes(waiting.run)).toContain('approval.requested')
  const { calls } = await house.views().run(operator(), looked.run)
  expect(calls[0]?.result).toHaveLength(5_000)

  later(91)
  expect(await house.kernel.removeOld(operator())).toMatchObject({ runs: 2 })
  const shrunk = await house.views().run(operator(), looked.run)
  expect(shrunk.run.detailsRemovedAt).not.toBeNull()
  expect(shrunk.calls[0]).toMatchObject({ result: 'Looked in the attic', undoable: false })
  expect(shrunk.calls[0]?.args).toContain('removed after 90 days')
  const sentAgain = await house.views().run(operator(), sent.run)
  expect(sentAgain.approvals).toEqual([])
  const session = await house.views().session(operator(), looked.session as never)
  expect(session.messages.map(({ text }) => text)).toEqual(['look', 'Working.', 'Done as you asked.'])
  expect((await house.views().run(operator(), waiting.run)).run.detailsRemovedAt).toBeNull()

  const after = await house.kernel.verifyLedger(operator())
  expect(after).toMatchObject({ ok: true })
  expect(after.size).toBeGreaterThan(before.size)
  // What waited may have ended by its age meanwhile, and then its events go too.
  expect(await house.kernel.removeOld(operator())).toMatchObject({ runs: 0, rates: 0 })
})

test('a conversation goes on after its details are gone', async () => {
  const first = await house.say('look')
  await house.settled(first.run)
  later(300)
  await house.kernel.removeOld(operator())
  const next = await house.say('look again', first.session)
  expect((await house.settled(next.run)).run.reason).toBe('completed')
})
