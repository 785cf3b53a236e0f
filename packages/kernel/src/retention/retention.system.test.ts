import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { openTestKernel, type TestKernel } from '../testing/test-kernel.ts'

const day = 24 * 60 * 60_000
let database: Awaited<ReturnType<typeof startTestDatabase>>
let testKernel: TestKernel

beforeAll(async () => {
  database = await startTestDatabase()
  testKernel = await openTestKernel(database.connection, ({ messages }) => {
    const last = messages.at(-1)
    if (last?.role === 'tool') return { text: 'Done as you asked.' }
    const tool = last?.role === 'user' && last.text.includes('send') ? 'send' : 'look'
    return { text: 'Working.', calls: [{ name: tool, args: { at: 'the attic' } }] }
  })
})
afterAll(async () => {
  await testKernel.close()
  await database.stop()
})

const operator = () => testKernel.kernel.operator
const later = (days: number) => {
  const now = Date.now() + days * day
  testKernel.now = () => new Date(now)
}
const eventTypes = async (run: string) =>
  (await testKernel.views().runEvents(operator(), run as never, { since: 0, limit: 500 })).map(
    ({ body }) => body.type,
  )

test('details of finished work go by age, and words, what waits and the ledger stay', async () => {
  testKernel.answer = () => ({
    kind: 'done',
    startedAt: new Date().toISOString(),
    endedAt: new Date().toISOString(),
    result: { ok: true, text: 'x'.repeat(5_000), summary: 'Looked in the attic', undo: null },
  })
  const looked = await testKernel.say('look')
  await testKernel.settled(looked.run)
  const sent = await testKernel.say('send')
  const parked = await testKernel.settled(sent.run, 'parked')
  await testKernel.approve(parked.approvals[0]?.code ?? '')
  await testKernel.settled(sent.run)
  const waiting = await testKernel.say('send')
  await testKernel.settled(waiting.run, 'parked')
  const before = await testKernel.kernel.verifyLedger(operator())

  expect(await testKernel.kernel.removeOld(operator())).toEqual({ events: 0, runs: 0, rates: 0 })

  later(31)
  expect((await testKernel.kernel.removeOld(operator()))['events']).toBeGreaterThan(0)
  expect(await eventTypes(looked.run)).toEqual([
    'input.admitted',
    'run.started',
    'turn.replied',
    'turn.replied',
    'run.ended',
  ])
  expect(await eventTypes(waiting.run)).toContain('approval.requested')
  const { calls } = await testKernel.views().run(operator(), looked.run)
  expect(calls[0]?.result).toHaveLength(5_000)

  later(91)
  expect(await testKernel.kernel.removeOld(operator())).toMatchObject({ runs: 2 })
  const shrunk = await testKernel.views().run(operator(), looked.run)
  expect(shrunk.run.detailsRemovedAt).not.toBeNull()
  expect(shrunk.calls[0]).toMatchObject({ result: 'Looked in the attic', undoable: false })
  expect(shrunk.calls[0]?.args).toContain('removed after 90 days')
  const sentAgain = await testKernel.views().run(operator(), sent.run)
  expect(sentAgain.approvals).toEqual([])
  const session = await testKernel.views().session(operator(), looked.session as never)
  expect(session.messages.map(({ text }) => text)).toEqual(['look', 'Working.', 'Done as you asked.'])
  expect((await testKernel.views().run(operator(), waiting.run)).run.detailsRemovedAt).toBeNull()

  const after = await testKernel.kernel.verifyLedger(operator())
  expect(after).toMatchObject({ ok: true })
  expect(after.size).toBeGreaterThan(before.size)
  // What waited may have ended by its age meanwhile, and then its events go too.
  expect(await testKernel.kernel.removeOld(operator())).toMatchObject({ runs: 0, rates: 0 })
})

test('a conversation goes on after its details are gone', async () => {
  const first = await testKernel.say('look')
  await testKernel.settled(first.run)
  later(300)
  await testKernel.kernel.removeOld(operator())
  const next = await testKernel.say('look again', first.session)
  expect((await testKernel.settled(next.run)).run.reason).toBe('completed')
})
