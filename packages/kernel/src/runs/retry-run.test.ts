import type { Requester, RunId, SessionId } from '@countersign/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import { openTestKernel, type TestKernel } from '../testing/test-kernel.ts'

const actor = { kind: 'operator' as const, id: 'desk', reach: 3 as const }

let database: Awaited<ReturnType<typeof startTestDatabase>>
let testKernel: TestKernel

beforeAll(async () => {
  database = await startTestDatabase()
  testKernel = await openTestKernel(database.connection, ({ messages }) =>
    messages.at(-1)?.role === 'tool' ? { text: 'done' } : { calls: [{ name: 'look', args: {} }] },
  )
})
afterAll(async () => {
  await testKernel.close()
  await database.stop()
})

const kinds = ['peer', 'schedule', 'webhook'] as const
test.each(
  kinds.flatMap(
    (kind) =>
      [
        { kind, where: 'there' },
        { kind, where: 'elsewhere' },
      ] as const,
  ),
)(
  'a message of a $kind that the operator sends again $where is still not the operator’s own',
  async ({ kind, where }) => {
    const { kernel } = testKernel
    const requester: Requester = { kind, id: 'somebody' }
    const work = { agent: '', goal: null, schedule: 'sch-1', unattended: true }
    const message = { session: null, text: 'look', mode: 'auto' as const, requester, work }
    const { run } = await kernel.admit(kernel.operator, { key: `first of ${kind} ${where}`, ...message })
    await testKernel.settled(run as RunId)
    const talk = where === 'there' ? undefined : await testKernel.say('look')
    if (talk) await testKernel.settled(talk.run)
    const other = talk?.session as SessionId | undefined
    const again = await kernel.retryRun(kernel.operator, run as RunId, actor, { session: other })
    await testKernel.settled(again.run as RunId)

    const subjects = testKernel.permits.map(({ subject }) => subject).filter((each) => each.run === again.run)
    expect(subjects.map((subject) => subject.requester)).toEqual([requester])
    const row = await kernel.readOnly(kernel.operator, (db) =>
      db.selectFrom('runs').select(['schedule', 'unattended']).where('id', '=', again.run).executeTakeFirst(),
    )
    expect(row).toEqual({ schedule: 'sch-1', unattended: true })
    if (other !== undefined) expect(again.session).toBe(other)
  },
)

test('what no model was asked is not sent to one', async () => {
  const { kernel } = testKernel
  const direct = await kernel.callTool(kernel.operator, { tool: 'look', args: '{}' }, actor)
  await testKernel.settled(direct.run)
  await expect(kernel.retryRun(kernel.operator, direct.run, actor)).rejects.toMatchObject({
    code: 'conflict',
  })
})

test('what was erased is not sent again, there or elsewhere', async () => {
  const { kernel } = testKernel
  const { run, session } = await testKernel.say('look')
  await testKernel.settled(run)
  const other = await testKernel.say('look')
  await testKernel.settled(other.run)
  await kernel.records.change(kernel.operator, async ({ sessions }) => {
    await sessions.lock(session as SessionId)
    expect(await sessions.eraseWords(session as SessionId)).toBe(true)
  })
  for (const wanted of [{}, { session: other.session as SessionId }])
    await expect(kernel.retryRun(kernel.operator, run, actor, wanted)).rejects.toMatchObject({
      code: 'conflict',
    })
})

test('the model that is chosen for another try answers it, and only it', async () => {
  const { kernel } = testKernel
  const modelOf = (run: RunId | null) =>
    kernel
      .readOnly(kernel.operator, (db) =>
        db
          .selectFrom('runs')
          .select('model')
          .where('id', '=', run as RunId)
          .executeTakeFirstOrThrow(),
      )
      .then(({ model }) => model)
  const first = await testKernel.say('look')
  await testKernel.settled(first.run)
  const again = await kernel.retryRun(kernel.operator, first.run, actor, { model: 'other/model' })
  await testKernel.settled(again.run as RunId)
  expect(await modelOf(again.run)).toBe('other/model')
  const next = await testKernel.say('look', first.session)
  await testKernel.settled(next.run)
  expect(await modelOf(next.run)).toBeNull()
})

test('sent again elsewhere, it ends nothing of what the first was done for', async () => {
  const { kernel } = testKernel
  const requester: Requester = { kind: 'operator', id: 'desk' }
  const work = { agent: 'task', goal: null, schedule: null, unattended: false, about: 'task_1' }
  const message = { key: 'about', session: null, text: 'look', mode: 'auto' as const, requester, work }
  const { run } = await kernel.admit(kernel.operator, message)
  await testKernel.settled(run as RunId)
  const talk = await testKernel.say('look')
  await testKernel.settled(talk.run)
  const again = await kernel.retryRun(kernel.operator, run as RunId, actor, {
    session: talk.session as SessionId,
  })
  await testKernel.settled(again.run as RunId)
  const row = await kernel.readOnly(kernel.operator, (db) =>
    db.selectFrom('runs').select(['agent', 'about', 'parent']).where('id', '=', again.run).executeTakeFirst(),
  )
  expect(row).toEqual({ agent: 'task', about: null, parent: run })
})
