import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { canonicalText, idFrom, type Label, type RunId } from '@countersign/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startTestDatabase } from '../../../../tests/harness/src/postgres.ts'
import type { InboundMessage } from '../kernel.ts'
import { type Owner, openOwner } from '../testing/owner.ts'
import { openTestKernel, type Reply, type TestKernel } from '../testing/test-kernel.ts'

let database: Awaited<ReturnType<typeof startTestDatabase>>
let testKernel: TestKernel
let owner: Owner
let script: () => Reply
let lastModel: string | undefined
const ended: { run: string; about: string | null; reason: string }[] = []

beforeAll(async () => {
  database = await startTestDatabase()
  owner = openOwner(database.connection)
  testKernel = await openTestKernel(database.connection, ({ messages, model }) => {
    lastModel = model
    return messages.at(-1)?.role === 'tool' ? { text: 'over' } : script()
  })
  testKernel.assistant = {
    ended(_unit, run, { reason }) {
      ended.push({ run: run.id, about: run.about, reason })
      return Promise.resolve()
    },
  }
  await testKernel.reopen()
})
afterAll(async () => {
  await owner.close()
  await testKernel.close()
  await database.stop()
})
beforeEach(() => {
  script = () => ({ text: 'hello' })
})

const untrusted: Label = { integrity: 'untrusted', confidentiality: 'private', sources: ['a page'] }
const work = { agent: 'goal', goal: 'goal_a', schedule: null, unattended: false, about: 'atask_1' }

function send(message: Partial<InboundMessage>) {
  return testKernel.kernel.admit(testKernel.kernel.operator, {
    key: randomUUIDv7(),
    session: null,
    text: 'go',
    mode: 'queue',
    requester: { kind: 'operator', id: 'desk' },
    ...message,
  })
}
const rowOf = (run: RunId) =>
  testKernel.kernel.readOnly(testKernel.kernel.operator, (db) =>
    db.selectFrom('runs').selectAll().where('id', '=', run).executeTakeFirstOrThrow(),
  )
const hold = (held: boolean) =>
  testKernel.kernel.records.change(testKernel.kernel.operator, async ({ holds }) => {
    if (held) await holds.hold(['goal_a'])
    else await holds.release(['goal_a'])
  })

describe('work that somebody begins', () => {
  test('carries what its words are worth into the run, the session and what comes after', async () => {
    const first = await send({ label: untrusted, work })
    await testKernel.settled(first.run as RunId)
    expect((await rowOf(first.run as RunId)).label).toEqual(untrusted)
    const second = await testKernel.say('and now?', first.session)
    await testKernel.settled(second.run)
    const row = await rowOf(second.run)
    expect(row.label).toEqual(untrusted)
    // The session is the goal's; the record was the first run's alone.
    expect(row).toMatchObject({ agent: 'goal', goal: 'goal_a', about: null })
  })

  test('is answered by the model that was chosen, and so is what follows until another is', async () => {
    const asked: (string | undefined)[] = []
    const modelOf = async (message: Partial<InboundMessage>) => {
      const { run, session } = await send(message)
      await testKernel.settled(run as RunId)
      asked.push(lastModel)
      return { session, row: await rowOf(run as RunId) }
    }
    const first = await modelOf({ model: 'here/big', work })
    expect(first.row).toMatchObject({ model: 'here/big', agent: 'goal', goal: 'goal_a', about: 'atask_1' })
    const { session } = first
    expect((await modelOf({ session })).row).toMatchObject({ model: 'here/big', goal: 'goal_a', about: null })
    expect((await modelOf({ session, model: 'here/small' })).row.model).toBe('here/small')
    expect((await modelOf({ session })).row.model).toBe('here/small')
    expect((await modelOf({ session, model: null })).row).toMatchObject({ model: null, goal: 'goal_a' })
    expect((await modelOf({ session })).row.model).toBeNull()
    expect(asked).toEqual(['here/big', 'here/big', 'here/small', 'here/small', undefined, undefined])
  })

  test('opens the session it names once, and waits there for its turn', async () => {
    const opens = idFrom('ses', randomUUIDv7())
    script = () => ({ calls: [{ name: 'send', args: { to: 'x' } }] })
    const first = await send({ opens, work })
    await testKernel.settled(first.run as RunId, 'parked')
    const second = await send({ opens, work })
    expect([first.session, second.session, second.run]).toEqual([opens, opens, null])
  })

  test('never steers with words that are worth less than the operator’s own', async () => {
    script = () => ({ calls: [{ name: 'send', args: { to: 'x' } }] })
    const first = await send({ work })
    await testKernel.settled(first.run as RunId, 'parked')
    const { session } = first
    const foreign = await send({ session, mode: 'auto', label: untrusted })
    expect([foreign.steered, foreign.run]).toEqual([false, null])
    const own = await send({ session, mode: 'auto' })
    expect([own.steered, own.run]).toEqual([true, first.run])
  })

  test('is told of when it ends, with what it was for', async () => {
    const { run } = await send({ work })
    await testKernel.settled(run as RunId)
    expect(ended.filter((each) => each.run === run)).toEqual([{ run, about: 'atask_1', reason: 'completed' }])
  })
})

describe('work that is held', () => {
  test('does not start, and starts when it is let go', async () => {
    await hold(true)
    const { run, session } = await send({ work })
    expect(run).toBeNull()
    const other = await send({ work: { ...work, goal: 'goal_b' } })
    await testKernel.settled(other.run as RunId)
    await hold(false)
    await testKernel.kernel.holdsChanged(testKernel.kernel.operator)
    for (let tries = 0; tries < 200; tries += 1) {
      const [started] = await testKernel.views().runs(testKernel.kernel.operator, { session })
      if (started?.state === 'stopped') return
      await sleep(10)
    }
    expect.unreachable('it never started')
  })

  test('starts although it looked while it was being let go', async () => {
    await hold(true)
    const free = Promise.withResolvers<void>()
    const letting = owner.within(testKernel.kernel.operator, async ({ db }) => {
      await db.deleteFrom('held_goals').where('goal', '=', 'goal_a').execute()
      await db.selectFrom('operators').select('id').forNoKeyUpdate().execute()
      await free.promise
    })
    await sleep(50)
    const sending = send({ work })
    await sleep(100)
    free.resolve()
    await letting
    const { run } = await sending
    expect(run).not.toBeNull()
    await testKernel.settled(run as RunId)
  })

  test('stays parked when what it asked is approved, and acts when it is let go', async () => {
    script = () => ({ calls: [{ name: 'fetch', args: { at: 1 } }] })
    const { run } = await send({ work })
    await testKernel.settled(run as RunId, 'parked')
    await hold(true)
    await testKernel.kernel.holdsChanged(testKernel.kernel.operator)
    const [asked] = await testKernel
      .views()
      .approvals(testKernel.kernel.operator, { state: 'pending', run: run as RunId })
    await testKernel.approve(asked?.code ?? '')
    await sleep(50)
    expect((await rowOf(run as RunId)).parked_on).toBe('paused')
    await hold(false)
    await testKernel.kernel.holdsChanged(testKernel.kernel.operator)
    await testKernel.settled(run as RunId)
  })
})

describe('a lease', () => {
  test('covers the listed call once in its session, and neither another nor elsewhere', async () => {
    const session = idFrom('ses', randomUUIDv7())
    const args = canonicalText({ at: 'leased' })
    await testKernel.kernel.grantInAdvance(
      testKernel.kernel.operator,
      { session, calls: [{ tool: 'fetch', args, headline: 'Fetch' }], minutes: 10 },
      { kind: 'operator', id: 'desk' },
    )
    script = () => ({ calls: [{ name: 'fetch', args: { at: 'leased' } }] })
    const elsewhere = await send({ work })
    await testKernel.settled(elsewhere.run as RunId, 'parked')
    const first = await send({ opens: session, work })
    await testKernel.settled(first.run as RunId)
    const again = await testKernel.say('again', session)
    await testKernel.settled(again.run, 'parked')
    await testKernel.kernel.stopRun(testKernel.kernel.operator, again.run, { kind: 'operator', id: 'desk' })
    script = () => ({ calls: [{ name: 'send', args: { at: 'leased' } }] })
    const outward = await testKernel.say('send it', session)
    await testKernel.settled(outward.run, 'parked')
  })
})
